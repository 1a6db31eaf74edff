"""The step that settles the hard negative: the captured attempt, or the best that can be made."""

from collections.abc import Sequence
from dataclasses import replace

from authoring.contract.candidates import candidates_of
from authoring.contract.hard_negative import MADE, kind_of, synthesise
from authoring.contract.material import HardNegativeKind
from authoring.contract.refusals import refuse_no_hard_negative
from authoring.contract.select_checks import choose_public
from authoring.contract.trial import Table, Wrong
from authoring.contract.work import Work
from authoring.scenario.inputs import Input

__all__ = ["settle_negative"]


def settle_negative(work: Work, table: Table, lifted: Sequence[Input]) -> tuple[Table, HardNegativeKind]:
    """Return the table in which ``hard_negative`` stands, and where it comes from.

    An attempt that no input tells from broken or from the reference is put aside with a note. Raises
    ``RefusedError`` (CTR004) where none can be made.
    """
    captured = table.wrong("hard_negative")
    if captured is not None and captured.fails != table.faults:
        return table, "captured"
    if "hard_negative" in work.material.programs:
        like = "the broken program" if captured is not None else "the reference"
        work.notes.append(
            f"The attempt cannot be told from {like} by any input: a hard negative was made instead."
        )
    rules = {one.key: int(one.key not in table.faults) for one in table.inputs}
    shown, others = candidates_of(table, lifted, rules, work.paths)
    public = frozenset(one.input.key for one in choose_public(shown, others, sorted(set(rules.values()))))
    hidden = frozenset(one.input.key for one in others) - public
    everything = {one.key for one in table.inputs}
    made = [one for one in table.wrongs if one.kind in MADE and everything <= one.row.asked]
    best = synthesise(made, table.faults, public, hidden)
    if best is None:
        refuse_no_hard_negative(len(made))
    row = best.row | work.bench.row(best.source, table.inputs, table.expected, is_full=True, hangs_cap=8)
    negative = Wrong("hard_negative", "hard_negative", best.source, True, row)
    others_left = [one for one in table.wrongs if one.id not in ("hard_negative", best.id)]
    presumed = tuple(
        replace(one, id="attempt") if one.kind == "hard_negative" else one for one in table.presumed
    )
    table = replace(table, wrongs=(*others_left, negative), presumed=presumed)
    return table, kind_of(best)
