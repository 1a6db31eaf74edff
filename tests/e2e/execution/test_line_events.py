"""A call ends with its line events: counted from before the program runs, and out of the program's reach."""

from pathlib import Path

import pytest

from authoring.execution import BoxRunner
from authoring.model.execution import How, Hung, Limits, Observed, Outcome, Package, Program, Refused, Request
from authoring.model.wire import encode

PYTHONS = ["3.12", "3.11"]
SCENARIOS = "def call(program, p, seen):\n    seen(program.f(p['n']))\n"
LOOP = "def f(n):\n    total = 0\n    for item in range(n):\n        total += item\n    return total\n"


def asked(
    runner: BoxRunner, source: str, n: int, line_events: int | None, *, python: str = "", fresh: bool = False
) -> Outcome:
    how = How(limits=Limits(call_cpu_s=5.0, call_s=20.0), python=python, fresh=fresh)
    program = Program(source, "program", SCENARIOS)
    (outcome,) = runner.observe(program, [Request("call", encode({"n": n}), line_events=line_events)], how)
    return outcome


@pytest.mark.parametrize("fresh", [False, True], ids=["warm", "fresh"])
@pytest.mark.parametrize("python", PYTHONS)
def test_a_call_hangs_that_takes_more_line_events_than_it_may(
    runner: BoxRunner, python: str, fresh: bool
) -> None:
    assert isinstance(asked(runner, LOOP, 400, 1000, python=python, fresh=fresh), Observed)
    assert asked(runner, LOOP, 600, 1000, python=python, fresh=fresh) == Hung()
    assert isinstance(asked(runner, LOOP, 600, None, python=python, fresh=fresh), Observed)


HIDING = {
    "another file's name": (
        "def f(n):\n    scope = {}\n"
        f"    exec(compile({LOOP!r}, '<frozen importlib._bootstrap>', 'exec'), scope)\n    return scope['f'](n)\n"
    ),
    "one line": "def f(n):\n    return sum([item for item in range(n)])\n",
    "a swallowed exception": LOOP.replace("        total", "        try: total").replace(
        "+= item\n", "+= item\n        except BaseException: pass\n"
    ),
    "an ignored signal": "import signal\nsignal.signal(signal.SIGPROF, signal.SIG_IGN)\n" + LOOP,
    "a blocked signal": "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPROF})\n" + LOOP,
}


@pytest.mark.parametrize("way", HIDING)
@pytest.mark.parametrize("python", PYTHONS)
def test_work_does_not_hide_from_the_count(runner: BoxRunner, python: str, way: str) -> None:
    assert asked(runner, HIDING[way], 5000, 1000, python=python) == Hung()


TOUCHING = {
    "tracing off": "import sys\ndef off():\n    sys.settrace(None)\n",
    "another profile": "import sys\ndef off():\n    sys.setprofile(lambda *_: None)\n",
    "all objects": "import gc\ndef off():\n    gc.get_objects()\n",
    "more left": "import sys\ndef off():\n    frame = sys._getframe()\n    while 'counter' not in frame.f_locals:\n"
    "        frame = frame.f_back\n    frame.f_locals['counter']._left = 10**9\n",
    "referrers": "import gc\ndef off():\n    gc.get_referrers(gc)\n",
}
MONITORING = {
    "events off": "import sys\ndef off():\n    sys.monitoring.set_events(3, 0)\n",
    "tool freed": "import sys\ndef off():\n    sys.monitoring.free_tool_id(3)\n",
    "swallowed": "import sys\ndef off():\n    try:\n        sys.monitoring.restart_events()\n"
    "    except AttributeError:\n        pass\n",
}


@pytest.mark.parametrize(
    ("python", "way"),
    [*((python, way) for python in PYTHONS for way in TOUCHING), *(("3.12", way) for way in MONITORING)],
)
def test_a_program_that_reaches_for_its_counter_is_refused_and_no_other(
    runner: BoxRunner, python: str, way: str
) -> None:
    source = {**TOUCHING, **MONITORING}[way] + LOOP.replace("    total = 0", "    off()\n    total = 0")
    outcome = asked(runner, source, 10, 100_000, python=python)
    assert isinstance(outcome, Refused)
    assert outcome.code == "EXE017"
    assert isinstance(asked(runner, LOOP, 10, 100_000, python=python), Observed)


def test_a_program_that_reached_for_its_counter_and_exceeds_its_bound_is_refused_too(
    runner: BoxRunner,
) -> None:
    for python in PYTHONS:
        outcome = asked(runner, "import sys\nsys.settrace(None)\n" + LOOP, 5000, 1000, python=python)
        assert isinstance(outcome, Refused) and outcome.code == "EXE017"


def test_what_a_program_touches_while_it_is_imported_counts_too(runner: BoxRunner) -> None:
    outcome = asked(runner, "import gc\ngc.get_objects()\n" + LOOP, 10, 100_000)
    assert isinstance(outcome, Refused) and outcome.code == "EXE017"


def test_a_package_is_counted_as_a_program_is(runner: BoxRunner, tmp_path: Path) -> None:
    tree = tmp_path
    (tree / "sample.py").write_text(LOOP)
    tree.chmod(0o755)
    package = Package(tree, ("sample",), "def bind(package):\n    return package\n", SCENARIOS)
    how = How(limits=Limits(call_cpu_s=5.0, call_s=20.0))
    requests = [Request("call", encode({"n": n}), line_events=1000) for n in (400, 600)]
    first, second = runner.observe(package, requests, how)
    assert isinstance(first, Observed)
    assert second == Hung()
