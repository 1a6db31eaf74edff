"""What scenarios see is the same in a fresh box and through the warm server, and is what the program did."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from authoring.execution import BoxRunner
from authoring.model.execution import (
    Died,
    How,
    Hung,
    Limits,
    Observed,
    ObservedTypes,
    Outcome,
    Package,
    Perturbation,
    Program,
    Refused,
    Request,
)
from authoring.model.wire import encode

WARM = How(limits=Limits(call_cpu_s=0.2, call_s=5.0))
FRESH = How(limits=Limits(call_cpu_s=0.2, call_s=5.0), fresh=True)
BOTH = pytest.mark.parametrize("how", [WARM, FRESH], ids=["warm", "fresh"])

CALL = "def call(program, p, seen):\n    seen(program.f(**p))\n"


def run(
    runner: BoxRunner,
    how: How,
    source: str,
    *params: dict[str, Any],
    scenarios: str = CALL,
    types: Any = None,
) -> list[Outcome]:
    subject = Program(source, "sample", scenarios, types or ObservedTypes())
    return runner.observe(subject, [Request("call", encode(each)) for each in params or ({},)], how)


def value(outcome: Outcome) -> Any:
    assert isinstance(outcome, Observed), outcome
    return outcome.observations[-1]


@BOTH
@pytest.mark.parametrize("lines", [0, 300], ids=["short", "long"])
def test_a_program_can_read_its_own_source(runner: BoxRunner, how: How, lines: int) -> None:
    """Decorators that rewrite a function read it first; where it stands is the same however it was compiled."""
    filling = "".join(f"FILLING_{n} = {n}\n" for n in range(lines))
    source = (
        f"import inspect\nimport sys\n{filling}\n\ndef twice(x):\n    return 2 * x\n\n\n"
        "class Box:\n    def line(self):\n        return [sys._getframe().f_lineno for _ in range(1)]\n\n\n"
        "def f():\n    return inspect.getsource(twice), Box().line(), f.__code__.co_firstlineno\n"
    )
    (outcome,) = run(runner, how, source)
    told = ("def twice(x):\n    return 2 * x\n", [lines + 11], lines + 14)
    assert value(outcome) == {"value": encode(told)}


@BOTH
def test_values_cross_as_they_are(runner: BoxRunner, how: How) -> None:
    source = """
import datetime, decimal, fractions, uuid
def f(name):
    return {
        "set": {"b", "\\u00e9", "a", 10, 9},
        "floats": [0.0, -0.0, 1.5, float("inf"), float("nan"), 5e-324],
        "decimal": decimal.Decimal("1.50"),
        "fraction": fractions.Fraction(-1, 3),
        "time": datetime.datetime(2024, 2, 29, 1, tzinfo=datetime.timezone.utc),
        "uuid": uuid.UUID(int=7),
        "bytes": (b"\\x00", frozenset({(1, 2)}), complex(1, -0.0), None, True, -500, "\\ud800"),
    }[name]
"""
    names = ("set", "floats", "decimal", "fraction", "time", "uuid", "bytes")
    scope: dict[str, Any] = {}
    exec(compile(source, "<sample>", "exec"), scope)
    outcomes = run(runner, how, source, *({"name": name} for name in names))
    for name, outcome in zip(names, outcomes, strict=True):
        assert value(outcome) == {"value": encode(scope["f"](name))}


@BOTH
def test_an_exception_is_its_first_class_that_the_contract_names_or_that_is_built_in(
    runner: BoxRunner, how: How
) -> None:
    source = """
class Base(ValueError): pass
class Own(Base): pass
def f(kind): raise {"own": Own("o"), "key": KeyError("k"), "exit": SystemExit(3), "deep": RecursionError()}[kind]
"""
    params = tuple({"kind": kind} for kind in ("own", "key", "exit", "deep"))
    seen = [value(outcome)["raised"] for outcome in run(runner, how, source, *params)]
    assert seen == [{"type": name} for name in ("ValueError", "KeyError", "SystemExit", "RecursionError")]
    types = ObservedTypes(raises=("Base",), messages=True)
    assert value(run(runner, how, source, params[0], types=types)[0])["raised"] == {
        "type": "Base",
        "message": "o",
    }


@BOTH
def test_changed_arguments_and_every_observation_before_an_exception_are_kept(
    runner: BoxRunner, how: How
) -> None:
    source = "def f(items):\n    items.append(1)\n    raise IndexError\n"
    scenarios = "def call(program, p, seen):\n    seen('before')\n    program.f(p['items'])\n"
    (outcome,) = run(runner, how, source, {"items": []}, scenarios=scenarios)
    assert isinstance(outcome, Observed)
    assert outcome.observations == (
        {"value": "before"},
        {"raised": {"type": "IndexError"}, "args_after": encode({"items": [1]})},
    )


@BOTH
def test_a_hang_or_a_death_ends_one_request_and_the_rest_goes_on(runner: BoxRunner, how: How) -> None:
    source = """
