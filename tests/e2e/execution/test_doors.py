"""The other doors: traces, reproducers as scripts, and the generator box."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from authoring.execution import BoxRunner
from authoring.model.errors import RefusedError
from authoring.model.execution import (
    How,
    Hung,
    Limits,
    Observed,
    Program,
    Refused,
    Request,
    ScriptFailure,
    Watched,
)
from authoring.model.wire import decode, encode

HOW = How(limits=Limits(call_cpu_s=0.2))
SOURCE = """
class Odd(ValueError):
    pass


def outer(n):
    if n < 0:
        raise Odd(n)
    return sum(inner(i) for i in range(n))


def inner(i):
    return i * 2
"""
SCENARIOS = "def call(program, p, seen):\n    seen(program.outer(p['n']))\n"
SUBJECT = Program(SOURCE, "sample", SCENARIOS)


def request(n: int) -> Request:
    return Request("call", encode({"n": n}))


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_a_trace_tells_lines_events_and_frames_alike_on_every_interpreter(
    runner: BoxRunner, python: str
) -> None:
    how = How(limits=Limits(call_cpu_s=0.2), python=python)
    good, bad = runner.trace(SUBJECT, [request(2), request(-1)], how, with_frames=True)
    assert good.outcome == Observed(({"value": encode(2)},))
    assert good.lines == {"sample.py": frozenset({7, 9, 13})}
    assert 6 in good.import_lines["sample.py"]
    names = [frame.qualname for frame in good.frames]
    assert names[0] == "outer" and names.count("inner") == 2
    first = good.frames[0]
    assert (first.file, first.line, first.parent) == ("sample.py", 6, -1)
    assert (first.args, first.result, first.has_result) == (encode({"n": 2}), encode(2), True)
    inner = good.frames[names.index("inner")]
    assert good.frames[inner.parent].qualname in ("outer", "outer.<locals>.<genexpr>")
    assert bad.frames[0].raised == "Odd" and not bad.frames[0].has_result
    assert bad.line_events < good.line_events
    plain = runner.trace(SUBJECT, [request(2), request(-1)], how)
    assert [replace(one, frames=()) for one in (good, bad)] == plain


def test_a_trace_of_a_hang_ends_and_the_rest_goes_on(runner: BoxRunner) -> None:
    source = "def outer(n):\n    while n: pass\n    return n\n"
    how = How(limits=Limits(call_cpu_s=0.05))
    hung, good = runner.trace(Program(source, "sample", SCENARIOS), [request(1), request(0)], how)
    assert hung.outcome == Hung()
    assert good.outcome == Observed(({"value": encode(0)},))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    package = tmp_path / "tree" / "sample_package"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from .inner import f\n")
    (package / "inner.py").write_text(
        "class Odd(Exception):\n    pass\n\n\ndef f(n):\n    if n > 3:\n        raise Odd('too much')\n    return n\n"
    )
    (package / "broken.py").write_text("1 / 0\n")
    return package.parent


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        (
            "import sample_package\nsample_package.f(9)\n",
            ScriptFailure("sample_package.inner.Odd", "too much", "sample_package/inner.py", "f", False),
        ),
        (
            "def main():\n    assert 1 == 2, 'no'\nmain()\n",
            ScriptFailure("AssertionError", "no", "repro.py", "main", False),
        ),
        (
            "import sample_package.broken\n",
            ScriptFailure(
                "ZeroDivisionError", "division by zero", "sample_package/broken.py", "<module>", True
            ),
        ),
        ("raise SystemExit(2)\n", ScriptFailure("SystemExit", "2", "repro.py", "<module>", False)),
    ],
)
def test_a_script_fails_by_type_and_innermost_frame(
    runner: BoxRunner, tree: Path, text: str, failure: ScriptFailure
) -> None:
    run = runner.script(tree, text, HOW)
    assert (run.verdict, run.failure) == ("fail", failure)


def test_a_script_that_ends_passes_and_names_the_modules_that_it_loaded(
    runner: BoxRunner, tree: Path
) -> None:
    text = "if __name__ == '__main__':\n    import sample_package\n    assert sample_package.f(1) == 1\n"
    run = runner.script(tree, text, HOW)
    assert (run.verdict, run.imported) == ("pass", ("sample_package", "sample_package.inner"))


def test_a_script_that_hangs_dies_or_connects_is_told_apart(runner: BoxRunner, tree: Path) -> None:
    assert runner.script(tree, "while True: pass\n", HOW).verdict == "hung"
    assert (
        runner.script(tree, "import time\ntime.sleep(60)\n", How(limits=Limits(run_s=0.5))).verdict == "hung"
    )
    assert runner.script(tree, "import os\nos._exit(0)\n", HOW).verdict == "died"
    run = runner.script(tree, "import socket\nsocket.create_connection(('127.0.0.1', 9))\n", HOW)
    assert run.failure is not None and run.failure.type == "PermissionError"


DOMAIN = """
from hypothesis import strategies as st
SEEN = {}
def words(constants):
    return st.fixed_dictionaries({
        "n": st.integers(0, constants["most"]),
        "text": st.lists(st.sampled_from(["a", "/", "é"]), max_size=9).map("".join),
    })
