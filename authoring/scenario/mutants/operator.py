"""What a mutation operator is: a name, examples, and the replacements that it proposes for a node."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import libcst as cst

__all__ = ["Example", "Instead", "Operator", "Proposal", "code_of", "enclosed", "expression", "negated"]

Example = tuple[str, str]
"""A text before and one of the texts after."""


@dataclass(frozen=True, slots=True)
class Instead:
    """A replacement for a part of the node that was looked at: cheaper to write out than the whole node."""

    part: cst.CSTNode
    by: cst.CSTNode


Proposal = cst.CSTNode | Instead


@dataclass(frozen=True, slots=True)
class Operator:
    """One way to make a program wrong."""

    name: str
    propose: Callable[[cst.CSTNode], Iterable[Proposal]]
    """Yield what may stand in place of a node; nothing where the operator does not apply."""
    examples: tuple[Example, ...]


def expression(text: str) -> cst.BaseExpression:
    """Return the parsed expression."""
    return cst.parse_expression(text)


def negated(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return ``not node``, or what stood behind a ``not``, in parentheses where they may be needed."""
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
        return enclosed(node.expression)
    return cst.UnaryOperation(cst.Not(), enclosed(node), lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def enclosed(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return the expression in parentheses, unless it has them or is a name, call, attribute or literal."""
    if node.lpar or isinstance(
        node, cst.Name | cst.Call | cst.Attribute | cst.BaseNumber | cst.Subscript | cst.List
    ):
        return node
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def code_of(node: cst.CSTNode) -> str:
    """Return a node's text."""
    return cst.Module([]).code_for_node(node)
