"""Laws of steps: operations on one object become one parameter, where nothing else happens in between."""

import textwrap
from types import SimpleNamespace
from typing import Any

import pytest

from authoring.model.wire import decode
from authoring.scenario.lifting import Lifted, lift
from authoring.scenario.lifting.steps import EXAMPLES

MODULES = {"pkg", "pkg.sub"}


def lifted(source: str, **options: Any) -> Lifted:
    return lift(textwrap.dedent(source), "pkg", MODULES.__contains__, **options)


def params_of(found: Lifted, check: str) -> Any:
    return decode(found.case(check).params)


def steps_of(source: str, **options: Any) -> list[Any]:
    found = lifted(source, **options)
    return [params_of(found, case.id).get("steps") for case in found.checks]


class Queue:
    """A stand-in for the package's class."""

    def __init__(self) -> None:
        self.items: list[Any] = []

    def put(self, *items: Any, times: int = 1) -> None:
        """Append items."""
        self.items += items * times

    def get(self) -> Any:
        """Take the first item."""
        return self.items.pop(0)

    def __len__(self) -> int:
        return len(self.items)

    def __setitem__(self, at: int, item: Any) -> None:
        self.items[at] = item

    def __delitem__(self, at: int) -> None:
        del self.items[at]


def observed(found: Lifted, check: str, **changed: Any) -> list[Any]:
    """Call a check's scenario on the stand-in; the text is of our own making."""
    case = found.case(check)
    scope: dict[str, Any] = {}
    exec(compile(case.options[0].text, "scenarios", "exec"), scope)
    seen: list[Any] = []
    scope[case.scenario](SimpleNamespace(Queue=Queue), {**decode(case.params), **changed}, seen.append)
    return seen


@pytest.mark.parametrize(("before", "after"), EXAMPLES)
def test_examples(before: str, after: str) -> None:
    (scenario,) = lifted(before).scenarios
    assert scenario.texts[0] == after


QUEUE = """
from pkg import Queue

def test_order():
    q = Queue()
    q.put(1)
    q.put(2, 3, times=2)
    q.get()
    q[0] = 7
    del q[1]
    assert len(q) == 3

def test_one():
    q = Queue()
    q.put(5)
    assert len(q) == 1
"""


def test_steps_do_what_the_statements_did_and_others_can_be_done() -> None:
    found = lifted(QUEUE)
    assert len(found.scenarios) == 1, "one operation alone is steps where another check has several"
    assert params_of(found, "test_order") == {
        "steps": [
            ["put", [1], {}],
            ["put", [2, 3], {"times": 2}],
            ["get", [], {}],
            ["__setitem__", [0, 7], {}],
            ["__delitem__", [1], {}],
        ]
    }
    assert observed(found, "test_order") == [3]
    assert observed(found, "test_one") == [1]
    assert observed(found, "test_one", steps=[["put", [0], {"times": 4}], ["get", [], {}]]) == [3]
    assert observed(found, "test_one", steps=[]) == [0]


def test_a_step_can_name_no_method_that_the_reproducer_does_not_call() -> None:
    with pytest.raises(KeyError):
        observed(lifted(QUEUE), "test_one", steps=[["clear", [], {}]])


def test_a_constant_is_put_in_by_its_value_and_its_line_goes() -> None:
    source = """
    from pkg import Queue
    first = "a"
    q = Queue()
    q.put(first)
    second = "b"
    q.put(second)
    assert q.get() == "a"
    """
    found = lifted(source)
    assert params_of(found, "check_1") == {"steps": [["put", ["a"]], ["put", ["b"]]]}
    assert "first" not in found.scenarios[0].texts[0]


def test_every_binding_of_a_variable_is_an_object_of_its_own() -> None:
    source = """
    from pkg import Queue, Stack
    q = Queue()
    q.put(1)
    q.put(2)
    q = Stack()
    q.push(1)
    q.pop()
    assert q.size() == 0
    """
    (scenario,) = lifted(source).scenarios
    assert 'methods = {"put": q.put}' in scenario.texts[0]
    assert 'methods = {"push": q.push, "pop": q.pop}' in scenario.texts[0]
    assert params_of(lifted(source), "check_1") == {
        "steps": [["put", [1]], ["put", [2]]],
        "steps2": [["push", [1]], ["pop", []]],
    }


@pytest.mark.parametrize(
    "between",
    [
        "other.put(2)",
        "print(q)",
        "x = q.get()\nq.put(x)",
        "q.put(lambda: 1)",
        "q.put(*[1])",
        "q.limit = 3",
        "if q:\n    q.get()",
        "q.inner.put(1)",
    ],
)
def test_what_else_happens_in_between_ends_the_steps(between: str) -> None:
    source = f"from pkg import Queue\nother = Queue()\nq = Queue()\nq.put(1)\n{between}\nq.put(2)\nassert q.get() == 1\n"
    assert steps_of(source) == [None]


@pytest.mark.parametrize(
    "made", ["q = []", "q = dict()", "q = [Queue() for _ in 'a'][0]", "for q in [Queue()]:\n    pass"]
)
def test_only_an_object_that_a_call_of_the_package_gave_takes_steps(made: str) -> None:
    source = f"from pkg import Queue, show\n{made}\nq.append(1)\nq.append(2)\nassert show(q) == 1\n"
    assert steps_of(source) == [None]


EVALUATED = """
from pkg import Queue
q = Queue()
q.put(1)
q.put(2)
assert q.get() == 1
assert len(q) == 1 and not q.get() == 3
q.put(3)
assert q.get() == 3
"""


def test_what_an_earlier_assertion_does_is_a_step_and_what_it_only_asks_is_none() -> None:
    last = frozenset(["check_4"])
    assert steps_of(EVALUATED, evaluated=last)[3] == [
        ["put", [1]],
        ["put", [2]],
        ["get", []],
        ["get", []],
        ["put", [3]],
    ]
    assert observed(lifted(EVALUATED, evaluated=last), "check_4") == [3]


def test_a_call_that_had_to_raise_is_no_step() -> None:
    source = """
    import pytest
    from pkg import Queue
    def test_full():
        q = Queue()
        q.put(1)
        q.put(2)
        with pytest.raises(ValueError):
            q.put(3)
        q.put(4)
        q.put(5)
        assert q.get() == 1
    """
    found = lifted(source, evaluated=frozenset(["test_full.1", "test_full.2"]))
    assert params_of(found, "test_full.2")["steps"] == [["put", [1]], ["put", [2]]]
    assert params_of(found, "test_full.2")["steps2"] == [["put", [4]], ["put", [5]]]


def test_in_checks_that_are_left_plain_the_statements_stay() -> None:
    found = lifted(QUEUE, plain=frozenset(["test_order"]))
    assert [case.has_steps for case in found.checks] == [False, False]
    assert "q.put(" in found.case("test_order").options[0].text
    assert [case.has_steps for case in lifted(QUEUE).checks] == [True, True]


def test_variables_of_the_loop_hide_none_of_the_reproducers() -> None:
    source = """
    from pkg import Queue, label
    q = Queue()
    name = q.label()
    q.put(1)
    q.put(2)
    label(q, name)
    assert q.get() == 1
    """
    assert 'for name_of_step, args in p["steps"]' in lifted(source).scenarios[0].texts[0]
