"""Observe how the functions that a reproducer hands to the package are called, beside what its assertions compare."""

from dataclasses import replace

from authoring.incident.sampling import Sample, by_option, hurried
from authoring.incident.views import Chosen, Observing
from authoring.model.capture import AND_CALLS
from authoring.model.execution import How, Runner
from authoring.model.progress import Progress
from authoring.scenario.lifting import Option, with_calls

__all__ = ["choose_calls"]


def choose_calls(subject: Observing, chosen: Chosen, runner: Runner, how: How, progress: Progress) -> Chosen:
    """Return the choices with the calls back observed as well, where a check hands functions of its own over.

    They are observed in the strictest form (in order with arguments, in any order, how often) that asks no more than
    the assertions do: it is data and steady on the fixed side, and on every side it equals the fixed side's wherever
    what the assertion compares does, on the lifted checks and on inputs drawn around them. So a call more or less
    that a version made while it was right does not become part of the contract.
    """
    observer = hurried(subject, chosen, runner, how)
    choices = dict(chosen.choices)
    for option, cases in by_option(subject, chosen):
        texts = with_calls(option.text, is_raising=any(case.kind == "raises" for case in cases))
        if not texts:
            continue
        progress.step(f"{cases[0].id}: calls back")
        sample = Sample.of(observer, cases, option)
        forms = (Option(option.words + AND_CALLS, text) for text in texts)
        form = next((form for form in forms if sample.holds(form, sample.seen(form))), None)
        if form is not None:
            choices |= {case.id: replace(choices[case.id], option=form) for case in cases}
    return replace(chosen, choices=choices)
