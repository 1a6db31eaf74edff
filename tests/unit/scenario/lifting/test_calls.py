"""What a scenario records of the calls back: of which functions, what of each call, and how that is taken away again."""

from types import SimpleNamespace
from typing import Any

import libcst as cst
import pytest

from authoring.scenario.lifting.calls import weaker_calls, with_calls
from authoring.scenario.lifting.handed import handed_over


def handed(body: str) -> set[str]:
    text = "def f(program, p, seen):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    function = cst.parse_module(text).body[0]
    assert isinstance(function, cst.FunctionDef)
    return set(handed_over(function).names.values())


CLASS = "class Store:\n    def fetch(self, key):\n        return key\n    def __call__(self, key):\n        return key\n"


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("seen(program.f(lambda x: x))", {"callback"}),
        ("seen(program.f(key=lambda x: x))", {"key"}),
        ("def load(x):\n    return x\nseen(program.f(load))", {"load"}),
        ("async def load(x):\n    return x\nseen(program.f(load))", {"load"}),
        ("load = lambda x: x\ncache = program.Cache(1)\nseen(cache.get(load))", {"load"}),
        (CLASS + "store = Store()\nseen(program.f(store.fetch))", {"fetch"}),
        (CLASS + "store = Store()\nseen(program.f(store))", {"Store"}),
        (CLASS + "seen(program.f(Store().fetch))", {"fetch"}),
        ("got = []\nprogram.f(got.append)\nseen(len(got))", {"append"}),
        ("seen(program.f({'on': lambda x: x, 'off': [lambda x: x]}))", {"on", "off"}),
        ("seen(program.f(functools.partial(lambda x, y: x, 1)))", {"callback"}),
        ("app = program.App()\n@app.route('/')\ndef view(x):\n    return x\nseen(app.run())", {"view"}),
        ("app = program.App()\napp.hook = lambda x: x\nseen(app.run())", {"hook"}),
        ("def call(f):\n    return program.f(f)\nseen(call(lambda x: x))", {"callback"}),
        ("seen(sorted(program.f(1), key=lambda x: x))", set()),
        ("got = program.f(1)\ngot.sort(key=lambda x: x)\nseen(got)", set()),
        ("def own(x):\n    return x\nseen(own(program.f(1)))", set()),
        ("seen(program.f(map(lambda x: x, [1])))", set()),
        (CLASS + "seen(program.f(Store().name))", set()),
    ],
)
def test_what_is_handed_over_is_what_the_package_can_call(body: str, names: set[str]) -> None:
    assert handed(body) == names


def observed(text: str, program: object, **p: Any) -> list[Any]:
    space: dict[str, Any] = {}
    exec(text, space)
    found: list[Any] = []
    try:
        space["f"](program, p, found.append)
    except ValueError as error:
        found.append(type(error).__name__)
    return found


TEXT = 'def f(program, p, seen):\n    seen(program.take(p["a"], key=lambda x: x % 10))\n'


def takes(again: int = 1, *, back: bool = False) -> SimpleNamespace:
    def take(items: list[int], key: Any) -> list[int]:
        marks = [key(item) for item in (items[::-1] if back else items) for _ in range(again)]
        return sorted(set(marks))

    return SimpleNamespace(take=take)


def test_calls_are_told_apart_as_strictly_as_the_form_says_where_the_results_are_equal() -> None:
    ordered, _, unordered, _, counted = with_calls(TEXT)
    programs = {"once": takes(), "twice": takes(2), "never": takes(0), "back": takes(back=True)}
    told = {
        name: [observed(text, program, a=[11, 2]) for text in (ordered, unordered, counted)]
        for name, program in programs.items()
    }
    assert told["once"][0] == [[["key", 11], ["key", 2]], [1, 2]]
    assert told["once"][1] == [[["key", 11], ["key", 2]], [1, 2]]
    assert told["once"][2] == [{"key": 2}, [1, 2]]
    assert all(once != twice for once, twice in zip(told["once"], told["twice"], strict=True))
    assert told["never"][2][0] == {}
    differs = [one != other for one, other in zip(told["once"], told["back"], strict=True)]
    assert differs == [True, False, False]


