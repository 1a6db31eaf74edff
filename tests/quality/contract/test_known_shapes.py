"""For shapes of faults that are known, drafting finds the checks and the hard negative that a person would."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pytest

from authoring.contract import Draft, Material, draft
from authoring.contract.bench import Bench
from authoring.model.capture import Binding, Capture, LiftedCheck
from authoring.model.contract import Entry, Environment, Origin
from authoring.model.execution import How, ObservedTypes
from authoring.model.incident import Incident
from authoring.model.progress import SilentProgress
from authoring.model.variants import VersionName
from authoring.model.wire import decode, encode
from authoring.scenario.domain import changed_code, derive_domain
from authoring.scenario.inputs import Input
from authoring.scenario.rewrites import rewrites_of
from tests.memory_runner import MemoryRunner
from tests.quality.contract.foreign_mutants import foreign_mutants


@dataclass(frozen=True)
class Shape:
    """A kind of fault, by a small program of our own."""

    name: str
    reference: str
    fault: tuple[str, str]
    """What stands in the reference, and what stands there in the broken program."""
    scenarios: str
    seen: Mapping[str, Sequence[dict[str, Any]]]
    raises: tuple[str, ...] = ()
    attempt: str | None = None

    @property
    def broken(self) -> str:
        return self.reference.replace(*self.fault)


SIZES = Shape(
    "boundary of a table of limits",
    """UNITS = [(1000, "thousand"), (1000000, "million"), (1000000000, "billion")]


def word(count):
    size = abs(count)
    for limit, name in reversed(UNITS):
        if size >= limit:
            return f"{count / limit:.1f} {name}"
    return str(count)
""",
    ("size >= limit", "size > limit"),
    "def word(program, p, seen):\n    seen(program.word(p['count']))\n",
    {"word": [{"count": n} for n in (999, 1000, 1000000, -1000, 1500)]},
)

FIELDS = Shape(
    "empty text between separators",
    """class BadLine(Exception):
    pass


def fields(line, sep=","):
    line = line.strip()
    if not line:
        return []
    parts = [part.strip() for part in line.split(sep)]
    for part in parts:
        if not part:
            raise BadLine(line)
    return parts
""",
    ("if not part:", "if part is None:"),
    "def fields(program, p, seen):\n    seen(program.fields(p['line']))\n",
    {"fields": [{"line": text} for text in ("a,b", "a,,b", " a , b ", "")]},
    raises=("BadLine",),
)

PARENTS = Shape(
    "walk that never ends",
    """import posixpath


def parents(path):
    found = []
    path = posixpath.split(path.rstrip("/"))[0]
    while path.rstrip("/"):
        found.append(path)
        path = posixpath.split(path)[0]
    return found
""",
    ('while path.rstrip("/"):', 'while path and path != "/":'),
    "def parents(program, p, seen):\n    seen(program.parents(p['path']))\n",
    {"parents": [{"path": text} for text in ("a/b/c", "//a", "/a/b", "a")]},
)

MERGE = Shape(
    "shared value in a merged mapping",
    """def merge(left, right):
    found = dict(left)
    for key, values in right.items():
        if key in found:
            found[key] = found[key] + values
        else:
            found[key] = list(values)
    return found
""",
    ("found[key] = found[key] + values", "found[key] += values"),
    "def merge(program, p, seen):\n    seen(program.merge(p['left'], p['right']))\n",
    {
        "merge": [
            {"left": {"a": [1]}, "right": {"a": [2]}},
            {"left": {"a": [1]}, "right": {"b": [2, 3]}},
            {"left": {}, "right": {}},
        ]
    },
)

RECENT = Shape(
    "order of what an object was told, step by step",
    """class Recent:
    def __init__(self, size):
        self.size = size
        self.items = []

    def put(self, item):
        if item in self.items:
            self.items.remove(item)
        elif len(self.items) >= self.size:
            self.items.pop(0)
        self.items.append(item)

    def drop(self, item):
        if item in self.items:
            self.items.remove(item)