import os
def f(x):
    while x == "hang": pass
    if x == "die": os._exit(0)
    if x == "kill": os.kill(os.getpid(), 9)
    return x
"""
    outcomes = run(runner, how, source, *({"x": x} for x in ("a", "hang", "b", "die", "c", "kill", "d")))
    kinds = [type(outcome) for outcome in outcomes]
    assert kinds == [Observed, Hung, Observed, Died, Observed, Died, Observed]
    assert [value(outcome)["value"] for outcome in outcomes[::2]] == ["a", "b", "c", "d"]


@BOTH
def test_a_hang_in_c_or_with_every_signal_ignored_is_a_hang(runner: BoxRunner, how: How) -> None:
    source = """
import collections, itertools, signal
def f(kind):
    if kind == "ignore":
        for number in signal.valid_signals():
            try: signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError): pass
        while True: pass
    collections.deque(itertools.repeat(0), maxlen=0)
"""
    limited = How(limits=Limits(call_cpu_s=0.1, call_s=0.5), fresh=how.fresh)
    assert run(runner, limited, source, {"kind": "c"}, {"kind": "ignore"}) == [Hung(), Hung()]


@BOTH
def test_a_program_that_does_not_come_up_says_why(runner: BoxRunner, how: How) -> None:
    (broken,) = run(runner, how, "import nothing_of_this_name\n")
    assert broken == Died("import: ModuleNotFoundError", broken.detail if isinstance(broken, Died) else "")
    assert isinstance(broken, Died) and "nothing_of_this_name" in broken.detail
    (missing,) = run(runner, how, "g = 1\n")
    assert missing == Died("missing names", "f")
    (gone,) = run(runner, how, "import os\nos._exit(0)\n")
    assert gone == Died("import: the process ended")
    limited = How(limits=Limits(import_s=0.3), fresh=how.fresh)
    assert run(runner, limited, "while True: pass\n") == [Died("import: late")]


@BOTH
@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("object()", "EXE011"),
        ("[[1], iter([])]", "EXE011"),
        ("type('L', (list,), {})()", "EXE011"),
        ("type('L', (list,), {'__eq__': lambda s, o: True, '__hash__': None})()", "EXE014"),
        ("1 << 5000", "EXE011"),
        ("'x' * (5 << 20)", "EXE012"),
        ("['y' * (1 << 19)] * 20", "EXE012"),
    ],
)
def test_what_has_no_wire_form_is_a_coded_refusal(
    runner: BoxRunner, how: How, expression: str, code: str
) -> None:
    source = f"def f(n):\n    return {expression} if n == 0 else n\n"
    refused, after = run(runner, how, source, {"n": 0}, {"n": 1})
    assert isinstance(refused, Refused) and refused.code == code
    assert value(after) == {"value": encode(1)}


@BOTH
def test_a_refused_value_is_not_swallowed_by_the_scenario(runner: BoxRunner, how: How) -> None:
    scenarios = (
        "def call(program, p, seen):\n    try: seen(program.f())\n    except Exception: pass\n    seen(1)\n"
    )
    (outcome,) = run(runner, how, "def f(): return object()\n", scenarios=scenarios)
    assert isinstance(outcome, Refused)


@BOTH
def test_a_value_that_contains_itself_is_refused(runner: BoxRunner, how: How) -> None:
    (outcome,) = run(runner, how, "def f():\n    a = []\n    a.append(a)\n    return a\n")
    assert isinstance(outcome, Refused) and "deeply" in outcome.message


@BOTH
def test_records_enums_iterators_and_handles_cross_where_the_contract_names_them(
    runner: BoxRunner, how: How
) -> None:
    source = """
