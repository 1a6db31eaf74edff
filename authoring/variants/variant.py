"""Make one variant: a change, names, inputs of its own, each proved on the programs."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from authoring.model.digest import keyed_digest
from authoring.model.variants import VariantSpec
from authoring.variants.base import Stock, assemble, examples_of, with_patterns
from authoring.variants.change import Change, changes, unchanged
from authoring.variants.counterparts import choose_counterparts, place
from authoring.variants.draws import candidates_of, draw_inputs, pools_of
from authoring.variants.hardcoded import public_answers
from authoring.variants.material import Tools, VariantTask
from authoring.variants.naming import give_names
from authoring.variants.observer import Observer
from authoring.variants.render import render_prose

__all__ = ["make_hidden", "make_public"]

_MUTANTS = 12

Mutant = tuple[str, str]


def make_public(stock: Stock, tools: Tools, variant: str) -> VariantTask:
    """Return a variant that differs from ``base`` in names and inputs."""
    return _make(stock, tools, variant, unchanged(stock), tier="public", turn=0)


def make_hidden(stock: Stock, tools: Tools, variant: str, turn: int) -> VariantTask | None:
    """Return a variant that differs in constants, shape or fault too, or None where no difference holds.

    ``turn`` decides which difference is tried first.
    """
    task_id = f"{stock.material.contract.id}/{variant}"
    used = frozenset(stock.used)
    for change in changes(stock, tools, task_id, turn):
        task = _make(stock, tools, variant, change, tier="hidden", turn=turn)
        if task.spec.constants or task.spec.shapes or task.spec.fault:
            return task
        stock.used.clear()
        stock.used.update(used)
    return None


def _make(stock: Stock, tools: Tools, variant: str, change: Change, *, tier: str, turn: int) -> VariantTask:
    task_id = f"{stock.material.contract.id}/{variant}"
    named = give_names(stock, tools, task_id, change)
    mutants = _some(tools.mutants_of(named.programs["reference"]), tools.key, task_id)
    inputs = draw_inputs(stock, tools, change, task_id)
    own, drawn = candidates_of(stock, tools, named, mutants, inputs)
    drawn = [each for each in drawn if place(each.input, stock.drawn_as) not in stock.pooled]
    split = len(stock.material.public)
    public = choose_counterparts(
        stock.material.public, own[:split], drawn, stock.used, larger=False, drawn_as=stock.drawn_as
    )
    hidden = choose_counterparts(
        stock.material.hidden, own[split:], drawn, stock.used, larger=True, drawn_as=stock.drawn_as
    )
    spec = VariantSpec(
        id=variant,
        tier="public" if tier == "public" else "hidden",
        vocabulary=named.vocabulary,
        constants=change.constants,
        shapes=change.shapes,
    )
    constants = {**stock.constants, **change.constants}
    task = assemble(
        spec,
        named.contract,
        programs=named.programs,
        scenarios=named.scenarios,
        prompt=render_prose(stock.material.prompt_template, named.vocabulary, constants, examples_of(public)),
        public=public,
        hidden=hidden,
        pools=pools_of(stock, tools, named, inputs, task_id=task_id),
    )
    return with_patterns(_with_fault(task, tools, mutants, turn) if change.other_fault else task, tools)


def _some(mutants: Iterable[Mutant], key: bytes, task_id: str) -> list[Mutant]:
    return sorted(mutants, key=lambda mutant: keyed_digest(key, "mutants", task_id, mutant[0]))[:_MUTANTS]


def _with_fault(task: VariantTask, tools: Tools, mutants: Sequence[Mutant], turn: int) -> VariantTask:
    """Put a mutant that some public and some hidden check reject in broken's place; those that fail least
    come first, and what fails everywhere last.

    Public answers hard-coded in it must not be enough for the hidden checks.
    """
    observer = Observer(tools.runner, tools.how, task.contract, task.scenarios)
    fitting = []
    for mutant in mutants:
        failed = [
            sum(observer.failed(mutant[1], checks)) for checks in (task.public.checks, task.hidden.checks)
        ]
        if all(failed):
            fitting.append((failed[0] == len(task.public.checks), failed[0], mutant))
    partial = [one for one in sorted(fitting) if not one[0]] or sorted(fitting)
    first = turn % len(partial) if partial else 0
    for _, _, (fault, program) in [*partial[first:], *partial[:first]]:
        made = replace(task, program=program, spec=task.spec.model_copy(update={"fault": fault}))
        table = public_answers(made)
        if table is None or any(observer.failed(table, task.hidden.checks)):
            return made
    return task
