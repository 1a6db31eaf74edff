"""The text of a module with one node replaced, without rebuilding the tree where that is safe."""

from collections.abc import Iterator
from dataclasses import fields

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

__all__ = ["Splicer"]

_SPLICED = (cst.BaseExpression, cst.BaseSmallStatement, cst.ComparisonTarget, cst.BaseSlice)


class Splicer:
    """Replaces nodes of one parsed module, one at a time.

    Expressions and small statements are cut out of the text by their span. Whatever has a block of its own is
    replaced in the tree, which keeps the indentation right: only what is above it is made anew, and only the
    module's statement that holds it is written anew.
    """

    def __init__(self, wrapper: MetadataWrapper) -> None:
        self._module = wrapper.module
        self._bytes = wrapper.module.bytes
        self._encoding = wrapper.module.encoding
        self._spans = wrapper.resolve(ByteSpanPositionProvider)
        self._parents: dict[int, cst.CSTNode] = {}
        self._texts: list[str] = []
        self._header = self._footer = ""

    def replaced(self, node: cst.CSTNode, by: cst.CSTNode) -> str | None:
        """Return the module's text with ``by`` in place of ``node``; None where that is no valid tree."""
        try:
            if isinstance(node, _SPLICED) and isinstance(by, _SPLICED) and node in self._spans:
                return self._spliced(node, by)
            return self._planted(node, by)
        except cst.CSTValidationError:
            return None

    def _spliced(self, node: cst.CSTNode, by: cst.CSTNode) -> str:
        span = self._spans[node]
        text = self._module.code_for_node(_bare(node, by)).encode(self._encoding)
        end = span.start + span.length
        return (self._bytes[: span.start] + text + self._bytes[end:]).decode(self._encoding)

    def _planted(self, node: cst.CSTNode, by: cst.CSTNode) -> str | None:
        if not self._parents:
            self._parents = {
                id(child): parent for parent in _below(self._module) for child in parent.children
            }
            self._texts = [self._module.code_for_node(statement) for statement in self._module.body]
            self._header, _, self._footer = self._module.code.partition("".join(self._texts))
        old, new = node, by
        while (parent := self._parents.get(id(old), self._module)) is not self._module:
            old, new = parent, _with_child(parent, old, new)
        at = next((at for at, statement in enumerate(self._module.body) if statement is old), None)
        if at is None:
            changed = self._module.deep_replace(node, by)
            return changed.code if isinstance(changed, cst.Module) else None
        texts = [*self._texts[:at], self._module.code_for_node(new), *self._texts[at + 1 :]]
        return self._header + "".join(texts) + self._footer


def _below(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for child in node.children:
        yield from _below(child)


def _with_child(parent: cst.CSTNode, old: cst.CSTNode, new: cst.CSTNode) -> cst.CSTNode:
    """Return a node with one child replaced."""
    for place in fields(parent):
        value = getattr(parent, place.name)
        if value is old:
            return parent.with_changes(**{place.name: new})
        if isinstance(value, list | tuple) and any(one is old for one in value):
            return parent.with_changes(**{place.name: [new if one is old else one for one in value]})
    raise AssertionError("a child that its parent does not hold")


def _bare(node: cst.CSTNode, by: cst.CSTNode) -> cst.CSTNode:
    """Return the replacement without parentheses that it took over from the node: a span lies inside them."""
    pars = getattr(node, "lpar", ())
    if pars and getattr(by, "lpar", ()) is pars:
        return by.with_changes(lpar=[], rpar=[])
    return by
