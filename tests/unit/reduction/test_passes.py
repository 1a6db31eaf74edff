"""Every pass proposes, for each of its examples, an edit that leads from the first program to the second."""

import importlib
import pkgutil
from collections.abc import Mapping
from types import ModuleType

import pytest

from authoring.model.variants import VersionName
from authoring.reduction import passes
from authoring.reduction.align import merge
from authoring.reduction.edits import apply_edits
from authoring.reduction.passes import branches, delete_unrun, parts
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


Texts = Mapping[VersionName, str]


def _texts(example: str | Texts) -> Texts:
    return {"reference": example} if isinstance(example, str) else example


def view_of(before: Texts) -> View:
    """Return the view of an example; where it marks lines that did not run, all others did."""
    program = merge({version: text.replace(delete_unrun.UNRUN, "") for version, text in before.items()})
    if not any(delete_unrun.UNRUN in text for text in before.values()):
        return View(program)
    (text,) = before.values()
    unrun = [number for number, line in enumerate(text.splitlines()) if line.endswith(delete_unrun.UNRUN)]
    ran = {n: line.versions for n, line in enumerate(program.lines) if n not in unrun}
    return View(program, ran=ran)


@pytest.mark.parametrize(("module", "before", "after"), CASES)
def test_a_pass_proposes_what_its_example_shows(
    module: ModuleType, before: str | Texts, after: str | Texts
) -> None:
    view, wanted = view_of(_texts(before)), _texts(after)
    passes = [module.PASS] if hasattr(module, "PASS") else [*module.PASSES, *module.COLLAPSE]
    edits = [edit for each in passes for edit in each.candidates(view)]
    reached = [apply_edits(view.program, [edit]) for edit in edits]
    assert wanted in [{version: each.project(version) for version in wanted} for each in reached]


def test_every_pass_carries_examples() -> None:
    without = {
        module.__name__.rpartition(".")[2] for module in MODULES if not getattr(module, "EXAMPLES", ())
    }
    assert without == {"base"}


_SPLIT = "if a:\n    pass\nelif b:\n    pass\nelif t == 1:\n    f()\nelif t == 2:\n    g()\nelif c:\n    pass\nelse:\n    h()\n"
_JOINED = (
    "if a:\n    pass\nelif b:\n    pass\nelif t in (1, 2):\n    fg()\nelif c:\n    pass\nelse:\n    h()\n"
)


@pytest.mark.parametrize("gone", ["elif b:\n    pass\n", "elif c:\n    pass\n", "else:\n    h()\n"])
def test_an_arm_goes_from_versions_that_have_other_arms_beside_it(gone: str) -> None:
    program = merge({"broken": _SPLIT, "reference": _JOINED})
    edits = [apply_edits(program, [edit]) for edit in branches.PASS.candidates(View(program))]
    after = (_SPLIT.replace(gone, ""), _JOINED.replace(gone, ""))
    assert after in {(one.project("broken"), one.project("reference")) for one in edits}


def test_the_first_arm_goes_from_versions_that_have_other_arms_beside_it() -> None:
    program = merge({"broken": _SPLIT, "reference": _JOINED})
    edits = [apply_edits(program, [edit]) for edit in branches.PASS.candidates(View(program))]
    after = tuple(text.replace("if a:\n    pass\nelif b", "if b") for text in (_SPLIT, _JOINED))
    assert after in {(one.project("broken"), one.project("reference")) for one in edits}


def test_arms_that_never_ran_go_from_versions_that_have_other_arms_beside_them() -> None:
    program = merge({"broken": _SPLIT, "reference": _JOINED})
    never = ("elif b:", "elif c:")
    ran = {
        number: line.versions
        for number, line in enumerate(program.lines)
        if line.text.strip() not in ("pass", *never)
    }
    (edit,) = delete_unrun.PASS.candidates(View(program, ran=ran))
    smaller = apply_edits(program, [edit])
    first, second = (f"{gone}\n    pass\n" for gone in never)
    assert smaller.project("broken") == _SPLIT.replace(first, "").replace(second, "")
    assert smaller.project("reference") == _JOINED.replace(first, "").replace(second, "")


@pytest.mark.parametrize(
    ("source", "gone"),
    [
        ("import table\nx = table.Row(1)\n", "import table\nx = table\n"),
        ("from kit import Row\nx = Row.of(1)\n", "from kit import Row\nx = Row\n"),
        (
            "class Row(Base):\n    Cell = 1\nx = f(Row.Cell)\n",
            "class Row(Base):\n    Cell = 1\nx = f(Row)\n",
        ),
        ("x = dict.fromkeys(a)\n", "x = dict\n"),
        ("x = a in ['b']\n", "x = a in 'b'\n"),
        ("for x in ('b', c):\n    f(x)\n", "for x in 'b':\n    f(x)\n"),
    ],
)
def test_what_holds_a_thing_and_the_thing_do_not_stand_in_for_each_other(source: str, gone: str) -> None:
    program = merge({"reference": source})
    reached = {
        apply_edits(program, [edit]).project("reference") for edit in parts.PASS.candidates(View(program))
    }
    assert gone not in reached


def test_an_element_or_a_base_takes_the_place_of_what_holds_it() -> None:
    source = "class Row(Base):\n    pass\nclass Wide(Row[int]):\n    pass\nx = f((int,))\n"
    reached = {
        apply_edits(merge({"reference": source}), [edit]).project("reference")
        for edit in parts.PASS.candidates(View(merge({"reference": source})))
    }
    assert {source.replace("Row[int]", "Row"), source.replace("(int,)", "int")} <= reached
