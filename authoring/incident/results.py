"""Observe whole results too, where what assertions compare takes few values (DESIGN.md 4.4)."""

from dataclasses import replace

from authoring.incident.sampling import Sample, by_option, hurried, told
from authoring.incident.views import Chosen, Observing
from authoring.model.capture import AND_RESULT
from authoring.model.execution import How, Runner
from authoring.model.progress import Progress
from authoring.scenario.lifting import Option, with_result

__all__ = ["choose_results"]

TELLING = 20
"""Different observations among the inputs drawn, from which on an assertion's own are enough."""


def choose_results(
    subject: Observing, chosen: Chosen, runner: Runner, how: How, progress: Progress
) -> Chosen:
    """Return the choices with whole results observed as well, where the assertions' own observations tell little.

    A result is observed in the first form that tells more and asks no more: it is data and steady on the fixed side,
    and on every side it equals the fixed side's wherever all that the reproducer asks of it does, on the lifted
    checks and on inputs drawn around them. So a difference that no assertion sees does not become part of the
    contract.
    """
    observer = hurried(subject, chosen, runner, how)
    samples: list[Sample] = []
    different: set[bytes] = set()
    for option, cases in by_option(subject, chosen):
        samples.append(Sample.of(observer, cases, option))
        different |= told(samples[-1].own)
        if len(different) >= TELLING:
            return chosen
    choices = dict(chosen.choices)
    for sample in samples:
        progress.step(f"{sample.cases[0].id}: whole results")
        form = _form(sample)
        if form is not None:
            choices |= {case.id: replace(choices[case.id], option=form) for case in sample.cases}
    return replace(chosen, choices=choices)


def _form(sample: Sample) -> Option | None:
    """Return the first form that may be observed; None where there is none that tells more."""
    if any(case.kind == "raises" for case in sample.cases):
        return None
    for text in with_result(sample.option.text):
        form = Option(sample.option.words + AND_RESULT, text)
        whole = sample.seen(form)
        if len(told(whole)) > len(told(sample.own)) and sample.holds(form, whole):
            return form
    return None
