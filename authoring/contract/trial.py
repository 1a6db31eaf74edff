"""Every wrong program on every input: the table from which checks, rules and the hard negative are chosen."""

from collections.abc import Sequence
from dataclasses import dataclass

from authoring.contract.bench import Bench, Expected
from authoring.contract.gather import stocks_of
from authoring.contract.wrong import Suspect, Wrong
from authoring.model.execution import Runner
from authoring.model.progress import Progress
from authoring.scenario.domain import ChangedCode, changed_code
from authoring.scenario.inputs import Input, candidates, in_order

__all__ = ["Table", "Trial", "further_inputs"]

_FURTHER = 520
_GUIDED = 48
_NEW_CAP = 16


@dataclass(frozen=True, slots=True)
class Table:
    """What came of the trial."""

    inputs: tuple[Input, ...]
    """Those inside the domain, in order."""
    expected: Expected
    wrongs: tuple[Wrong, ...]
    equivalent: tuple[str, ...]
    effort: int
    """Inputs that each presumed equivalent was tried on."""


@dataclass(slots=True)
class Trial:
    """Runs suspects on inputs, and looks further where no input tells one from the reference."""

    bench: Bench
    reference: str
    raises: Sequence[str]
    code: ChangedCode
    seed: int
    progress: Progress

    def run(
        self,
        suspects: Sequence[Suspect],
        inputs: Sequence[Input],
        expected: Expected,
        further: Sequence[Input],
    ) -> Table:
        """Return the table; suspects that no input tells from the reference are presumed equivalent.

        ``further`` inputs are tried on those that the usual ones do not tell; of what tells one, sixteen join the
        table and are tried on everybody.
        """
        rows = {}
        self.progress.phase("tell wrong programs from the reference", len(suspects))
        for suspect in suspects:
            rows[suspect.id] = self.bench.fails(suspect.source, inputs, expected)
            self.progress.step(suspect.id)
        unknown = [suspect for suspect in suspects if not rows[suspect.id]]
        more = self.bench.expected(self.reference, further, self.raises)
        told, effort = self._look_further(unknown, [one for one in further if one.key in more], more)
        new = list({one.key: one for one in told.values()}.values())[:_NEW_CAP]
        new_expected = self.bench.expected(self.reference, new, self.raises)
        for suspect in suspects:
            if rows[suspect.id] or suspect.id in told:
                rows[suspect.id] |= self.bench.fails(suspect.source, new, new_expected)
                if suspect.id in told:
                    rows[suspect.id] |= {told[suspect.id].key}
            self.bench.observer.forget(self.bench.program(suspect.source))
        return Table(
            inputs=(*inputs, *new),
            expected={**expected, **new_expected},
            wrongs=tuple(
                Wrong(one.id, one.kind, one.source, one.is_near_fix, rows[one.id])
                for one in suspects
                if rows[one.id]
            ),
            equivalent=tuple(one.id for one in suspects if not rows[one.id]),
            effort=len(inputs) + effort,
        )

    def _look_further(
        self, unknown: Sequence[Suspect], further: Sequence[Input], expected: Expected
    ) -> tuple[dict[str, Input], int]:
        """Return for each suspect an input that tells it, and how many further inputs the others were tried on."""
        told: dict[str, Input] = {}
        effort = 0
        for suspect in unknown:
            guided = self._guided(suspect, further)
            guided_expected = self.bench.expected(self.reference, guided, self.raises)
            tried = [*further, *(one for one in guided if one.key in guided_expected)]
            found = self.bench.fails(suspect.source, tried, {**expected, **guided_expected})
            effort = max(effort, len(tried))
            first = next((one for one in tried if one.key in found), None)
            if first is not None:
                told[suspect.id] = first
        return told, effort

    def _guided(self, suspect: Suspect, further: Sequence[Input]) -> list[Input]:
        """Return inputs mixed with the constants of the line that the suspect changes."""
        if not further:
            return []
        code = changed_code({"reference": self.reference, suspect.id: suspect.source})
        stocks = stocks_of(further, code, cap=24)
        known = {one.key for one in further}
        made = candidates(stocks, self.seed + 1, 4 * _GUIDED)
        return [one for one in made if one.key not in known][:_GUIDED]


def further_inputs(
    runner: Runner,
    bench: Bench,
    domain: str,
    inputs: Sequence[Input],
    code: ChangedCode,
    *,
    seed: int,
    is_edited: bool,
) -> list[Input]:
    """Return some 500 inputs beyond those given: draws where the domain is the author's, else mixtures."""
    known = {one.key for one in inputs}
    scenarios = sorted({one.scenario for one in inputs})
    if is_edited:
        share = _FURTHER // max(len(scenarios), 1)
        drawn = [
            Input(name, in_order(wire))
            for name in scenarios
            for wire in runner.draw(domain, name, share, seed + 1, bench.how)
        ]
        return [one for one in {one.key: one for one in drawn}.values() if one.key not in known]
    made = candidates(stocks_of(inputs, code), seed + 1, 2 * _FURTHER)
    return [one for one in made if one.key not in known][:_FURTHER]
