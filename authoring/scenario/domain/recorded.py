"""The part of a domain.py that draws what was recorded at an entry inside the package."""

from collections.abc import Sequence

import black

from authoring.model.execution import Wire
from authoring.model.wire import WireError, decode
from authoring.scenario.domain.literal import MODULES, literal

__all__ = ["with_recorded"]

_END = "CUTS = []"


def with_recorded(domain: str, scenario: str, recorded: Sequence[Wire]) -> str:
    """Return the text of a domain.py with a function more, which draws one of the recorded parameters.

    What cannot be written as a literal is left out. Raise :class:`~authoring.model.wire.WireError` where nothing is
    left, or the domain was not made by ``derive_domain``.
    """
    before, mark, after = domain.rpartition(_END)
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
    text = (
        f"{head}{''.join(needed)}{first}{rest}"
        f"# arguments with which the package's own code called the entry of {scenario}, frozen\n{table}\n\n\n"
        f"def {scenario}(constants):\n    return st.sampled_from(RECORDED)\n\n\n{mark}{after}"
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
