"""Versions are flattened with the same decisions, so that their texts stay in step."""

import difflib
from pathlib import Path
from typing import Any

import pytest

from authoring.model.capture import Binding
from authoring.model.errors import RefusedError
from authoring.reduction.flatten import Answer, Faithful, Unfaithful, flatten_versions
from authoring.reduction.sources import Executed
from tests.unit.reduction.flatten.sample import flat, flatten, run, write


def answer(space: Any) -> object:
    return space.answer(3)


def differing(one: str, two: str) -> list[str]:
    """Return the lines in which two texts differ, with the sign of a unified difference."""
    delta = difflib.unified_diff(one.splitlines(), two.splitlines(), lineterm="", n=0)
    return [
        line for line in delta if line[:1] in "+-" and line[:3] not in ("+++", "---") and line[1:].strip()
    ]


BASE = {
    "pkg/__init__.py": "from .a import answer\n",
    "pkg/a.py": "from .b import half\nfrom .c import size\n\n\ndef answer(x):\n    return half(x) + size(x)\n",
    "pkg/b.py": "def half(x):\n    return x // 2\n",
    "pkg/c.py": "def size(x):\n    return x\n",
}


def both(tmp_path: Path, changes: dict[str, str]) -> tuple[str, str]:
    found = flatten(tmp_path, {"broken": BASE, "reference": BASE | changes}, {"answer": "pkg:answer"}, answer)
    return found["broken"].source, found["reference"].source


def test_a_changed_line_is_the_only_line_that_differs(tmp_path: Path) -> None:
    broken, reference = both(tmp_path, {"pkg/b.py": "def half(x):\n    return x / 2\n"})
    assert differing(broken, reference) == ["-    return x // 2", "+    return x / 2"]


def test_a_definition_that_moved_to_another_module_keeps_its_name_and_place(tmp_path: Path) -> None:
    moved = {
        "pkg/a.py": BASE["pkg/a.py"].replace("from .b", "from .d"),
        "pkg/b.py": "",
        "pkg/d.py": "def half(x):\n    return x // 2\n",
    }
    broken, reference = both(tmp_path, moved)
    assert differing(broken, reference) == []


def test_another_order_of_imports_does_not_show(tmp_path: Path) -> None:
    other = "from .c import size\nfrom .b import half\n\n\ndef answer(x):\n    return half(x) + size(x)\n"
    broken, reference = both(tmp_path, {"pkg/a.py": other})
    assert differing(broken, reference) == []


def test_a_name_that_clashes_in_one_version_is_changed_in_all(tmp_path: Path) -> None:
    clash = {
        "pkg/a.py": (
            "from .b import half\nfrom . import c\n\n\ndef answer(x):\n    return half(x) + c.half(x)\n"
        ),
        "pkg/c.py": "def half(x):\n    return x\n",
    }
    broken, reference = both(tmp_path, clash)
    assert "def half(x):\n    return x // 2" in broken
    assert "def half(x):\n    return x // 2" in reference
    assert "def c_half(x):" in reference


def test_what_runs_in_one_version_is_kept_in_all(tmp_path: Path) -> None:
    source = "def answer(x):\n    if x {} 3:\n        return rare(x)\n    return x\n\n\ndef rare(x):\n    return -x\n"
    found = flatten(
        tmp_path,
        {
            "broken": {"pkg/__init__.py": source.format(">")},
            "reference": {"pkg/__init__.py": source.format(">=")},
        },
        {"answer": "pkg:answer"},
        answer,
    )
    broken, reference = (found[name].source for name in ("broken", "reference"))
    assert differing(broken, reference) == ["-    if x > 3:", "+    if x >= 3:"]


def test_a_canonical_name_wins_over_equal_names(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "from .a import parse as answer\n",
        "pkg/a.py": "from . import b\n\n\ndef parse(x):\n    return b.answer(x)\n",
        "pkg/b.py": "def answer(x):\n    return x\n",
    }
    source = flat(tmp_path, files, {"answer": "pkg:answer"}, answer)
    assert "def answer(x):\n    return b_answer(x)" in source


def test_a_binding_inside_a_class_gets_a_name_of_its_own(tmp_path: Path) -> None:
    files = {"pkg/__init__.py": "class Box:\n    @staticmethod\n    def get(x):\n        return x\n"}
    assert flat(tmp_path, files, {"answer": "pkg:Box.get"}, answer).endswith("answer = Box.get\n")


