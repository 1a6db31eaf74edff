"""Every pass proposes, for each of its examples, an edit that leads from the first program to the second."""

import importlib
import pkgutil
from types import ModuleType

import pytest

from authoring.reduction import passes
from authoring.reduction.align import merge
from authoring.reduction.edits import apply_edits
from authoring.reduction.view import View

MODULES = [
    importlib.import_module(f"{passes.__name__}.{found.name}")
    for found in pkgutil.iter_modules(passes.__path__)
]
CASES = [
    pytest.param(module, before, after, id=f"{module.__name__.rpartition('.')[2]}-{number}")
    for module in MODULES
    for number, (before, after) in enumerate(getattr(module, "EXAMPLES", ()))
]


@pytest.mark.parametrize(("module", "before", "after"), CASES)
def test_a_pass_proposes_what_its_example_shows(module: ModuleType, before: str, after: str) -> None:
    program = merge({"reference": before})
    reached = {
        apply_edits(program, [edit]).project("reference") for edit in module.PASS.candidates(View(program))
    }
    assert after in reached


def test_every_pass_carries_examples() -> None:
    without = {
        module.__name__.rpartition(".")[2] for module in MODULES if not getattr(module, "EXAMPLES", ())
    }
    assert without <= {"base", "transplant", "delete_unrun"}
