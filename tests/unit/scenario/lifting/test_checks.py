"""Laws of finding checks: what counts as one, how it is called, and what its script keeps."""

import textwrap
from types import SimpleNamespace
from typing import Any

import pytest

from authoring.scenario.lifting import Lifted, LiftingError, lift

MODULES = {"pkg", "pkg.sub", "pkg.errors"}


def lifted(source: str, **options: Any) -> Lifted:
    return lift(textwrap.dedent(source), "pkg", MODULES.__contains__, **options)


def ids(source: str, **options: Any) -> list[str]:
    return [case.id for case in lifted(source, **options).checks]


def verdict(script: str, **names: object) -> str:
    """Run a script of our own making on a stand-in for the package, in this process."""
    import sys
    import types

    module = types.ModuleType("pkg")
    module.__dict__.update(names)
    sub = types.ModuleType("pkg.sub")
    sub.__dict__.update(names)
    saved = {name: sys.modules.get(name) for name in ("pkg", "pkg.sub")}
    sys.modules.update({"pkg": module, "pkg.sub": sub})
    module.__dict__["sub"] = sub
    try:
        exec(compile(script, "script", "exec"), {"__name__": "__main__"})
    except (AssertionError, AttributeError, TypeError, ValueError) as error:
        return type(error).__name__
    finally:
        for name, old in saved.items():
            if old is None:
                del sys.modules[name]
            else:
                sys.modules[name] = old
    return "pass"


def test_assertions_at_module_level_are_numbered_in_their_order() -> None:
    assert ids("import pkg\nassert pkg.f(1) == 2\nassert pkg.f(2) == 3\n") == ["check_1", "check_2"]


def test_a_function_with_one_assertion_gives_its_own_name_and_with_several_numbers() -> None:
    source = """
    import pkg

    def check_1():
        assert pkg.f(1) == 2

    def check_2():
        assert pkg.f(2) == 3 and pkg.f(3) == 4
        assert pkg.f(4) == 5
    """
    assert ids(source) == ["check_1", "check_2.1", "check_2.2", "check_2.3"]


def test_named_functions_rule_over_assertions_at_module_level() -> None:
    source = """
    import pkg
    assert pkg.f(0) == 1
    def test_one():
        assert pkg.f(1) == 2
    """
    assert ids(source) == ["test_one"]


def test_a_function_without_assertion_has_only_to_end() -> None:
    case = lifted("import pkg\ndef check_2():\n    pkg.walk('//a')\n").checks[0]
    assert (case.id, case.kind) == ("check_2", "ends")


def test_a_script_without_assertion_has_its_calls_to_end() -> None:
    assert [case.kind for case in lifted("import pkg\nx = pkg.load('a')\npkg.dump(x)\n").checks] == ["ends"]


def test_the_runner_under_the_main_guard_is_no_part_of_any_check() -> None:
    source = """
    import pkg
    def check_1():
        assert pkg.f(1) == 2
    if __name__ == "__main__":
        failed = 0
        for name in sorted(n for n in dict(globals()) if n.startswith("check_")):
            globals()[name]()
    """
    case = lifted(source).checks[0]
    assert case.scenario
    assert "globals" not in case.script


def test_checks_that_only_the_main_guard_calls_are_found() -> None:
    source = """
    import pkg
    def main():
        assert pkg.f(1) == 2
        assert pkg.f(2) == 3
    if __name__ == "__main__":
        main()
    """
    assert ids(source) == ["check_1", "check_2"]


def test_a_loop_over_written_values_is_unrolled() -> None:
    source = "import pkg\nfor x, want in [(1, 2), (2, 3)]:\n    assert pkg.f(x) == want\n"
    found = lifted(source)
    assert [case.params for case in found.checks] == [
        {"dict": [["x", {"int": "0x1"}]]},
        {"dict": [["x", {"int": "0x2"}]]},
    ]
    assert len(found.scenarios) == 1


