"""Measure how far apart two programs are in text, blind to names and literals and to code that never runs."""

import ast
import io
import keyword
import tokenize
from collections.abc import Iterator

__all__ = ["blind_tokens", "distance", "without_dead_code"]

_GRAM = 5
_DROPPED = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER})
_LAYOUT = {tokenize.NEWLINE: "NEWLINE", tokenize.INDENT: "INDENT", tokenize.DEDENT: "DEDENT"}
_ENDS = ast.Return | ast.Raise | ast.Continue | ast.Break


def distance(left: str, right: str) -> float:
    """Return 1 minus the Jaccard similarity of the 5-grams of both programs' blind tokens: 0 to 1."""
    ours, theirs = _grams(left), _grams(right)
    union = ours | theirs
    return 1 - len(ours & theirs) / len(union) if union else 0.0


def _grams(source: str) -> set[tuple[str, ...]]:
    tokens = blind_tokens(without_dead_code(source))
    return {tuple(tokens[start : start + _GRAM]) for start in range(max(1, len(tokens) - _GRAM + 1))}


def blind_tokens(source: str) -> list[str]:
    """Return a program's tokens; every name is ``N``, every number or text ``L``; comments and blank lines
    are gone.
    """
    return [_blind(token) for token in _tokens(source) if token.type not in _DROPPED]


def _tokens(source: str) -> Iterator[tokenize.TokenInfo]:
    return tokenize.generate_tokens(io.StringIO(source).readline)


def _blind(token: tokenize.TokenInfo) -> str:
    if token.type in _LAYOUT:
        return _LAYOUT[token.type]
    if token.type == tokenize.NAME:
        return token.string if keyword.iskeyword(token.string) else "N"
    return "L" if token.type in (tokenize.NUMBER, tokenize.STRING) else token.string


def without_dead_code(source: str) -> str:
    """Return the program in one layout without docstrings, unreachable statements and definitions that
    nothing names.

    A definition at module level counts as named when any other statement that stays, or a definition without
    leading underscore that nothing names either, could reach it: only private, unnamed ones are dead.
    """
    tree = _Alive().visit(ast.parse(source))
    while True:
        named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        named |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        kept = [item for item in tree.body if not _is_dead_definition(item, named)]
        if len(kept) == len(tree.body):
            return ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        tree.body = kept


def _is_dead_definition(item: ast.stmt, named: set[str]) -> bool:
    if not isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    return item.name.startswith("_") and item.name not in named


class _Alive(ast.NodeTransformer):
    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if isinstance(statements, list):
                kept = _reachable(statements)
                setattr(node, name, kept if kept or name != "body" else [ast.Pass()])
        return node


def _reachable(statements: list[ast.stmt]) -> list[ast.stmt]:
    kept: list[ast.stmt] = []
    for statement in statements:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        if isinstance(statement, ast.If) and isinstance(statement.test, ast.Constant):
            kept += list(statement.body if statement.test.value else statement.orelse)
            continue
        kept.append(statement)
        if isinstance(statement, _ENDS):
            break
    return kept
