"""The over-corrections of a fix: programs that repair what was broken, and may break what was right."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from authoring.scenario.compiles import compiles
from authoring.scenario.mutants.fix import Fix, fix_of
from authoring.scenario.mutants.mutants_of import Mutant
from authoring.scenario.mutants.over_correction import OverCorrection
from authoring.scenario.mutants.over_corrections import OVER_CORRECTIONS
from authoring.scenario.mutants.splice import Splicer

__all__ = ["over_corrections_of"]


def over_corrections_of(
    broken: str,
    reference: str,
    limit: int | None = None,
    ways: Sequence[OverCorrection] = OVER_CORRECTIONS,
) -> list[Mutant]:
    """Return distinct programs that compile, the same list for the same two sources.

    Each is the reference with what the fix does done to more than it should be. With a ``limit``, the ways take turns.
    Whether one repairs something and breaks something is for a trial to tell. A source that does not parse raises
    ``libcst.ParserSyntaxError``.
    """
    wrapper = MetadataWrapper(cst.parse_module(reference), unsafe_skip_copy=True)
    lines = wrapper.resolve(PositionProvider)
    splicer, fix = Splicer(wrapper), fix_of(broken, wrapper)
    rows = [list(_made(way, fix, splicer)) for way in ways]
    found: dict[str, Mutant] = {}
    for turn in zip_longest(*rows):
        for one in turn:
            if one is not None:
                way, part, text = one
                line = lines[part].start.line
                found.setdefault(text, Mutant(f"over-{way}-{line}", way, line, text))
    distinct = [one for text, one in found.items() if text not in (broken, reference)]
    return _numbered(distinct[:limit])


def _made(way: OverCorrection, fix: Fix, splicer: Splicer) -> Iterator[tuple[str, cst.CSTNode, str]]:
    """Yield the way's name, the part that was replaced, and the text, of what compiles."""
    for proposal in way.propose(fix):
        text = splicer.replaced(proposal.part, proposal.by)
        if text and compiles(text):
            yield way.name, proposal.part, text


def _numbered(made: Sequence[Mutant]) -> list[Mutant]:
    counts: dict[str, int] = {}
    numbered = []
    for one in made:
        counts[one.id] = counts.get(one.id, 0) + 1
        numbered.append(Mutant(f"{one.id}.{counts[one.id]}", one.operator, one.line, one.source))
    return numbered