""",
    ("self.items.remove(item)\n        elif", "return\n        elif"),
    "def Recent(program, p, seen):\n"
    "    recent = program.Recent(p['size'])\n"
    "    methods = {'put': recent.put, 'drop': recent.drop}\n"
    "    for name, args in p['steps']:\n"
    "        methods[name](*args)\n"
    "    seen(recent.items)\n",
    {
        "Recent": [
            {"size": 2, "steps": [["put", ["a"]], ["put", ["b"]], ["put", ["a"]]]},
            {"size": 2, "steps": [["put", ["a"]], ["drop", ["a"]]]},
        ]
    },
)

SHAPES = [SIZES, FIELDS, PARENTS, MERGE, RECENT]


def material(shape: Shape) -> Material:
    rows = [(name, params) for name, all_params in shape.seen.items() for params in all_params]
    checks = tuple(
        LiftedCheck(
            id=f"check_{n}",
            function="",
            line=n,
            script="",
            scenario=name,
            params=encode(params),
            view="value",
        )
        for n, (name, params) in enumerate(rows, 1)
    )
    entry = next(iter(shape.seen))
    programs: dict[VersionName, str] = {"broken": shape.broken, "reference": shape.reference}
    capture = Capture(
        incident="shape", import_name="shape", modules=("shape",), python="3.11", trees=(), dependencies=(),
        checks=checks, patterns=(), bindings=(Binding(name=entry, original=f"shape:{entry}"),), raises=shape.raises,
        failure="", repeats=1, fork_per_check=False, reproducer_sha256="",
    )  # fmt: skip
    seen = {name: [encode(params) for params in all_params] for name, all_params in shape.seen.items()}
    return Material(
        incident=Incident(id="shape", broken="1", fixed="2", package="shape"),
        capture=capture,
        programs=programs,
        scenarios=shape.scenarios,
        domain=derive_domain(seen, changed_code(programs)),
        entry=Entry(name=entry, kind="function", original=f"shape:{entry}"),
        environment=Environment(python="3.11"),
        origin=Origin(package="shape", releases=("1", "2"), licence="MIT"),
        effort=0.5,
    )


@lru_cache
def drafted(name: str) -> Draft:
    shape = next(shape for shape in SHAPES if shape.name == name)
    return draft(material(shape), MemoryRunner(), How(), b"k" * 32, SilentProgress())


def bench_of(shape: Shape) -> Bench:
    return Bench(
        MemoryRunner(),
        How(),
        drafted(shape.name).scenarios,
        ObservedTypes(raises=shape.raises),
        {},
        "program",
    )


def held_inputs(made: Draft, *, hidden: bool) -> list[Input]:
    checks = made.hidden if hidden else made.public
    inputs = [Input(check.scenario, check.params) for check in checks]
    if hidden:
        inputs += [Input(pool.scenario, params) for pool in made.pools for params in pool.inputs]
    return inputs


def hidden_values(made: Draft, name: str) -> list[Any]:
    return [decode(check.params)[name] for check in made.hidden]


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_foreign_mutants_that_pass_public_checks_are_rejected_by_hidden_ones(shape: Shape) -> None:
    made = drafted(shape.name)
    bench = bench_of(shape)
    public, hidden = held_inputs(made, hidden=False), held_inputs(made, hidden=True)
    expected = bench.expected(shape.reference, public + hidden, shape.raises)
    rejected = survived = 0
    for source in foreign_mutants(shape.reference):
        if bench.row(source, public, expected, is_full=True, hangs_cap=3).fails:
            continue
        if bench.row(source, hidden, expected).fails:
            rejected += 1
        else:
            survived += _is_told(bench, shape, source, hidden)
    assert survived * 20 <= rejected + survived


def _is_told(bench: Bench, shape: Shape, source: str, held: list[Input]) -> bool:
    """Search ten times as long with another seed."""
    from authoring.contract.further import mixed_inputs

    more = mixed_inputs(held, changed_code({"reference": shape.reference}), seed=4711, count=2500)
    expected = bench.expected(shape.reference, more, shape.raises)
    return bool(bench.row(source, [one for one in more if one.key in expected], expected).fails)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_twenty_rewritings_of_the_reference_are_accepted(shape: Shape) -> None:
    made = drafted(shape.name)
    bench = bench_of(shape)
    inputs = held_inputs(made, hidden=False) + held_inputs(made, hidden=True)
    expected = bench.expected(shape.reference, inputs, shape.raises)
    for rewriting in rewrites_of(shape.reference, 20, seed=11):
        row = bench.row(rewriting.source, inputs, expected, is_full=True, hangs_cap=3)
        assert not row.fails, rewriting.steps


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_both_tiers_reject_broken_and_hidden_checks_reject_the_hard_negative(shape: Shape) -> None:
    patterns = drafted(shape.name).facts.patterns
    assert all("0" in tier for tier in patterns["broken"].split("/"))
    assert "0" in patterns["hard_negative"].split("/")[1]
    assert patterns["broken"] != patterns["hard_negative"]


@pytest.mark.slow
def test_a_boundary_is_checked_at_other_limits_and_on_the_other_side_of_zero() -> None:
    counts = hidden_values(drafted(SIZES.name), "count")
    faults = [count for count in counts if abs(count) in (1000, 10**6, 10**9)]
    assert any(count < 0 for count in faults)
    assert any(abs(count) == 10**9 for count in faults)


@pytest.mark.slow
def test_the_hard_negative_of_a_boundary_repairs_one_sign_or_one_limit_only() -> None:
    bits = drafted(SIZES.name).facts.patterns["hard_negative"].split("/")
    assert "1" in bits[0][:1] + bits[1]
    assert drafted(SIZES.name).facts.hard_negative in ("near-fix", "over-correction", "partial-fix")


@pytest.mark.slow
def test_empty_fields_are_checked_at_the_ends_and_with_blanks() -> None:
    lines = [line for line in hidden_values(drafted(FIELDS.name), "line") if "," in line]
    empty = [line for line in lines if any(not part.strip() for part in line.strip().split(","))]
    assert any(line.strip().startswith(",") or line.strip().endswith(",") for line in empty)


@pytest.mark.slow
def test_steps_are_checked_in_other_orders_and_numbers_than_the_reproducers() -> None:
    found = hidden_values(drafted(RECENT.name), "steps")
    seen = [row["steps"] for row in RECENT.seen["Recent"]]
    assert max(map(len, found)) > max(map(len, seen))
    orders = {tuple(name for name, _ in steps) for steps in found}
    assert len(orders - {tuple(name for name, _ in steps) for steps in seen}) > 1


@pytest.mark.slow
def test_a_walk_that_hangs_is_checked_by_what_the_reference_gives() -> None:
    made = drafted(PARENTS.name)
    assert any(path.startswith("//") for path in hidden_values(made, "path"))
    assert all("value" in check.expect[-1] for check in made.hidden)


@pytest.mark.slow
def test_a_changed_argument_is_part_of_what_is_checked() -> None:
    made = drafted(MERGE.name)
    faults = [
        check
        for check, bit in zip(made.hidden, made.facts.patterns["broken"].split("/")[1], strict=True)
        if bit == "0"
    ]
    assert faults
    assert all("args_after" not in check.expect[-1] for check in faults)
