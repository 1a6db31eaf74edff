"""Laws of scenarios: self-contained, observing, parametrised by the check's own literals, in canonical names."""

import textwrap
from types import SimpleNamespace
from typing import Any

import pytest

from authoring.model.wire import decode, encode
from authoring.scenario.lifting import Lifted, lift, original_text, program_names

MODULES = {"pkg", "pkg.sub", "pkg.errors", "other"}


def lifted(source: str, **options: Any) -> Lifted:
    return lift(textwrap.dedent(source), "pkg", MODULES.__contains__, **options)


def only_text(source: str, **options: Any) -> str:
    (scenario,) = lifted(source, **options).scenarios
    return scenario.texts[0]


def run(found: Lifted, check: str, view: int = 0, **names: Any) -> list[Any]:
    """Call a check's scenario on a stand-in for the package; the text is of our own making."""
    case = found.case(check)
    scope: dict[str, Any] = {}
    exec(compile(case.options[view].text, "scenarios", "exec"), scope)
    observed: list[Any] = []
    scope[case.scenario](SimpleNamespace(**names), decode(case.params), observed.append)
    return observed


def test_a_reference_through_a_submodule_is_a_canonical_name_and_its_literal_a_parameter() -> None:
    source = "import pkg.sub\nimport pkg.errors\nassert pkg.sub.from_text('300') == 300\n"
    assert only_text(source) == 'def from_text(program, p, seen):\n    seen(program.from_text(p["text"]))\n'


@pytest.mark.parametrize(
    "imports",
    [
        "import pkg.sub\ng = pkg.sub.f\nassert pkg.sub.f(1) == 2",
        "import pkg.sub as s\nassert s.f(1) == 2",
        "from pkg import sub\nassert sub.f(1) == 2",
        "from pkg import sub as s\nassert s.f(1) == 2",
        "from pkg.sub import f\nassert f(1) == 2",
        "from pkg.sub import f as g\nassert g(1) == 2",
        "from pkg.sub import *\nassert f(1) == 2",
        "def check_1():\n    from pkg.sub import f\n    assert f(1) == 2",
    ],
)
def test_every_form_of_import_gives_the_same_scenario(imports: str) -> None:
    found = lifted(imports)
    assert found.scenarios[0].texts[0] == 'def f(program, p, seen):\n    seen(program.f(p["number"]))\n'
    assert [(binding.name, binding.original) for binding in found.bindings] == [("f", "pkg.sub:f")]
    assert found.modules == ("pkg", "pkg.sub")


def test_equal_last_names_of_two_modules_get_two_canonical_names() -> None:
    found = lifted("import pkg\nimport pkg.sub\nassert pkg.f(1) == pkg.sub.f(1)\n")
    assert {binding.name: binding.original for binding in found.bindings} == {
        "f": "pkg:f",
        "sub_f": "pkg.sub:f",
    }


def test_a_local_name_that_hides_an_import_is_no_reference() -> None:
    source = "import pkg\ndef twice(pkg):\n    return pkg * 2\nassert pkg.f(twice(2)) == 4\n"
    assert "return pkg * 2" in only_text(source)


def test_a_module_used_as_a_value_is_a_canonical_name() -> None:
    source = """
    from unittest import mock
    from pkg import sub
    def f(x):
        with mock.patch.object(sub, "os", None):
            return sub.g(x)
    assert f(1) == 2
    """
    found = lifted(source)
    assert {binding.original for binding in found.bindings} == {"pkg:sub", "pkg.sub:g"}
    assert 'mock.patch.object(program.sub, "os", None)' in found.scenarios[0].texts[0]


def test_a_name_of_the_package_given_as_text_is_a_reference_too() -> None:
    source = """
    import importlib
    from unittest import mock
    import pkg
    def f(x):
        with mock.patch("pkg.sub.os", None), mock.patch("pkg.Thing.size", 3):
            return importlib.import_module("pkg.sub").g(x)
    assert f(1) == 2
    """
    text = " ".join(only_text(source).split())
    assert 'mock.patch.object(program.sub, "os", None)' in text
    assert 'mock.patch.object( program.Thing, "size", 3 )' in text
    assert "program.sub.g(x)" in text


def test_a_limit_on_the_clock_is_left_to_the_box_and_what_it_times_has_to_end() -> None:
    source = """
    import time
    import pkg
    start = time.time()
    got = pkg.f("a" * 50)
    elapsed = time.time() - start
    assert elapsed < 1, elapsed
    """
    found = lifted(source)
    assert "elapsed < 1" in found.checks[0].script
    assert found.checks[0].options[0].words == "ends"
    assert 'program.f(p["text"])' in found.checks[0].options[0].text
    assert run(found, "check_1", f=len) == [None]


