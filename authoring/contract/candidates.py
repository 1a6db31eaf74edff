"""Inputs of the table as candidates for checks."""

from collections.abc import Mapping, Sequence

from authoring.contract.select_checks import Candidate
from authoring.contract.trial import Table
from authoring.model.observation import Observation
from authoring.scenario.inputs import Input, weight

__all__ = ["candidates_of"]

_LENGTH_CAP = 1500
_EXPECT_LENGTH_CAP = 4000


def candidates_of(
    table: Table, lifted: Sequence[Input], rules: Mapping[str, int], paths: Mapping[str, str]
) -> tuple[list[Candidate], list[Candidate]]:
    """Return lifted inputs in the reproducer's order, and those others that are short enough to be read.

    Of those that bound what a call costs, all are.
    """
    killers: dict[str, set[str]] = {}
    for wrong in table.wrongs:
        for name in wrong.fails:
            killers.setdefault(name, set()).add(wrong.id)
    order = {one.key: n for n, one in enumerate(lifted)}
    shown, others = [], []
    for one in table.inputs:
        size = weight(one.params)[0]
        kills = frozenset(killers.get(one.key, ()))
        made = Candidate(one, rules[one.key], kills, size, paths.get(one.key, ""))
        if one.key in order:
            shown.append(made)
        elif one.line_events is not None or _is_readable(size, table.expected[one.key]):
            others.append(made)
    return sorted(shown, key=lambda one: order[one.input.key]), others


def _is_readable(size: int, expected: Sequence[Observation]) -> bool:
    return size <= _LENGTH_CAP and len(str(expected)) <= _EXPECT_LENGTH_CAP