def test_what_a_function_was_given_is_kept_as_it_was_then() -> None:
    def fill(note: Any) -> int:
        rows: list[int] = []
        for row in (1, 2):
            rows.append(row)
            note(rows)
        return len(rows)

    (text, *_) = with_calls("def f(program, p, seen):\n    seen(program.fill(lambda rows: None))\n")
    assert observed(text, SimpleNamespace(fill=fill)) == [[["callback", [1]], ["callback", [1, 2]]], 2]


def test_calls_before_what_must_raise_are_observed() -> None:
    def fail(note: Any) -> None:
        note(1)
        raise ValueError

    texts = (
        "def f(program, p, seen):\n    seen(program.fail(lambda x: x))\n",
        "def f(program, p, seen):\n    program.fail(lambda x: x)\n    seen(None)\n",
    )
    for text in texts:
        (made, *_) = with_calls(text, is_raising=True)
        assert observed(made, SimpleNamespace(fail=fail)) == [[["callback", 1]], "ValueError"]


def test_a_recorder_that_is_observed_as_it_is_needs_no_second_record() -> None:
    recorder = (
        "def f(program, p, seen):\n    got = []\n    program.f(lambda x: got.append(x))\n    seen({})\n"
    )
    assert with_calls(recorder.format("got")) == ()
    assert with_calls(recorder.format("len(got)")) != ()


def test_a_function_stays_what_it_is_to_whoever_looks_at_it() -> None:
    text = (
        "def f(program, p, seen):\n    async def load(key, *rest, at=1, **more):\n        return key\n\n"
        "    seen(program.f(load))\n"
    )
    (made, *_) = with_calls(text)
    assert "async def load(key, *rest, at=1, **more):" in made
    assert 'called("load", key, rest, at, more)' in made


def test_names_of_the_scenario_are_not_taken() -> None:
    text = "def f(program, p, seen):\n    calls = 1\n    result = 2\n    seen(program.f(lambda x: calls + result))\n"
    (made, *_) = with_calls(text)
    assert "seen(calls_2)\n    seen(result_2)\n" in made


def test_less_and_less_of_the_calls_is_observed_and_at_last_nothing() -> None:
    ordered, _, unordered, _, counted = with_calls(TEXT)
    steps = dict(weaker_calls(ordered))
    assert list(steps) == ["order of calls", "arguments of calls", "calls"]
    assert (steps["order of calls"], steps["arguments of calls"]) == (unordered, counted)
    assert observed(steps["calls"], takes(), a=[11, 2]) == [[1, 2]]
    assert "called" not in steps["calls"] and "plain" not in steps["calls"]
    assert [words for words, _ in weaker_calls(unordered)] == ["arguments of calls", "calls"]
    assert [words for words, _ in weaker_calls(counted)] == ["calls"]
    assert list(weaker_calls(TEXT)) == []


def test_what_must_raise_stands_alone_again_without_the_calls() -> None:
    text = "def f(program, p, seen):\n    seen(program.fail(lambda x: x))\n"
    *_, (_, without) = weaker_calls(with_calls(text, is_raising=True)[0])
    assert without == "def f(program, p, seen):\n    result = program.fail(lambda x: x)\n    seen(result)\n"


def test_a_function_of_the_scenarios_own_is_not_taken_for_what_records() -> None:
    own = "def f(program, p, seen):\n    got = []\n\n    def note(*call):\n        got.append(call)\n\n"
    assert list(weaker_calls(own + "    note(program.f(1))\n    seen(got)\n")) == []
    assert (
        list(weaker_calls(own.replace("note", "called") + "    called(program.f(1))\n    seen(None)\n")) == []
    )
