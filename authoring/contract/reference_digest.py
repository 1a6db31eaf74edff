"""The digest of a program's meaning-bearing structure, the same whatever Python the tool runs on."""

from collections.abc import Iterator, Sequence

import libcst as cst

from authoring.model.digest import value_digest

__all__ = ["reference_digest"]

_LAYOUT = (
    cst.BaseParenthesizableWhitespace,
    cst.Comment,
    cst.Newline,
    cst.EmptyLine,
    cst.TrailingWhitespace,
    cst.Comma,
    cst.Semicolon,
    cst.LeftParen,
    cst.RightParen,
)


def reference_digest(source: str) -> str:
    """Return the sha256 of the program's tree: no docstrings, layout or brackets, names by their first use.

    The standard library's ``ast.dump`` differs between Pythons (f-strings, optional fields), so the tree is
    LibCST's: a list of node kinds, operators and literal values in the order of the text, and for every
    name the number of names that came before its first use.
    """
    names: dict[str, int] = {}
    tree = list(_walk(cst.parse_module(source), names))
    return value_digest(tree)


def _walk(node: cst.CSTNode, names: dict[str, int]) -> Iterator[str]:
    if isinstance(node, _LAYOUT) or _is_docstring_line(node):
        return
    yield from _label(node, names)
    for child in _children(node):
        yield from _walk(child, names)
    yield ")"


def _children(node: cst.CSTNode) -> Sequence[cst.CSTNode]:
    return () if isinstance(node, cst.SimpleString | cst.ConcatenatedString) else node.children


def _label(node: cst.CSTNode, names: dict[str, int]) -> Iterator[str]:
    yield type(node).__name__
    if isinstance(node, cst.Name):
        yield str(names.setdefault(node.value, len(names)))
    elif isinstance(node, cst.BaseNumber):
        yield _number(node)
    elif isinstance(node, cst.SimpleString | cst.ConcatenatedString):
        yield repr(node.evaluated_value)
    elif isinstance(node, cst.FormattedStringText):
        yield node.value
    elif isinstance(node, cst.FormattedStringExpression):
        yield node.conversion or ""
    elif isinstance(node, cst.Arg | cst.Param):
        yield str(node.star)


def _number(node: cst.BaseNumber) -> str:
    value = node.evaluated_value if isinstance(node, cst.Integer | cst.Float | cst.Imaginary) else None
    return f"{type(value).__name__} {value!r}"


def _is_docstring_line(node: cst.CSTNode) -> bool:
    if not isinstance(node, cst.SimpleStatementLine) or len(node.body) != 1:
        return False
    statement = node.body[0]
    return isinstance(statement, cst.Expr) and isinstance(
        statement.value, cst.SimpleString | cst.ConcatenatedString
    )