import collections, dataclasses, enum
@dataclasses.dataclass
class Point:
    x: int
    y: list
    def __getattribute__(self, name): raise RuntimeError(name)
@dataclasses.dataclass
class Slotted:
    __slots__ = ("x",)
    x: int
Pair = collections.namedtuple("Pair", "left right")
class Colour(enum.Enum):
    RED = 1
class Thing: pass
def numbers():
    yield 1
    yield 2
thing = Thing()
def f():
    records = [Point(1, [2]), Slotted(3), Pair("a", "b"), Colour.RED]
    return [*records, numbers(), thing, Thing(), thing, map(abs, range(9))]
"""
    types = ObservedTypes(
        records=("Point", "Slotted", "Pair"), enums=("Colour",), handles=("Thing",), iterators=3
    )
    (outcome,) = run(runner, how, source, types=types)
    one, two, three = encode(1), encode(2), encode(3)
    zero = encode(0)
    assert value(outcome)["value"]["list"] == [
        {"record": ["Point", [["x", one], ["y", {"list": [two]}]]]},
        {"record": ["Slotted", [["x", three]]]},
        {"record": ["Pair", [["left", "a"], ["right", "b"]]]},
        {"enum": ["Colour", "RED"]},
        {"iter": [[one, two], True]},
        {"handle": 0},
        {"handle": 1},
        {"handle": 0},
        {"iter": [[zero, one, two], False]},
    ]
    (refused,) = run(runner, how, source)
    assert isinstance(refused, Refused)


@BOTH
def test_injected_functions_are_answered_by_the_parent_in_order(runner: BoxRunner, how: How) -> None:
    source = "def f(clock, n):\n    return [clock('tick', i) for i in range(n)]\n"
    subject = Program(source, "sample", CALL)
    doubles = (("now", (encode(10), encode(20))),)

    def request(n: int) -> Request:
        params = {"dict": [["clock", {"double": "now"}], ["n", encode(n)]]}
        return Request("call", params, doubles)

    good, greedy = runner.observe(subject, [request(2), request(3)], how)
    calls = [["now", ["tick", encode(0)]], ["now", ["tick", encode(1)]]]
    assert value(good) == {"value": encode([10, 20]), "calls": calls}
    assert greedy == Died("an injected function was called more often than it has answers")


WAITING = """
def f(now, sleep, until):
    naps = 0
    while now() < until:
        sleep(600.5)
        naps += 1
    return naps, now()
"""


@BOTH
def test_a_timeline_is_read_and_slept_through_without_waiting(runner: BoxRunner, how: How) -> None:
    subject = Program(WAITING, "sample", CALL)
    functions = [["now", {"double": "timeline.now"}], ["sleep", {"double": "timeline.sleep"}]]
    params = {"dict": [*functions, ["until", encode(2000.0)]]}
    (outcome,) = runner.observe(subject, [Request("call", params, (("timeline", (encode(100.0),)),))], how)
    seen = value(outcome)
    assert seen["value"] == encode((4, 2502.0))
    assert [name for name, _ in seen["calls"]] == ["timeline.now", "timeline.sleep"] * 4 + [
        "timeline.now"
    ] * 2


@BOTH
def test_asynchronous_injected_functions_are_awaited_and_let_others_run(runner: BoxRunner, how: How) -> None:
    source = """
import asyncio
async def f(fetch, sleep):
    done = []
    async def other():
        done.append(await fetch("a"))
    async def waiting():
        while not done:
            await sleep(3600)
    await asyncio.gather(waiting(), other())
    return done
"""
    scenarios = "async def call(program, p, seen):\n    seen(await program.f(**p))\n"
    subject = Program(source, "sample", scenarios)
    names = {"fetch": "async fetch", "sleep": "async timeline.sleep"}
    params = {"dict": [[name, {"double": double}] for name, double in names.items()]}
    doubles = (("async fetch", ("answer",)), ("timeline", (encode(0),)))
    (outcome,) = runner.observe(subject, [Request("call", params, doubles)], how)
    seen = value(outcome)
    assert seen["value"] == encode(["answer"])
    assert ["async fetch", ["a"]] in seen["calls"]


@BOTH
def test_a_call_of_an_injected_function_cannot_be_hidden(runner: BoxRunner, how: How) -> None:
    source = """