def test_variables_with_reserved_names_are_renamed_but_not_attributes_or_keywords() -> None:
    source = """
    import pkg
    seen = []
    def call(p):
        seen.append(p.p)
        return pkg.f(p=seen)
    assert call(pkg.make(1)) == [1]
    """
    text = only_text(source)
    assert "noted.append(each.p)" in text
    assert "program.f(p=noted)" in text


def test_checks_of_equal_shape_share_a_scenario_whatever_they_judge() -> None:
    source = """
    import pytest
    import pkg
    def test_a():
        assert pkg.f("300") == 300
    def test_b():
        with pytest.raises(ValueError):
            pkg.f("x")
    def test_c():
        got = pkg.f("7")
        assert got == 7, got
    """
    found = lifted(source)
    assert [scenario.checks for scenario in found.scenarios] == [("test_a", "test_b", "test_c")]


def test_constants_of_helpers_stay_and_arguments_become_parameters_by_the_helpers_names() -> None:
    source = """
    import pkg
    def names(*members, mode="x", **options):
        return pkg.f(list(members), "fixed", mode, **options)
    def check_1():
        assert names("a", "b") == 1
    def check_2():
        assert names("c", mode="y", deep=True) == 2
    """
    found = lifted(source)
    text = found.scenarios[0].texts[0]
    assert 'seen(names(*p["members"], mode=p["mode"], **p["options"]))' in text
    assert '"fixed"' in text
    assert [decode(case.params) for case in found.checks] == [
        {"members": ["a", "b"], "mode": "x", "options": {}},
        {"members": ["c"], "mode": "y", "options": {"deep": True}},
    ]


def test_keywords_that_only_some_checks_give_are_one_parameter() -> None:
    source = "import pkg\nassert pkg.f(1) == 'a'\nassert pkg.f(2, binary=True) == 'b'\n"
    found = lifted(source)
    assert found.scenarios[0].texts[0].endswith('seen(program.f(p["number"], **p["options"]))\n')
    assert len(found.scenarios) == 1


def test_parameters_take_the_names_of_the_packages_signature() -> None:
    text = only_text("import pkg\nassert pkg.f(1, 'x') == 2\n", signature={"pkg:f": ("size", "unit")}.get)
    assert 'program.f(p["size"], p["unit"])' in text


def test_the_dropped_side_of_an_equality_leaves_nothing_behind() -> None:
    source = "import pkg\nwant = [1, 2]\nd = pkg.make([3])\nassert d.items() == want\n"
    text = only_text(source)
    assert "want" not in text
    assert "[1, 2]" not in text


def test_constants_are_put_together_before_they_are_lifted() -> None:
    source = "import pkg\nHEAD = 'g = 1\\n'\nassert pkg.run(HEAD + 'r = g') == 1\n"
    found = lifted(source)
    assert decode(found.checks[0].params) == {"text": "g = 1\nr = g"}


def test_dates_and_the_like_are_values() -> None:
    source = "from datetime import date\nimport pkg\na = date(2021, 12, 1)\nassert pkg.f(a, date(2022, 1, 2)) == a\n"
    found = lifted(source)
    assert "import" not in found.scenarios[0].texts[0]
    assert list(decode(found.checks[0].params)) == ["a", "day"]


def test_alarms_and_their_handlers_are_gone() -> None:
    source = """
    import signal
    import pkg
    def names(text):
        def stop(*_):
            raise TimeoutError("still looking")
        signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, 1.5)
        try:
            return pkg.names(text)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    assert names("//a") == []
    """
    assert only_text(source) == (
        "def names(program, p, seen):\n    def names(text):\n        return program.names(text)\n\n"
        '    seen(names(p["text"]))\n'
    )


def test_a_scenario_needs_nothing_but_the_standard_library_and_program() -> None:
    source = """
    import io, json as j
    import pkg
    class Quiet(pkg.Base):
        def __init__(self):
            self.out = io.StringIO()
    def run(x):
        return j.dumps(pkg.f(Quiet(), x))
    assert run(1) == "2"
    """
    found = lifted(source)
    assert run(found, "check_1", Base=object, f=lambda q, x: x + 1) == ["2"]
    assert program_names(found.scenarios[0].texts[0]) == {"Base", "f"}


@pytest.mark.parametrize(
    ("assertion", "observed"),
    [
        ("pkg.f(3) == 3", [3]),
        ("3 == pkg.f(3)", [3]),
        ("pkg.f(3) == pkg.f(4)", [3, 4]),
        ("pkg.f(3) is None", [3]),
        ("2 in pkg.f([2])", [True]),
        ("2 not in pkg.f([1])", [False]),
        ("pkg.f([]) or pkg.f(0)", [0]),
        ("pkg.f('x')", ["x"]),
        ("not pkg.f('')", [""]),
        ("len(pkg.f([1, 2])) == 2", [2]),
        ("type(pkg.f(1)) is int", ["int"]),
        ("isinstance(pkg.f(1), int)", [True]),
        ("pkg.f(1) < 2", [True]),
        ("pkg.f(1) == pkg.f(1) == 1", [1, 1]),
        ("not (pkg.f(1) == 2)", [1]),
        ("abs(pkg.f(1.5) - 1.5) < 1e-9", [True]),
    ],
)
def test_an_assertion_becomes_observations_of_what_it_compares(assertion: str, observed: list[Any]) -> None:
    found = lifted(f"import pkg\nassert {assertion}\n")
    assert run(found, "check_1", f=lambda x: x) == observed


