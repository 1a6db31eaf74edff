"""The public checks, run as an agent runs them, agree with the grader."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from authoring.execution import BoxRunner
from authoring.model.contract import Contract, Entry, Environment, Origin, ScenarioSpec, Types
from authoring.model.execution import How, Limits, Observed, Program, Request
from authoring.model.observation import Compare, FloatTolerance
from authoring.model.task import Check, Checks, HiddenChecks, TaskLimits
from authoring.model.variants import VariantSpec
from authoring.model.wire import encode
from authoring.taskrepo import RUN_CHECKS
from authoring.validation.verdicts import check_verdict
from authoring.variants.folder import task_files
from authoring.variants.material import VariantTask, observed_types

PROGRAM = """import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import uuid


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


@dataclasses.dataclass
class Point:
    x: int
    y: float = 0.5


Pair = collections.namedtuple("Pair", "left right")


class Refused(ValueError):
    pass


class Odd(Refused):
    pass


def values(kind):
    return {
        "numbers": [1, -5, 2**70, 1.5, -0.0, float("nan"), float("inf"), 2j],
        "text": ["a", "\\u00e9", "\\ud800", b"\\x00\\xff", None, True],
        "sets": ({3, 1, 2}, frozenset({"b", "a"}), {(1, 2): [3]}),
        "library": [
            decimal.Decimal("1.50"),
            fractions.Fraction(2, 4),
            datetime.date(2026, 1, 2),
            datetime.time(1, 2, 3, 4, fold=1),
            datetime.datetime(2026, 1, 2, 3, tzinfo=datetime.timezone(datetime.timedelta(hours=2))),
            datetime.timedelta(days=-1, microseconds=5),
            uuid.UUID(int=7),
        ],
        "named": [Colour.RED, Point(1), Pair(1, [2])],
        "iterator": iter([1, 2]),
        "long": iter(range(100)),
        "foreign": [object()],
    }[kind]


def fail(kind):
    raise {"named": Refused("x"), "sub": Odd("y"), "builtin": KeyError("k"), "unicode": UnicodeError("u")}[kind]


def append(items, item):
    items.append(item)
    return len(items)


def ask(clock, times):
    return [clock(index) for index in range(times)]


def spin(count):
    while count:
        pass
    return count


def leave(code):
    raise SystemExit(code)


def fraction(top):
    return top / 3


def order(items):
    return list(items)
"""
SCENARIOS = """def value(program, p, seen):
    seen(program.values(p["kind"]))


def fail(program, p, seen):
    seen(1)
    program.fail(p["kind"])


def append(program, p, seen):
    seen(program.append(p["items"], p["item"]))


def ask(program, p, seen):
    seen(program.ask(p["clock"], p["times"]))


def spin(program, p, seen):
    seen(program.spin(p["count"]))


def leave(program, p, seen):
    seen(program.leave(p["code"]))


def fraction(program, p, seen):
    seen(program.fraction(p["top"]))


def order(program, p, seen):
    seen(program.order(p["items"]))


async def later(program, p, seen):
    seen(program.fraction(p["top"]))


def nothing(program, p, seen):
    pass
