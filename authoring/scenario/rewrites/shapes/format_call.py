"""Say a formatted string with ``str.format``."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.rewrites.rewrite import Rewrite

__all__ = ["FORMAT_CALL"]


def _propose(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if not isinstance(node, cst.FormattedString):
        return
    text, values = "", []
    for part in node.parts:
        if isinstance(part, cst.FormattedStringText):
            text += part.value
            continue
        if not isinstance(part, cst.FormattedStringExpression) or part.equal is not None:
            return
        spec = _spec(part)
        if spec is None:
            return
        text += "{" + (f"!{part.conversion}" if part.conversion else "") + spec + "}"
        values.append(cst.Arg(part.expression))
    prefix = node.start.rstrip("\"'").lower().replace("f", "")
    quotes = node.start.lstrip("rRfF")
    literal = cst.SimpleString(prefix + quotes + text + node.end)
    yield cst.Call(cst.Attribute(literal, cst.Name("format")), values)


def _spec(part: cst.FormattedStringExpression) -> str | None:
    """Return the format with its colon, or None where it is computed itself."""
    if part.format_spec is None:
        return ""
    if all(isinstance(piece, cst.FormattedStringText) for piece in part.format_spec):
        return ":" + "".join(
            piece.value for piece in part.format_spec if isinstance(piece, cst.FormattedStringText)
        )
    return None


FORMAT_CALL = Rewrite(
    "format-call",
    _propose,
    (
        ('x = f"{a}B"\n', 'x = "{}B".format(a)\n'),
        ('x = f"{a + 1:.1f} {b!r}"\n', 'x = "{:.1f} {!r}".format(a + 1, b)\n'),
    ),
)
