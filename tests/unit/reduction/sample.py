"""What the tests of reduction share: a runner in memory, requests, and what texts really answer."""

from collections.abc import Mapping, Sequence
from typing import Any

from authoring.model.execution import How, ObservedTypes, Outcome, Program, Request
from authoring.model.variants import VersionName
from authoring.model.wire import encode
from authoring.reduction.oracle import Oracle, Subjects
from authoring.reduction.reduce import Reduction, reduce
from tests.memory_runner import MemoryRunner

CALL = "def call(program, p, seen):\n    seen(program.f(p['x']))\n"


def requests(*values: Any) -> list[Request]:
    """Return one request of the scenario ``call`` a value."""
    return [Request("call", encode({"x": value})) for value in values]


def answers(
    sources: Mapping[VersionName, str],
    asked: Sequence[Request],
    scenarios: str = CALL,
    types: ObservedTypes | None = None,
) -> dict[VersionName, list[Outcome]]:
    """Return what each source answers."""
    runner = MemoryRunner()
    types = types or ObservedTypes()
    return {
        version: runner.observe(Program(text, "program", scenarios, types), asked, How())
        for version, text in sources.items()
    }


def oracle(sources: Mapping[VersionName, str], asked: Sequence[Request], **options: Any) -> Oracle:
    """Return an oracle that expects what the sources answer."""
    return Oracle(MemoryRunner(), How(), Subjects("program", CALL), asked, answers(sources, asked), **options)


def reduced(
    sources: Mapping[VersionName, str], asked: Sequence[Request], scenarios: str = CALL, **options: Any
) -> Reduction:
    """Return the reduction of sources to what they answer, seen through ``f``."""
    types = options.pop("types", ObservedTypes())
    exports = options.pop("exports", ("f",))
    runner = options.pop("runner", None) or MemoryRunner()
    expected = answers(sources, asked, scenarios, types)
    return reduce(sources, asked, expected, runner, How(), types, scenarios, exports, **options)