def test_no_view_compares_the_programs_own_objects() -> None:
    found = lifted("import pkg\nassert pkg.f(1) == pkg.g(2)\nassert pkg.f(1) == 3\n")
    for scenario in found.scenarios:
        assert all("==" not in text for text in scenario.texts)


def test_views_of_one_check_go_from_the_value_to_its_text() -> None:
    class Text(str):
        __slots__ = ()

    found = lifted("import pkg\nassert pkg.f('a') == 'a'\n")
    views = [run(found, "check_1", at, f=Text)[0] for at in range(len(found.checks[0].options))]
    assert type(views[0]) is Text
    assert any(type(view) is str and view == "a" for view in views)


def test_nested_subclasses_and_records_have_views_that_are_data() -> None:
    from collections import OrderedDict
    from dataclasses import dataclass

    @dataclass
    class Point:
        x: int

    found = lifted("import pkg\nassert pkg.f(1) == pkg.g(1)\n")
    case = found.checks[0]
    made = {"f": lambda x: [OrderedDict(a=Point(x))], "g": lambda x: [OrderedDict(a=Point(x))]}
    encoded = []
    for at in range(len(case.options)):
        try:
            encoded.append(encode(run(found, "check_1", at, **made)[0]))
        except ValueError:
            continue
    assert {"list": [{"dict": [["a", {"list": ["Point", {"dict": [["x", {"int": "0x1"}]]}]}]]}]} in encoded


def test_state_is_fresh_at_each_call() -> None:
    source = "import pkg\nmade = []\ndef count():\n    made.append(1)\n    return len(made)\nassert pkg.f(count) == 1\n"
    found = lifted(source)
    assert [run(found, "check_1", f=lambda c: c()) for _ in range(2)] == [[1], [1]]


def test_globals_of_helpers_become_variables_of_the_scenario() -> None:
    source = """
    import pkg
    calls = 0
    def count():
        global calls
        calls += 1
    pkg.f(count)
    assert calls == 1
    """
    found = lifted(source)
    assert run(found, "check_1", f=lambda c: c()) == [1]


def test_a_check_that_never_reaches_the_package_says_so() -> None:
    found = lifted("import pkg\nassert pkg.f(1) == 1\nassert 1 + 1 == 2\n")
    assert found.checks[1].scenario == ""
    assert found.checks[1].reason is not None and found.checks[1].reason.code == "SCN001"


def test_what_only_a_module_of_its_own_has_is_a_reason_to_have_no_scenario() -> None:
    found = lifted("import pkg\nassert pkg.f(globals()) == 1\n")
    assert found.checks[0].reason is not None and found.checks[0].reason.code == "SCN002"


def test_exceptions_that_the_reproducer_names_are_canonical_names_and_bound() -> None:
    source = """
    import pkg
    import pkg.errors
    try:
        pkg.f("x")
    except (pkg.errors.Bad, ValueError):
        pass
    else:
        raise AssertionError
    """
    found = lifted(source)
    assert found.raises == ("Bad",)
    assert ("Bad", "pkg.errors:Bad") in [(binding.name, binding.original) for binding in found.bindings]


def test_original_binds_every_name_on_the_package() -> None:
    found = lifted("import pkg.sub\nimport pkg\nassert pkg.sub.f(pkg.A.make(1)) == 2\n")
    text = original_text(found.bindings, "pkg", "import os\n")
    scope: dict[str, Any] = {}
    import sys
    import types

    sub = types.ModuleType("pkg.sub")
    sub.__dict__["f"] = int
    sys.modules["pkg.sub"] = sub
    try:
        exec(compile(text, "original", "exec"), scope)
        bound = scope["bind"](SimpleNamespace(A=str))
    finally:
        del sys.modules["pkg.sub"]
    assert (bound.f, bound.A) == (int, str)


def test_what_must_run_before_the_package_is_imported_is_kept_for_original() -> None:
    source = 'import os\nos.environ["X"] = "quiet"\nimport pkg\nassert pkg.f(1) == 1\n'
    assert lifted(source).before_import == 'import os\nos.environ["X"] = "quiet"\n'


def test_other_packages_are_imported_inside_the_scenario_and_told() -> None:
    found = lifted("import flask\nimport pkg\nassert pkg.f(flask.Flask('x')) == 1\n")
    assert found.foreign == ("flask",)
    assert "    import flask\n" in found.scenarios[0].texts[0]
