"""What outer inputs hand to an entry inside the package, and what came of each call there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from authoring.model.execution import Frame, Observed, Outcome, Request, Runner
from authoring.model.variants import VersionName
from authoring.model.wire import Wire
from authoring.reduction.carve.entry import CarvedEntry, entry_calls, entry_params
from authoring.scenario.inputs import in_order, is_same
from tests.measures.answers import release_answers
from tests.measures.committed import Committed

__all__ = ["RecordedCall", "outer_differences", "recorded_calls"]

_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """An outer input and what it led to on the reference's release."""

    outer: Request
    request: Request | None
    """The entry's scenario with the arguments that were recorded; None where the input does not reach it."""
    results: tuple[Wire, ...] | None
    """What the recorded frames returned, where the scenario observes just that and all of it is data."""


def recorded_calls(one: Committed, runner: Runner, outer: Sequence[Request]) -> list[RecordedCall]:
    """Run outer inputs on the reference's release and record its entry's frames."""
    if one.inside is None:
        return []
    entry = one.inside.entry
    package, how = one.releases.packages["reference"], one.releases.package_how
    found = []
    for start in range(0, len(outer), _AT_ONCE):
        batch = outer[start : start + _AT_ONCE]
        traces = runner.trace(package, batch, how, entry.watched)
        for request, trace in zip(batch, traces, strict=True):
            params = entry_params(entry, trace.frames) if isinstance(trace.outcome, Observed) else None
            inner = None if params is None else Request(entry.scenario, in_order(params))
            results = _results(entry, trace.frames) if inner is not None else None
            found.append(RecordedCall(request, inner, results))
    return found


def _results(entry: CarvedEntry, frames: Sequence[Frame]) -> tuple[Wire, ...] | None:
    calls = entry_calls(frames, entry.file, entry.line)
    if entry.view != "value" or not all(call.has_result and call.raised is None for call in calls):
        return None
    return tuple(call.result for call in calls)


def outer_differences(
    one: Committed, calls: Sequence[RecordedCall]
) -> Iterator[tuple[VersionName, RecordedCall, Outcome]]:
    """Yield the outer inputs on which a version's release does not do what the reference's does."""
    requests = [call.outer for call in calls]
    reference = release_answers(one, "reference", requests)
    for version in one.programs:
        if version == "reference":
            continue
        answers = release_answers(one, version, requests)
        for call, own, right in zip(calls, answers, reference, strict=True):
            if isinstance(right, Observed) and not is_same(own, right, one.compares.get(call.outer.scenario)):
                yield version, call, own