@pytest.mark.parametrize(
    "loop",
    [
        "for bad in ('', 'w'):\n    try:\n        got = pkg.f(bad)\n    except ValueError:\n        continue\n"
        "    raise AssertionError('accepted %r' % got)\n",
        "for bad in ('', 'w'):\n    try:\n        pkg.f(bad)\n    except ValueError:\n        pass\n    else:\n"
        "        raise AssertionError\n",
        "for bad in ('', 'w'):\n    try:\n        pkg.f(bad)\n        assert False, 'accepted'\n"
        "    except ValueError:\n        pass\n",
        "import pytest\nfor bad in ('', 'w'):\n    with pytest.raises(ValueError):\n        pkg.f(bad)\n",
        "for act in (lambda: pkg.f(''), lambda: pkg.f('w')):\n    try:\n        act()\n    except ValueError:\n"
        "        continue\n    raise AssertionError\n",
    ],
)
def test_every_way_to_say_that_something_must_raise_is_one_shape(loop: str) -> None:
    found = lifted(f"import pkg\n{loop}")
    assert [case.kind for case in found.checks] == ["raises", "raises"]
    assert [case.params["dict"][0][1] for case in found.checks] == ["", "w"]
    assert len(found.scenarios) == 1

    def raising(text: str) -> None:
        raise ValueError(text)

    for case in found.checks:
        assert verdict(case.script, f=raising) == "pass"
        assert verdict(case.script, f=str) == "AssertionError"


def test_a_failure_said_with_if_and_exit_is_an_assertion() -> None:
    source = "import sys\nimport pkg\ngot = pkg.f(1)\nif got != 2:\n    print('bad')\n    sys.exit(1)\n"
    case = lifted(source).checks[0]
    assert case.kind == "assert"
    assert verdict(case.script, f=lambda x: x + 1) == "pass"
    assert verdict(case.script, f=lambda x: x) == "AssertionError"


def test_a_call_of_a_judging_helper_is_a_check_of_its_own() -> None:
    source = """
    import pkg
    def roundtrip(a, b=2):
        got = pkg.f(a)
        assert got == b, (a, got)
    roundtrip(1)
    roundtrip(2, 3)
    """
    found = lifted(source)
    assert [case.id for case in found.checks] == ["check_1", "check_2"]
    assert "seen(program.f(" in found.scenarios[0].texts[0]


def test_other_assertions_are_left_out_of_a_script_and_set_up_stays() -> None:
    source = """
    import pkg
    s = pkg.make([1])
    assert s.size == 99
    s.add(2)
    other = pkg.make([7])
    assert s.size == 2
    """
    script = lifted(source).checks[1].script
    assert "s.add(2)" in script
    assert "99" not in script
    assert "other" not in script


def test_a_rebound_name_does_not_bring_what_it_stood_for_before() -> None:
    source = "import pkg\ngot = pkg.f(1)\nassert got == 1\ngot = pkg.f(2)\nassert got == 2\n"
    assert "pkg.f(1)" not in lifted(source).checks[1].script


def test_what_shares_an_object_stays_together() -> None:
    source = """
    import copy
    import pkg
    d = pkg.make([3])
    deep = copy.deepcopy(d)
    deep["a"].append(4)
    assert d["a"] == [3]
    """
    script = lifted(source).checks[0].script
    assert 'deep["a"].append(4)' in script


def test_a_helper_that_changes_a_shared_variable_stays_before_the_check() -> None:
    source = """
    import pkg
    warnings = []
    pkg.on_warning(warnings.append)
    def read(text):
        warnings.clear()
        return pkg.load(text)
    def check_1():
        read("A")
        assert warnings == []
    """
    script = lifted(source).checks[0].script
    assert 'read("A")' in script
    assert "pkg.on_warning(warnings.append)" in script


def test_a_change_to_an_object_of_the_package_stays_since_the_package_may_remember_it() -> None:
    source = """
    import pkg
    def check_1():
        first = pkg.make({})
        first.tags.append("mine")
        unused = pkg.make({"other": 1})
        assert pkg.make({}).tags == []
    """
    script = lifted(source).checks[0].script
    assert 'first.tags.append("mine")' in script
    assert "unused" not in script


def test_checks_inside_a_with_block_keep_the_block() -> None:
    source = """
    import tempfile
    import pkg
    with tempfile.TemporaryDirectory() as folder:
        x = pkg.open(folder)
        assert x.first() == 1
        x.step()
        assert x.second() == 2
    """
    found = lifted(source)
    assert [case.id for case in found.checks] == ["check_1", "check_2"]
    assert "with tempfile.TemporaryDirectory() as folder:" in found.checks[1].script
    assert "x.step()" in found.checks[1].script
    assert "x.first()" not in found.checks[1].script


def test_judgements_before_a_check_can_be_evaluated_instead_of_dropped() -> None:
    source = "import pkg\nd = pkg.stack([1, 2])\nassert d.pop() == 2\nassert d.pop() == 1\n"
    plain = lifted(source).checks[1].script
    evaluated = lifted(source, evaluated=frozenset({"check_2"})).checks[1].script
    assert verdict(plain, stack=list) == "AssertionError"
    assert verdict(evaluated, stack=list) == "pass"


