"""Weaker views of a scenario that a later release does not dispute, with what the reference observes under them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from authoring.contract.bench import Bench, Expected, raised_by
from authoring.contract.collect import Collected
from authoring.contract.hearing import Alternative, Hearing
from authoring.contract.work import Work
from authoring.model.capture import Capture
from authoring.model.execution import Observed
from authoring.scenario.inputs import Input
from authoring.scenario.lifting import WeakerView, function_of, weaker_views, with_function

__all__ = ["Weaker", "weaker_scenarios"]


@dataclass(frozen=True, slots=True)
class Weaker:
    """A scenario under a weaker view."""

    scenario: str
    view: WeakerView
    bench: Bench
    """With the scenario under this view."""
    inputs: Sequence[Input]
    """Those of the scenario."""
    expected: Expected
    """What the reference observes on them."""

    @property
    def words(self) -> str:
        """What no longer counts."""
        return self.view.words

    def taken(self, work: Work, collected: Collected) -> Collected:
        """Let a draft look at the scenario so; return its inputs with what is expected now."""
        material = work.material
        work.bench.scenarios = self.bench.scenarios
        work.material = replace(
            material,
            scenarios=with_function(material.scenarios, self.view.text),
            capture=_seen_so(material.capture, self.scenario, self.view),
            originals={
                version: replace(package, scenarios=with_function(package.scenarios, self.view.text))
                for version, package in material.originals.items()
            },
        )
        return replace(collected, expected={**collected.expected, **self.expected})


def _seen_so(capture: Capture, scenario: str, view: WeakerView) -> Capture:
    checks = (
        one.model_copy(update={"view": one.view.replace(view.dropped, "")})
        if one.scenario == scenario
        else one
        for one in capture.checks
    )
    return capture.model_copy(update={"checks": tuple(checks)}) if view.dropped else capture


def weaker_scenarios(
    work: Work, collected: Collected, alternative: Alternative, scenario: str
) -> Iterator[Weaker]:
    """Yield the views, the least weak first, under which a release disputes nothing of a scenario any more.

    The reference gives data under each, steadily and wherever it does now, and broken is still wrong on every lifted
    input on which it is.
    """
    bench = work.bench
    text = function_of(bench.scenarios, scenario)
    own = [one for one in collected.inputs if one.scenario == scenario]
    for view in weaker_views(text) if text else ():
        other = replace(bench, scenarios=with_function(bench.scenarios, view.text))
        other.observer = bench.observer
        expected = other.expected(work.reference, own, work.raises)
        weaker = Weaker(scenario, view, other, own, expected)
        if not _is_seen(collected, weaker) or not _is_accepted(alternative, weaker):
            continue
        if _keeps_the_fault(work, collected, weaker) and not other.unstable(work.reference, own):
            yield weaker


def _is_seen(collected: Collected, weaker: Weaker) -> bool:
    """Tell whether the reference returns and raises under a view where it does now."""
    return all(
        one.key in weaker.expected
        and raised_by(Observed(tuple(weaker.expected[one.key])))
        == raised_by(Observed(tuple(collected.expected[one.key])))
        for one in weaker.inputs
    )


def _is_accepted(alternative: Alternative, weaker: Weaker) -> bool:
    hearing = Hearing([alternative], weaker.bench)
    return not hearing.disputes(alternative, weaker.inputs, weaker.expected) and not hearing.outside


def _keeps_the_fault(work: Work, collected: Collected, weaker: Weaker) -> bool:
    lifted = [one for one in collected.lifted if one.scenario == weaker.scenario]
    now, then = (bench.outcomes(work.broken, lifted) for bench in (work.bench, weaker.bench))
    return not any(
        work.bench.is_wrong(one, before, collected.expected[one.key])
        and not weaker.bench.is_wrong(one, after, weaker.expected[one.key])
        for one, before, after in zip(lifted, now, then, strict=True)
    )
