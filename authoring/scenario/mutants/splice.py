"""The text of a module with one node replaced, without rebuilding the tree where that is safe."""

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

__all__ = ["Splicer"]

_SPLICED = (cst.BaseExpression, cst.BaseSmallStatement, cst.ComparisonTarget, cst.BaseSlice)


class Splicer:
    """Replaces nodes of one parsed module, one at a time.

    Expressions and small statements are cut out of the text by their span; whatever has a block of its own
    goes through the tree, which keeps the indentation right.
    """

    def __init__(self, wrapper: MetadataWrapper) -> None:
        self._module = wrapper.module
        self._bytes = wrapper.module.bytes
        self._encoding = wrapper.module.encoding
        self._spans = wrapper.resolve(ByteSpanPositionProvider)

    def replaced(self, node: cst.CSTNode, by: cst.CSTNode) -> str | None:
        """Return the module's text with ``by`` in place of ``node``; None where that is no valid tree."""
        try:
            if isinstance(node, _SPLICED) and isinstance(by, _SPLICED) and node in self._spans:
                return self._spliced(node, by)
            changed = self._module.deep_replace(node, by)
        except cst.CSTValidationError:
            return None
        return changed.code if isinstance(changed, cst.Module) else None

    def _spliced(self, node: cst.CSTNode, by: cst.CSTNode) -> str:
        span = self._spans[node]
        text = self._module.code_for_node(_bare(node, by)).encode(self._encoding)
        end = span.start + span.length
        return (self._bytes[: span.start] + text + self._bytes[end:]).decode(self._encoding)


def _bare(node: cst.CSTNode, by: cst.CSTNode) -> cst.CSTNode:
    """Return the replacement without parentheses that it took over from the node: a span lies inside them."""
    pars = getattr(node, "lpar", ())
    if pars and getattr(by, "lpar", ()) is pars:
        return by.with_changes(lpar=[], rpar=[])
    return by
