"""Leave out or change a piece of a formatted text: the words between, a conversion, a format."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.operator import Operator, Proposal

__all__ = ["FORMAT_PIECES"]


def _propose(node: cst.CSTNode) -> Iterator[Proposal]:
    if isinstance(node, cst.FormattedString):
        for at, part in enumerate(node.parts):
            yield node.with_changes(parts=[*node.parts[:at], *node.parts[at + 1 :]])
            if isinstance(part, cst.FormattedStringExpression) and (part.format_spec or part.conversion):
                plain = part.with_changes(format_spec=None, conversion=None)
                yield node.with_changes(parts=[*node.parts[:at], plain, *node.parts[at + 1 :]])


FORMAT_PIECES = Operator(
    "format-piece",
    _propose,
    (
        ('x = f"{a}B"\n', 'x = f"{a}"\n'),
        ('x = f"{a}B"\n', 'x = f"B"\n'),
        ('x = f"{a:.1f}"\n', 'x = f"{a}"\n'),
    ),
)