def test_a_dependency_is_flattened_too(tmp_path: Path) -> None:
    files = {"pkg/__init__.py": "from kit.tools import twice\n\n\ndef answer(x):\n    return twice(x)\n"}
    kit = {"kit/__init__.py": "", "kit/tools.py": "def twice(x):\n    return 2 * x\n"}
    found = flatten(tmp_path, {"reference": files}, {"answer": "pkg:answer"}, answer, kit)["reference"]
    assert found.source.startswith("def twice(x):")
    assert found.third_party == ()


def test_the_same_input_gives_the_same_text(tmp_path: Path) -> None:
    one, two = both(tmp_path / "one", {}), both(tmp_path / "two", {})
    assert one == two


def test_a_difference_that_nothing_mends_is_refused_with_its_proof(tmp_path: Path) -> None:
    tree = write(tmp_path, {"pkg/__init__.py": "def answer(x):\n    return x\n"})
    with pytest.raises(RefusedError) as caught:
        flatten_versions(
            {"reference": tree},
            "pkg",
            [Binding(name="answer", original="pkg:answer")],
            {"reference": Executed({"pkg/__init__.py": frozenset({1})}, {"pkg/__init__.py": frozenset({2})})},
            lambda _, __: Unfaithful("another observation", "answer(3)"),
        )
    assert (caught.value.code, caught.value.proof) == ("RED010", "answer(3)")


def test_a_binding_that_the_text_does_not_define_is_refused(tmp_path: Path) -> None:
    tree = write(tmp_path, {"pkg/__init__.py": "exec('def answer(x): return x')\n"})
    with pytest.raises(RefusedError) as caught:
        flatten_versions(
            {"reference": tree},
            "pkg",
            [Binding(name="answer", original="pkg:answer")],
            {"reference": Executed({"pkg/__init__.py": frozenset({1})})},
            lambda _, __: Unfaithful("not asked"),
        )
    assert caught.value.code == "RED002"


def test_a_file_that_is_not_python_is_refused_by_name(tmp_path: Path) -> None:
    tree = write(tmp_path, {"pkg/__init__.py": "print 'old'\n"})
    with pytest.raises(RefusedError) as caught:
        flatten_versions(
            {"reference": tree},
            "pkg",
            [Binding(name="a", original="pkg:a")],
            {},
            lambda _, __: Unfaithful(""),
        )
    assert (caught.value.code, caught.value.proof) == ("RED001", "pkg/__init__.py")


def test_a_twin_in_python_stands_for_a_compiled_module_though_it_never_ran(tmp_path: Path) -> None:
    tree = write(
        tmp_path,
        {
            "pkg/__init__.py": (
                "try:\n    from ._fast import double\nexcept ImportError:\n    from ._slow import double\n\n\n"
                "def answer(x):\n    return double(x)\n"
            ),
            "pkg/_fast.cpython-311-x86_64-linux-gnu.so": "",
            "pkg/_slow.py": "from .deep import add\n\n\ndef double(x):\n    return add(x, x)\n",
            "pkg/deep.py": "def add(x, y):\n    return x + y\n",
        },
    )
    ran = {
        "pkg/__init__.py": frozenset({1, 2, 7}),
        "pkg/deep.py": frozenset({1}),
        "pkg/_slow.py": frozenset({1, 4}),
    }
    asked: list[str] = []

    def questions(_: str, source: str) -> Answer:
        asked.append(source)
        value = run(source, answer)
        return Faithful() if value == 6 else Unfaithful(str(value), "answer(3)")

    found = flatten_versions(
        {"reference": tree},
        "pkg",
        [Binding(name="answer", original="pkg:answer")],
        {"reference": Executed(ran, {"pkg/__init__.py": frozenset({8})})},
        questions,
    )
    assert "raise NotImplementedError" in asked[0]
    assert "def double(x):\n    return add(x, x)" in found["reference"].source


def test_a_module_that_a_scenario_patches_is_the_flat_program_itself(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/a.py": "import os\n\n\ndef answer(x):\n    return (os.name, x)\n",
    }

    def patched(space: Any) -> object:
        saved, space.a.os = space.a.os, type("Other", (), {"name": "other"})
        try:
            return space.answer(3)
        finally:
            space.a.os = saved

    text = flat(tmp_path, files, {"answer": "pkg.a:answer", "a": "pkg.a:"}, patched)
    assert text.splitlines()[-1] == "a = sys.modules[__name__]"
    assert run(text, patched) == ("other", 3)