def test_async_tests_run_in_a_loop_of_their_own() -> None:
    source = "import pkg\nasync def test_a():\n    got = await pkg.f(1)\n    assert got == 2\n"
    case = lifted(source).checks[0]

    async def double(value: int) -> int:
        return value * 2

    assert verdict(case.script, f=double) == "pass"
    assert "asyncio.run(run())" in case.options[0].text


def test_parameters_and_fixtures_of_pytest_become_set_up() -> None:
    source = """
    import pytest
    import pkg

    @pytest.fixture
    def base():
        return pkg.make(5)

    @pytest.mark.parametrize("x, want", [(1, 6), pytest.param(2, 7, id="two")])
    def test_add(base, x, want):
        assert base.add(x) == want
    """
    found = lifted(source)
    assert [case.id for case in found.checks] == ["test_add.1", "test_add.2"]

    def make(n: int) -> SimpleNamespace:
        return SimpleNamespace(add=lambda x: n + x)

    assert [verdict(case.script, make=make) for case in found.checks] == ["pass", "pass"]
    assert len(found.scenarios) == 1


def test_assertion_methods_of_unittest_are_plain_tests() -> None:
    source = """
    import unittest
    import pkg
    class TestIt(unittest.TestCase):
        def setUp(self):
            self.x = pkg.make(5)
        def test_a(self):
            self.assertEqual(self.x.value, 5)
            with self.assertRaises(ValueError):
                self.x.fail("no")
    """
    found = lifted(source)
    assert [case.id for case in found.checks] == ["TestIt.test_a.1", "TestIt.test_a.2"]

    def fail(_: str) -> None:
        raise ValueError

    def make(n: int) -> SimpleNamespace:
        return SimpleNamespace(value=n, fail=fail)

    assert [verdict(case.script, make=make) for case in found.checks] == ["pass", "pass"]


def test_what_pytest_raises_caught_can_be_judged_after_it() -> None:
    source = """
    import pytest
    import pkg
    def test_a():
        with pytest.raises(ValueError, match="n. good") as info:
            pkg.f(3)
        assert "3" in str(info.value)
    """
    found = lifted(source)
    assert [case.kind for case in found.checks] == ["raises", "assert", "assert"]

    def wrong(x: int) -> None:
        raise ValueError(f"no good {x}")

    def other(x: int) -> None:
        raise ValueError("other")

    assert [verdict(case.script, f=wrong) for case in found.checks] == ["pass", "pass", "pass"]
    assert [verdict(case.script, f=other) for case in found.checks] == [
        "pass",
        "AssertionError",
        "AssertionError",
    ]


def test_only_the_named_test_is_taken() -> None:
    source = "import pkg\ndef test_a():\n    assert pkg.f(1)\ndef test_b():\n    assert pkg.f(2)\n"
    assert ids(source, only="test_b") == ["test_b"]


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("def f(:\n", "INC010"),
        ("import pkg\nassert pkg.f(" + "(" * 3000 + "1" + ")" * 3001 + "\n", "INC010"),
        ("import pkg\nassert pkg.f(" + "not " * 600 + "1)\n", "INC010"),
        ("import pkg\nassert pkg.f(" + "-" * 20000 + "1)\n", "INC010"),
        ("import pkg\n", "INC011"),
        ("import pkg\ndef test_a(benchmark):\n    assert pkg.f(1)\n", "INC012"),
        ("import pkg\n@pytest.mark.skip\ndef test_a():\n    assert pkg.f(1)\n", "INC012"),
    ],
)
def test_what_cannot_be_lifted_is_refused_with_a_code(source: str, code: str) -> None:
    with pytest.raises(LiftingError) as caught:
        lifted(source)
    assert caught.value.code == code


def test_lifting_is_deterministic() -> None:
    source = "import pkg\nassert pkg.f({'a', 'b', 'c'}) == 1\nassert pkg.g({1: 2}) == {3, 4}\n"
    assert lifted(source) == lifted(source)


def test_an_assertion_beside_functions_that_check_is_told_as_left_out() -> None:
    found = lifted(
        """
        import pkg

        def check_1():
            assert pkg.f(1) == 2

        assert pkg.f(2) == 3
        """
    )
    assert [case.function for case in found.checks] == ["check_1"]
    assert [(name, line) for name, line, _ in found.unfit] == [("at module level", 7)]
