"""Which way an input takes through the reference: the lines that it reaches, how often, and how it ends."""

from collections.abc import Mapping, Sequence

from authoring.contract.work import Work
from authoring.model.digest import value_digest
from authoring.model.execution import Observed, Traced
from authoring.scenario.inputs import Input

__all__ = ["paths_of", "rarest_first", "with_new_paths"]

_BATCH = 300


def paths_of(work: Work, inputs: Sequence[Input]) -> dict[str, str]:
    """Return the path of each input by its key; inputs of one path differ in nothing but values."""
    subject = work.bench.program(work.reference)
    found: dict[str, str] = {}
    for at in range(0, len(inputs), _BATCH):
        batch = inputs[at : at + _BATCH]
        requests = [one.request for one in batch]
        traces = work.bench.runner.trace(subject, requests, work.bench.how)
        found |= {one.key: _path(one, trace) for one, trace in zip(batch, traces, strict=True)}
    return found


def _path(one: Input, trace: Traced) -> str:
    """Name a path: scenario, lines, order of magnitude of line events, and kinds of observations."""
    ran = [pair for lines in (trace.import_lines, trace.lines) for pair in lines.items()]
    lines = sorted({(file, number) for file, numbers in ran for number in numbers})
    kinds = []
    if isinstance(trace.outcome, Observed):
        kinds = [
            "raised" if "raised" in seen else _kind(seen["value"]) for seen in trace.outcome.observations
        ]
    return value_digest([one.scenario, lines, trace.line_events.bit_length(), kinds])[:16]


def _kind(wire: object) -> str:
    if isinstance(wire, dict):
        return str(next(iter(wire)))
    return type(wire).__name__


def with_new_paths(
    inputs: Sequence[Input], others: Sequence[Input], paths: Mapping[str, str], cap: int
) -> list[Input]:
    """Return at most ``cap`` of the other inputs, each on a path that no input and none before it takes."""
    known = {paths[one.key] for one in inputs if one.key in paths}
    found: list[Input] = []
    for one in others:
        path = paths.get(one.key)
        if path is not None and path not in known and len(found) < cap:
            known.add(path)
            found.append(one)
    return found


def rarest_first(inputs: Sequence[Input], paths: Mapping[str, str]) -> list[Input]:
    """Return the inputs with paths taking turns, those that fewest inputs take first."""
    groups: dict[str, list[Input]] = {}
    for one in inputs:
        groups.setdefault(paths.get(one.key, ""), []).append(one)
    ranked = sorted(groups.values(), key=len)
    longest = max(map(len, ranked), default=0)
    return [group[turn] for turn in range(longest) for group in ranked if turn < len(group)]