import sys
def f(fetch):
    result = [fetch(), fetch()]
    frame = sys._getframe()
    while frame:
        for held in list(frame.f_locals.values()):
            if hasattr(held, "_calls"):
                held._calls.pop()
        frame = frame.f_back
    return result
"""
    request = Request("call", {"dict": [["fetch", {"double": "fetch"}]]}, (("fetch", ("a", "b")),))
    assert runner.observe(Program(source, "sample", CALL), [request], how) == [
        Died("the reply was malformed")
    ]


@BOTH
def test_coroutines_are_run_to_their_end(runner: BoxRunner, how: How) -> None:
    source = "import asyncio\nasync def f(n):\n    await asyncio.sleep(0)\n    return n + 1\n"
    scenarios = "async def call(program, p, seen):\n    seen(await program.f(p['n']))\n"
    (outcome,) = run(runner, how, source, {"n": 1}, scenarios=scenarios)
    assert value(outcome) == {"value": encode(2)}


@BOTH
def test_the_module_is_imported_anew_for_each_call_of_observe(runner: BoxRunner, how: How) -> None:
    source = "state = []\ndef f():\n    state.append(1)\n    return len(state)\n"
    assert [value(one)["value"] for one in run(runner, how, source, {}, {})] == [encode(1), encode(2)]
    alone = How(limits=how.limits, fresh=how.fresh, fork_per_request=True)
    assert [value(one)["value"] for one in run(runner, alone, source, {}, {})] == [encode(1), encode(1)]


@BOTH
def test_an_order_changes_which_request_runs_first_and_not_where_its_outcome_is(
    runner: BoxRunner, how: How
) -> None:
    source = "state = []\ndef f(n):\n    state.append(n)\n    return [n, state[0]]\n"
    shuffled = How(limits=how.limits, fresh=how.fresh, perturbation=Perturbation(order=1))
    outcomes = run(runner, shuffled, source, *({"n": n} for n in range(5)))
    values = [value(one)["value"]["list"] for one in outcomes]
    assert [each[0] for each in values] == [encode(n) for n in range(5)]
    assert values[0][1] != encode(0)


@BOTH
def test_perturbations_reach_the_program(runner: BoxRunner, how: How) -> None:
    source = "import time\ndef f():\n    return [hash('a'), time.tzname[0], time.localtime(0).tm_hour]\n"
    plain = value(run(runner, how, source)[0])
    other = Perturbation(hash_seed=7, tz="Asia/Kathmandu")
    changed = value(run(runner, How(limits=how.limits, fresh=how.fresh, perturbation=other), source)[0])
    assert plain["value"]["list"][2] == encode(0)
    assert changed["value"]["list"][2] == encode(5)
    assert plain["value"]["list"][0] != changed["value"]["list"][0]
    assert value(run(runner, how, source)[0]) == plain


@BOTH
@pytest.mark.parametrize("python", ["3.11", "3.12"])
def test_a_package_is_observed_through_its_binding(
    runner: BoxRunner, how: How, python: str, tmp_path: Path
) -> None:
    package = tmp_path / "tree" / "sample_package"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from .inner import double\n")
    (package / "inner.py").write_text("class Odd(ValueError): pass\ndef double(n):\n    return 2 * n\n")
    subject = Package(
        package.parent,
        ("sample_package", "sample_package.inner"),
        "import types\ndef bind(package):\n    return types.SimpleNamespace(f=package.double, Odd=package.inner.Odd)\n",
        CALL,
    )
    named = How(limits=how.limits, fresh=how.fresh, python=python)
    (outcome,) = runner.observe(subject, [Request("call", encode({"n": 4}))], named)
    assert value(outcome) == {"value": encode(8)}


@BOTH
def test_print_and_logging_change_nothing(runner: BoxRunner, how: How) -> None:
    source = "import sys\ndef f():\n    print('x' * 300_000)\n    print('1 failed', file=sys.stderr)\n    return 1\n"
    assert value(run(runner, how, source)[0]) == {"value": encode(1)}


@BOTH
def test_output_without_end_ends_the_process(runner: BoxRunner, how: How) -> None:
    source = "import os\ndef f():\n    for _ in range(100): os.write(1, b'x' * (1 << 20))\n"
    limited = How(limits=Limits(output_bytes=8 << 20, call_s=20.0), fresh=how.fresh)
    assert run(runner, limited, source) == [Died("the output was larger than the cap")]


def test_an_import_of_our_own_is_limited_in_cpu_and_not_in_wall_time(runner: BoxRunner) -> None:
    how = How(limits=Limits(import_s=0.3, call_cpu_s=0.1))
    assert run(runner, how, "while True: pass\n") == [Died("import: late")]
    slow = "import time\ntime.sleep(0.6)\ndef f(): return 1\n"
    assert value(run(runner, how, slow)[0]) == {"value": encode(1)}


@BOTH
@pytest.mark.timeout(120)
def test_a_call_that_waits_for_what_never_comes_is_a_hang_long_before_its_time(
    runner: BoxRunner, how: How
) -> None:
    source = """