"""
SPECS = tuple(
    ScenarioSpec(id=f"{name} scenario", function=name, level="both", compare=compare)
    for name, compare in (
        ("value", Compare()),
        ("fail", Compare(exception="type+message")),
        ("append", Compare()),
        ("ask", Compare()),
        ("spin", Compare()),
        ("leave", Compare()),
        ("fraction", Compare(floats=FloatTolerance(rel=1e-9))),
        ("order", Compare(order="any", args="ignored")),
        ("later", Compare()),
        ("nothing", Compare()),
    )
)
INPUTS: tuple[tuple[str, dict[str, Any]], ...] = (
    *(
        ("value", {"kind": kind})
        for kind in ("numbers", "text", "sets", "library", "named", "iterator", "long")
    ),
    ("value", {"kind": "foreign"}),
    *(("fail", {"kind": kind}) for kind in ("named", "sub", "builtin", "unicode")),
    ("append", {"items": [1], "item": {"k": (1, 2)}}),
    ("ask", {"times": 2}),
    ("ask", {"times": 3}),
    ("spin", {"count": 0}),
    ("spin", {"count": 1}),
    ("leave", {"code": 0}),
    ("fraction", {"top": 1.0}),
    ("order", {"items": [3, 1, 2]}),
    ("later", {"top": 2}),
    ("nothing", {}),
)
VERSIONS = {
    "reference": PROGRAM,
    "other numbers": PROGRAM.replace("2**70", "2**70 + 1").replace("-0.0", "0.0"),
    "other types": PROGRAM.replace("[3]}", "(3,)}").replace('"1.50"', '"1.5"').replace("Colour.RED,", "1,"),
    "other errors": PROGRAM.replace('Refused("x")', 'Refused("z")').replace(
        "class Odd(Refused)", "class Odd(KeyError)"
    ),
    "no mutation": PROGRAM.replace("items.append(item)\n    return len(items)", "return len(items) + 1"),
    "other order": PROGRAM.replace("return list(items)", "items.reverse()\n    return list(items)"),
    "rounded": PROGRAM.replace("top / 3", "top / 3 + 1e-14"),
    "rounded too much": PROGRAM.replace("top / 3", "top / 3 + 1e-6"),
    "a missing name": PROGRAM.replace("def fraction", "def fractions_of"),
    "a failing import": PROGRAM + "\nraise RuntimeError('at import')\n",
    "an exit at import": PROGRAM + "\nraise SystemExit(0)\n",
    "a hang at import": PROGRAM + "\nwhile True:\n    pass\n",
    "an exit in a call": PROGRAM.replace("return top / 3", "import os\n    os._exit(0)"),
    "no module at all": "def (",
}


def contract() -> Contract:
    return Contract(
        id="many",
        incident="many",
        mechanism="m",
        group="g",
        category="c",
        symptom="s",
        returns="r",
        domain="d",
        entry=Entry(name="values", kind="function", original="pkg:values"),
        environment=Environment(python="3.11"),
        raises=("Refused", "Odd"),
        types=Types(records=("Point", "Pair"), enums=("Colour",), iterators=5),
        origin=Origin(package="pkg", releases=("1",), licence="MIT", notices=("n",)),
        reference_digest="",
        rules=(),
        scenarios=SPECS,
    )


def request(index: int) -> Request:
    name, params = INPUTS[index]
    wire = encode(params)
    doubles: tuple[Any, ...] = ()
    if name == "ask":
        wire["dict"].append(["clock", {"double": "clock"}])
        doubles = (("clock", (encode(10), encode(11))),)
    return Request(name, wire, doubles)


@pytest.fixture(scope="module")
def runner() -> Any:
    with BoxRunner() as box:
        yield box


HOW = How(limits=Limits(import_s=2.0, call_s=2.0), fork_per_request=True)


def observe(runner: BoxRunner, source: str) -> list[Any]:
    subject = Program(source, "program", SCENARIOS, replace(observed_types(contract()), messages=True))
    return [runner.observe(subject, [request(index)], HOW)[0] for index in range(len(INPUTS))]


def test_every_public_verdict_is_the_graders(runner: BoxRunner, tmp_path: Path) -> None:
    expected = observe(runner, PROGRAM)
    checks = tuple(
        Check(
            id=f"p{index:02d}",
            name=f"input {index}",
            scenario=f"{INPUTS[index][0]} scenario",
            rules=("r",),
            params=request(index).params,
            expect=tuple(outcome.observations) if isinstance(outcome, Observed) else ({"value": None},),
            doubles={name: tuple(answers) for name, answers in request(index).doubles},
        )
        for index, outcome in enumerate(expected)
    )
    assert sum(isinstance(outcome, Observed) for outcome in expected) >= len(INPUTS) - 3
    public = Checks(task="many/base", scenarios_sha256="", checks=checks)
    hidden = HiddenChecks(task="many/base", scenarios_sha256="", checks=())
    seen = set()
    for name, source in VERSIONS.items():
        task = VariantTask(
            VariantSpec(id="base", tier="public"),
            contract(),
            source,
            PROGRAM,
            "",
            SCENARIOS,
            "",
            public,
            hidden,
        )
        folder = tmp_path / name.replace(" ", "-")
        folder.mkdir()
        for path, data in task_files(task, RUN_CHECKS, TaskLimits(import_s=1.0, call_s=1.0)).items():
            (folder / path).write_bytes(data)
        done = subprocess.run(
            [sys.executable, "-I", str(folder / "run_checks.py")],
            capture_output=True,
            text=True,
            check=False,
            timeout=280,
        )
        verdicts = {
            line.split()[1]: line.startswith("pass ")
            for line in done.stdout.splitlines()
            if line[:5] in ("pass ", "FAIL ")
        }
        outcomes = observe(runner, source) if name != "a hang at import" else [None] * len(INPUTS)
        graded = {
            check.id: outcome is not None
            and check_verdict(outcome, check.expect, SPECS_BY_ID[check.scenario].compare) == "pass"
            for check, outcome in zip(checks, outcomes, strict=True)
        }
        assert verdicts == graded, (name, done.stdout)
        assert done.returncode == (0 if all(graded.values()) else 1)
        seen.add(tuple(graded.values()))
    assert len(seen) >= 8


SPECS_BY_ID = {spec.id: spec for spec in SPECS}


def test_a_check_can_be_named_and_an_unknown_one_is_no_success(tmp_path: Path) -> None:
    check = Check(
        id="p01",
        name="n",
        scenario="order scenario",
        rules=("r",),
        params=encode({"items": [1]}),
        expect=({"value": encode([1])},),
    )
    task = VariantTask(
        VariantSpec(id="base", tier="public"),
        contract(),
        PROGRAM,
        PROGRAM,
        "",
        SCENARIOS,
        "",
        Checks(task="many/base", scenarios_sha256="", checks=(check,)),
        HiddenChecks(task="many/base", scenarios_sha256="", checks=()),
    )
    for path, data in task_files(task, RUN_CHECKS).items():
        (tmp_path / path).write_bytes(data)
    run = [sys.executable, "-I", str(tmp_path / "run_checks.py")]
    assert subprocess.run([*run, "p01"], capture_output=True, check=False, timeout=60).returncode == 0
    assert subprocess.run([*run, "p99"], capture_output=True, check=False, timeout=60).returncode == 1
