"""Every wrong program on every input: the table from which checks, rules and the hard negative are chosen."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from authoring.contract.bench import Expected, Row
from authoring.contract.collect import Collected
from authoring.contract.fidelity import faithful
from authoring.contract.further import further_inputs
from authoring.contract.gather import stocks_of
from authoring.contract.material import WrongKind
from authoring.contract.work import Work
from authoring.contract.wrong import Suspect, suspects_of
from authoring.scenario.domain import ChangedCode, Constants, changed_lines, constants_of, lines_around
from authoring.scenario.inputs import Input, candidates, with_pieces

__all__ = ["Table", "Wrong", "is_over_correction", "suspects", "tabulate", "with_checks"]

_MUTANTS = 190
_GUIDED = 48
_AROUND = 96
"""Inputs that take in what stands around the change of a wrong program, all scenarios together."""
_NEW_CAP = 16
_BROKEN_HANGS_CAP = 30
_NUMBER = re.compile(r"\b\d{1,18}\b", re.ASCII)
_QUOTED = re.compile(r"'[^'\\\n]{0,40}'|\"[^\"\\\n]{0,40}\"")


@dataclass(frozen=True, slots=True)
class Wrong:
    """A program that some input tells from the reference."""

    id: str
    kind: WrongKind
    source: str
    is_near_fix: bool
    row: Row

    @property
    def fails(self) -> frozenset[str]:
        """The keys of the inputs on which it is known to be wrong."""
        return self.row.fails

    @classmethod
    def of(cls, suspect: Suspect, row: Row | None = None) -> "Wrong":
        """Return a suspect as a wrong program; without a row it was asked nothing yet."""
        nothing = Row(frozenset(), frozenset())
        return cls(suspect.id, suspect.kind, suspect.source, suspect.is_near_fix, row or nothing)


@dataclass(frozen=True, slots=True)
class Table:
    """What came of the trial."""

    inputs: tuple[Input, ...]
    """All inputs inside the domain."""
    expected: Expected
    wrongs: tuple[Wrong, ...]
    equivalent: tuple[str, ...]
    effort: int
    """Inputs that each presumed equivalent was tried on."""
    presumed: tuple[Suspect, ...] = ()
    """The presumed equivalents themselves."""

    def wrong(self, name: str) -> Wrong | None:
        """Return a wrong program by id."""
        return next((one for one in self.wrongs if one.id == name), None)

    @property
    def known(self) -> frozenset[str]:
        """The keys of the inputs about which broken and a captured attempt were asked: not all where they
        hang.
        """
        captured = [one.row.asked for one in self.wrongs if one.kind in ("broken", "hard_negative")]
        return frozenset.intersection(*captured) if captured else frozenset()

    @property
    def faults(self) -> frozenset[str]:
        """The keys of the inputs on which broken is wrong."""
        broken = self.wrong("broken")
        return broken.fails if broken is not None else frozenset()


def tabulate(work: Work, collected: Collected) -> Table:
    """Try broken, a captured attempt and what else may be wrong; look further for what no input tells.

    An over-correction that does not repair a fault and break what broken did right is taken as a mutant. Suspects
    that nothing tells from the reference are presumed equivalent. Of the further inputs that tell one, sixteen join
    the table and are tried on everybody.
    """
    tried = suspects(work)
    inputs, expected = collected.inputs, collected.expected
    work.progress.phase("tell wrong programs from the reference", len(tried))
    rows: dict[str, Row] = {}
    for suspect in tried:
        rows[suspect.id] = _row(work, suspect, inputs, expected)
        work.progress.step(suspect.id)
    further = further_inputs(work, inputs, seed=work.material.seed)
    unknown = [suspect for suspect in tried if not rows[suspect.id].fails]
    told, effort = _look_further(work, unknown, further)
    new = faithful(work, list({one.key: one for one in told.values()}.values()), "reference")[:_NEW_CAP]
    new_expected = work.bench.expected(work.reference, new, work.raises)
    for suspect in tried:
        if rows[suspect.id].fails or suspect.id in told:
            rows[suspect.id] |= _row(work, suspect, new, new_expected)
        work.bench.observer.forget(work.bench.program(suspect.source))
    tried = [
        _as_mutant(one) if not is_over_correction(rows[one.id], rows["broken"]) else one for one in tried
    ]
    presumed = tuple(one for one in tried if not rows[one.id].fails)
    return Table(
        inputs=(*inputs, *new),
        expected={**expected, **new_expected},
        wrongs=tuple(Wrong.of(one, rows[one.id]) for one in tried if rows[one.id].fails),
        equivalent=tuple(one.id for one in presumed),
        effort=len(inputs) + effort,
        presumed=presumed,
    )


def with_checks(work: Work, table: Table, chosen: Sequence[Input]) -> Table:
    """Return the table with every wrong program asked about every chosen input."""
    wrongs = []
    for wrong in table.wrongs:
        missing = [one for one in chosen if one.key not in wrong.row.asked]
        if missing:
            row = work.bench.row(
                wrong.source, missing, table.expected, is_full=True, hangs_cap=len(missing) + 1
            )
            wrongs.append(replace(wrong, row=wrong.row | row))
        else:
            wrongs.append(wrong)
    return replace(table, wrongs=tuple(wrongs))


def suspects(work: Work) -> list[Suspect]:
    """Return broken, a captured attempt, partial fixes, over-corrections and mutants of the reference."""
    programs = work.material.programs
    suspects = [Suspect("broken", "broken", work.broken, True)]
    if "hard_negative" in programs:
        suspects.append(Suspect("hard_negative", "hard_negative", programs["hard_negative"], True))
    return suspects + suspects_of(work.broken, work.reference, int(_MUTANTS * work.material.effort))


def is_over_correction(row: Row, broken: Row) -> bool:
    """Tell whether a program repairs an input that broken fails, and fails one that broken passes."""
    repairs = (broken.fails & row.asked) - row.fails
    breaks = (row.fails & broken.asked) - broken.fails
    return bool(repairs and breaks)


def _as_mutant(suspect: Suspect) -> Suspect:
    return replace(suspect, kind="mutant") if suspect.kind == "over-correction" else suspect


def _is_captured(suspect: Suspect) -> bool:
    return suspect.kind in ("broken", "hard_negative")


def _row(work: Work, suspect: Suspect, inputs: Sequence[Input], expected: Expected) -> Row:
    if _is_captured(suspect):
        return work.bench.row(suspect.source, inputs, expected, is_full=True, hangs_cap=_BROKEN_HANGS_CAP)
    return work.bench.row(suspect.source, inputs, expected)


def _look_further(
    work: Work, unknown: Sequence[Suspect], further: Sequence[Input]
) -> tuple[Mapping[str, Input], int]:
    """Return for each suspect an input that tells it, and how many further inputs others were tried on."""
    expected = work.bench.expected(work.reference, further, work.raises)
    inside = [one for one in further if one.key in expected]
    told: dict[str, Input] = {}
    effort = 0
    around = _Around(work, inside)
    for suspect in unknown:
        guided = _guided(work, suspect, inside)
        guided_expected = work.bench.expected(work.reference, guided, work.raises)
        near, near_expected = around.inputs(suspect)
        known = {**guided_expected, **near_expected}
        tried = [*(one for one in (*guided, *near) if one.key in known), *inside]
        row = work.bench.row(suspect.source, tried, {**expected, **known})
        effort = max(effort, len(tried))
        first = next((one for one in tried if one.key in row.fails), None)
        if first is not None:
            told[suspect.id] = first
    return told, effort


def _guided(work: Work, suspect: Suspect, further: Sequence[Input]) -> list[Input]:
    """Return inputs mixed with the constants of the lines that the suspect changes."""
    if not further or work.material.is_domain_edited:
        return []
    _, lines = changed_lines(work.reference, suspect.source)
    text = suspect.source.splitlines()
    code = ChangedCode(changed=_constants_of([text[line - 1] for line in sorted(lines)]))
    known = {one.key for one in further}
    made = candidates(stocks_of(further, code, cap=24), work.material.seed + 1, 4 * _GUIDED)
    return [one for one in made if one.key not in known][:_GUIDED]


class _Around:
    """Inputs that take in what stands around a change: in its function, and in the data that this one reads."""

    def __init__(self, work: Work, further: Sequence[Input]) -> None:
        self.work = work
        self.further = further
        self._known: dict[frozenset[int], tuple[list[Input], Expected]] = {}

    def inputs(self, suspect: Suspect) -> tuple[list[Input], Expected]:
        """Return inputs for a suspect, and what the reference answers to them."""
        if not self.further or self.work.material.is_domain_edited:
            return [], {}
        changed, _ = changed_lines(self.work.reference, suspect.source)
        lines = lines_around(self.work.reference, changed)
        if lines not in self._known:
            found = self._made(ChangedCode(constants_of(self.work.reference, lines)))
            self._known[lines] = found, self.work.bench.expected(self.work.reference, found, self.work.raises)
        return self._known[lines]

    def _made(self, code: ChangedCode) -> list[Input]:
        known = {one.key for one in self.further}
        stocks = stocks_of(self.further, code, cap=24)
        share = -(-_AROUND // len(stocks))
        made = [
            Input(name, wire)
            for name, stock in stocks.items()
            for wire in with_pieces(stock.inputs, self.work.material.seed + 2, stock.palette, share)
        ]
        return [one for one in made if one.key not in known]


def _constants_of(lines: Sequence[str]) -> Constants:
    """Return the numbers and texts of single lines, which need not parse on their own."""
    text = "\n".join(lines)
    return Constants(
        numbers=tuple(sorted({int(number) for number in _NUMBER.findall(text)})),
        texts=tuple(sorted({quoted[1:-1] for quoted in _QUOTED.findall(text)} - {""})),
    )