def few(constants):
    return st.fixed_dictionaries({"n": st.integers(0, 3)})
def bad(constants):
    return st.fixed_dictionaries({"n": st.builds(object)})
def failing(constants):
    raise KeyError("nothing here")
def greedy(constants):
    return st.builds(lambda: {"n": [0] * (1 << 40)})
"""


def test_the_same_seed_draws_the_same_distinct_values(runner: BoxRunner) -> None:
    constants = encode({"most": 1000})
    first = runner.draw(DOMAIN, "words", 50, 7, HOW, constants)
    assert len(first) == 50 == len({str(value) for value in first})
    with BoxRunner() as other:
        assert other.draw(DOMAIN, "words", 50, 7, How(python="3.12", limits=HOW.limits), constants) == first
    assert runner.draw(DOMAIN, "words", 50, 8, HOW, constants) != first
    assert runner.draw(DOMAIN, "words", 0, 7, HOW, constants) == []


def test_a_finite_domain_gives_all_that_it_has(runner: BoxRunner) -> None:
    values = runner.draw(DOMAIN, "few", 50, 1, HOW)
    assert sorted(str(value) for value in values) == sorted(str(encode({"n": n})) for n in range(4))


@pytest.mark.parametrize("scenario", ["bad", "failing", "greedy", "absent"])
def test_a_domain_that_fails_is_a_refusal(runner: BoxRunner, scenario: str) -> None:
    with pytest.raises(RefusedError) as caught:
        runner.draw(DOMAIN, scenario, 5, 1, HOW)
    assert caught.value.code == "EXE013"


def test_shrinking_finds_the_simplest_wanted_value_of_the_domain_and_asks_of_each_once(
    runner: BoxRunner,
) -> None:
    asked: list[str] = []

    def is_wanted(wire: Any) -> bool:
        asked.append(str(wire))
        value = decode(wire)
        return value["n"] >= 17 and "/" in value["text"]

    constants = encode({"most": 1000})
    assert runner.shrink(DOMAIN, "words", is_wanted, 400, 3, HOW, constants) == encode({"n": 17, "text": "/"})
    assert len(asked) == len(set(asked)) <= 400
    first, asked[:] = list(asked), []
    with BoxRunner() as other:
        other.shrink(DOMAIN, "words", is_wanted, 400, 3, How(python="3.12", limits=HOW.limits), constants)
    assert asked == first


def test_shrinking_keeps_to_its_tries_and_tells_when_nothing_is_wanted(runner: BoxRunner) -> None:
    constants = encode({"most": 1000})
    asked: list[Any] = []

    def is_large(wire: Any) -> bool:
        asked.append(wire)
        return bool(decode(wire)["n"] > 100)

    found = runner.shrink(DOMAIN, "words", is_large, 12, 3, HOW, constants)
    assert len(asked) == 12 and found in asked and decode(found)["n"] > 100
    assert runner.shrink(DOMAIN, "few", lambda wire: False, 50, 3, HOW) is None
    with pytest.raises(RefusedError, match="nothing here"):
        runner.shrink(DOMAIN, "failing", lambda wire: True, 5, 1, HOW)
    with pytest.raises(ZeroDivisionError):
        runner.shrink(DOMAIN, "few", lambda wire: bool(1 // 0), 5, 1, HOW)
    assert runner.draw(DOMAIN, "few", 50, 1, HOW)


def test_mutated_values_are_new_near_the_given_ones_and_the_same_wherever_they_are_made(
    runner: BoxRunner,
) -> None:
    given = [encode({"n": 5, "text": "a/b", "flag": True}), encode({"n": 90, "text": "zz", "flag": False})]
    values = runner.mutate(given, 30, 7, HOW)
    assert len(values) == 30 == len({str(value) for value in [*values, *given]}) - 2
    seen = [decode(value) for value in values]
    assert all(value.keys() == {"n", "text", "flag"} for value in seen)
    assert {value["n"] for value in seen} <= {m for n in (5, 90) for m in (n, n + 1, n - 1, -n, 2 * n)}
    with BoxRunner() as other:
        assert other.mutate(given, 30, 7, How(python="3.12", limits=HOW.limits)) == values
    crossed = runner.mutate(
        given, 60, 7, HOW, domain=DOMAIN, scenario="words", constants=encode({"most": 1000})
    )
    assert {decode(value)["n"] for value in crossed} - {value["n"] for value in seen}
    assert runner.mutate([], 5, 1, HOW) == []


def test_a_domain_that_reaches_out_reaches_nothing(runner: BoxRunner) -> None:
    text = (
        "import os\ndef words(constants):\n    os.write(os.open('/gen/x', os.O_CREAT | os.O_WRONLY), b'')\n"
    )
    with pytest.raises(RefusedError, match="Read-only"):
        runner.draw(text, "words", 5, 1, HOW)


def test_a_lost_server_is_replaced_and_counted(runner: BoxRunner) -> None:
    with BoxRunner() as own:
        subject = Program("def outer(n): return n\n", "sample", SCENARIOS)
        assert own.observe(subject, [request(1)], HOW) == [Observed(({"value": encode(1)},))]
        for server in own.servers():
            server.kill()
        assert own.observe(subject, [request(1)], HOW) == [Observed(({"value": encode(1)},))]
        assert own.restarts == 1


def test_requests_that_name_no_scenario_die_alone(runner: BoxRunner) -> None:
    subject = Program("def outer(n): return n\n", "sample", SCENARIOS)
    nothing, good = runner.observe(subject, [Request("absent", encode({})), request(1)], HOW)
    assert isinstance(nothing, Refused) and nothing.code == "EXE015"
    assert good == Observed(({"value": encode(1)},))


@pytest.mark.parametrize("python", ["3.11", "3.12"])
def test_a_watched_function_alone_is_told_with_its_data_and_what_its_objects_hold(
    runner: BoxRunner, python: str
) -> None:
    source = (
        "class Box:\n    __slots__ = ('size', 'handle')\n\n    def __init__(self, size):\n"
        "        self.size, self.handle = size, object()\n\n    def fits(self, n, *rest, strict=True):\n"
        "        return n < self.size\n\n\ndef outer(n):\n    return Box(3).fits(n, 'a') and Box(2).fits(n)\n"
    )
    how = How(limits=Limits(call_cpu_s=0.2), python=python)
    (traced,) = runner.trace(Program(source, "sample", SCENARIOS), [request(1)], how, Watched("sample.py", 7))
    assert traced.outcome == Observed(({"value": True},)) and not traced.lines
    first, second = traced.frames
    assert (first.qualname, first.line, first.result) == ("Box.fits", 7, True)
    assert decode(first.args) == {"n": 1, "strict": True, "rest": ("a",)}
    (held,) = first.objects
    assert (held.name, held.type, decode(held.attributes)) == ("self", "sample:Box", {"size": 3})
    assert decode(second.objects[0].attributes) == {"size": 2}
