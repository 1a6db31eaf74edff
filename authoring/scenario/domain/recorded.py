"""The part of a domain.py that draws what was recorded at an entry inside the package."""

from collections.abc import Sequence

import black

from authoring.model.execution import Wire
from authoring.model.wire import WireError, decode
from authoring.scenario.domain.blocks import blocks_of
from authoring.scenario.domain.cut import CUTS_MARK, DomainCut, cuts_text, predicates_text
from authoring.scenario.domain.literal import MODULES, literal

__all__ = ["with_recorded"]


def with_recorded(
    domain: str, scenario: str, recorded: Sequence[Wire], cuts: Sequence[DomainCut] = ()
) -> str:
    """Return the text of a domain.py with a function more, which draws one of the recorded parameters.

    ``cuts`` are of what is recorded, and none takes one of the given values. What cannot be written as a literal is
    left out. Raise :class:`~authoring.model.wire.WireError` where nothing is left, or the domain was not made by
    ``derive_domain``.
    """
    before, mark, after = domain.rpartition(CUTS_MARK)
    rows = dict.fromkeys(_literals(recorded))
    if not rows or not mark:
        raise WireError(f"scenario {scenario} has no recorded parameters that a domain can hold")
    table = f"RECORDED = [{', '.join(rows)}]"
    needed = [
        f"import {one}\n"
        for one in sorted(set(MODULES.values()))
        if f"{one}." in table and f"import {one}\n" not in domain
    ]
    head, first, rest = before.partition("from hypothesis import strategies as st\n")
    narrowed = ".filter(allows_" + scenario + ")" if cuts else ""
    function = f"def {scenario}(constants):\n    return st.sampled_from(RECORDED){narrowed}"
    predicates = predicates_text([scenario], cuts)
    blocks = [blocks_of("".join(predicates))] if predicates else []
    ending = cuts_text(cuts) + "\n" if cuts else f"{mark}{after}"
    parts = [table, *blocks, *predicates, function, ending]
    text = (
        f"{head}{''.join(needed)}{first}{rest}"
        f"# arguments with which the package's own code called the entry of {scenario}, frozen\n"
        + "\n\n\n".join(parts)
    )
    return black.format_str(text, mode=black.Mode(line_length=110))


def _literals(recorded: Sequence[Wire]) -> list[str]:
    found = []
    for wire in recorded:
        try:
            found.append(literal(decode(wire)))
        except (WireError, TypeError):
            continue
    return found