import asyncio, threading
async def forever(): await asyncio.Event().wait()
def f(kind):
    if kind == "event": asyncio.run(forever())
    if kind == "lock": threading.Lock().acquire() and threading.Event().wait()
    return kind
"""
    patient = How(limits=Limits(call_cpu_s=0.2, call_s=10_000.0, run_s=10_000.0), fresh=how.fresh)
    waited = run(runner, patient, source, {"kind": "event"}, {"kind": "none"}, {"kind": "lock"})
    assert waited == [Hung(), Observed(({"value": encode("none")},)), Hung()]


def test_a_hang_that_is_believed_at_once_is_the_same_hang_and_spares_the_rest(runner: BoxRunner) -> None:
    source = """
import threading
def f(kind):
    if kind == "lock": threading.Event().wait()
    while kind == "loop": pass
    return kind
"""
    limits = Limits(call_cpu_s=0.05, call_s=10_000.0, run_s=10_000.0)
    kinds = [{"kind": kind} for kind in ("lock", "none", "loop")]
    doubted = run(runner, How(limits=limits), source, *kinds)
    assert run(runner, How(limits=limits, believes_hangs=True), source, *kinds) == doubted
    assert doubted == [Hung(), Observed(({"value": encode("none")},)), Hung()]


SLEEPING = """
import asyncio
import threading
import time


def naps(n):
    began = time.monotonic(), time.time(), time.perf_counter_ns()
    for _ in range(n):
        time.sleep(1.5)
    ended = time.monotonic(), time.time(), time.perf_counter_ns() / 1e9
    return [round(after - before, 1) for before, after in zip((*began[:2], began[2] / 1e9), ended)]


def loops(n):
    order = []

    async def work(number):
        await asyncio.sleep(0.7 * number)
        order.append(number)

    async def all_of_them():
        await asyncio.gather(*(work(number) for number in range(n, 0, -1)))
        try:
            await asyncio.wait_for(asyncio.sleep(3), timeout=1.1)
        except asyncio.TimeoutError:
            order.append("late")
        return order

    return asyncio.run(all_of_them())


def spins(n):
    while n:
        time.sleep(1)


def alarmed(n):
    import signal

    def ring(*_):
        raise TimeoutError

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, n / 1000)
    try:
        time.sleep(2)
    except TimeoutError:
        return "rang"
"""
NAPPING = "def call(program, p, seen):\n    seen(getattr(program, p['name'])(p['n']))\n"


@BOTH
def test_nobody_waits_for_time_alone(runner: BoxRunner, how: How) -> None:
    subject = Program(SLEEPING, "sample", NAPPING)
    asked = [("naps", 3), ("loops", 3), ("alarmed", 20)]
    requests = [Request("call", encode({"name": name, "n": n})) for name, n in asked]
    naps, loops, alarmed = runner.observe(subject, requests, how)
    assert value(naps)["value"] == encode([4.5, 4.5, 4.5])
    assert value(loops)["value"] == encode([1, 2, 3, "late"])
    assert value(alarmed)["value"] == encode("rang")


@BOTH
def test_waiting_for_what_never_comes_is_a_hang(runner: BoxRunner, how: How) -> None:
    limits = replace(how.limits, call_cpu_s=0.1)
    subject = Program(SLEEPING, "sample", NAPPING)
    (outcome,) = runner.observe(
        subject, [Request("call", encode({"name": "spins", "n": 1}))], replace(how, limits=limits)
    )
    assert outcome == Hung()
