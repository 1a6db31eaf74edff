"""Find a program that a variant's public checks accept and its hidden ones reject."""

from collections.abc import Iterator, Sequence

from authoring.model.task import Check
from authoring.variants.hardcoded import hardcode
from authoring.variants.material import Tools, VariantTask
from authoring.variants.observer import Observer, input_of

__all__ = ["find_witness"]


_MUTANTS = 40


def find_witness(task: VariantTask, tools: Tools) -> str | None:
    """Return what kind of program it is: ``hard negative``, ``hard-coded answers`` or a mutant's id; None:
    none found.
    """
    observer = Observer(tools.runner, tools.how, task.contract, task.scenarios)
    for name, source in _suspects(task, tools):
        accepted = [_failed(observer, source, checks) for checks in (task.public.checks, task.hidden.checks)]
        if not any(accepted[0]) and any(accepted[1]):
            return name
    return None


def _suspects(task: VariantTask, tools: Tools) -> Iterator[tuple[str, str]]:
    if task.hard_negative:
        yield "hard negative", task.hard_negative
    table = hardcode(task.program, task.reference, [check.params for check in task.public.checks])
    if table is not None:
        yield "hard-coded answers", table
    yield from tools.mutants_of(task.reference)[:_MUTANTS]


def _failed(observer: Observer, source: str, checks: Sequence[Check]) -> list[bool]:
    return observer.failures(
        source, [input_of(check) for check in checks], [check.expect for check in checks]
    )
