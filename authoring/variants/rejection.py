"""Find a program that a variant's public checks accept and its hidden ones reject."""

from collections.abc import Iterator

from authoring.variants.hardcoded import public_answers
from authoring.variants.material import Tools, VariantTask
from authoring.variants.observer import Observer

__all__ = ["find_witness"]


_MUTANTS = 40


def find_witness(task: VariantTask, tools: Tools) -> str | None:
    """Return what kind of program it is: ``hard negative``, ``hard-coded answers`` or a mutant's id; None:
    none found.
    """
    observer = Observer(tools.runner, tools.how, task.contract, task.scenarios)
    for name, source in _suspects(task, tools):
        accepted = [observer.failed(source, checks) for checks in (task.public.checks, task.hidden.checks)]
        if not any(accepted[0]) and any(accepted[1]):
            return name
    return None


def _suspects(task: VariantTask, tools: Tools) -> Iterator[tuple[str, str]]:
    if task.hard_negative:
        yield "hard negative", task.hard_negative
    table = public_answers(task)
    if table is not None:
        yield "hard-coded answers", table
    yield from tools.mutants_of(task.reference)[:_MUTANTS]
