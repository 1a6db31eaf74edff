"""Change a text constant: empty, one character more, one less, the other case."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.mutants.operator import Operator, Proposal

__all__ = ["TEXTS"]

_LONG = 60


def _propose(node: cst.CSTNode) -> Iterator[Proposal]:
    if not isinstance(node, cst.SimpleString):
        return
    value = node.evaluated_value
    if isinstance(value, str):
        for other in _others(value):
            yield cst.SimpleString(_quoted(other, node.quote))
    else:
        text = value.decode("latin-1")
        yield from (cst.SimpleString(repr(other.encode("latin-1"))) for other in _others(text))


def _others(text: str) -> list[str]:
    if not text:
        return ["X"]
    found = [""] if len(text) <= _LONG else []
    found += [text[:-1], text[1:]] if len(text) > 1 else [text + text, "X"]
    if text.swapcase() != text:
        found.append(text.swapcase())
    return list(dict.fromkeys(found))


def _quoted(text: str, quote: str) -> str:
    literal = repr(text) if text.isprintable() else ascii(text)
    if quote in ('"', '"""') and literal[0] == "'" and '"' not in literal:
        return '"' + literal[1:-1].replace("\\'", "'") + '"'
    return literal


TEXTS = Operator(
    "text",
    _propose,
    (
        ('x = "kB"\n', 'x = ""\n'),
        ('x = "kB"\n', 'x = "k"\n'),
        ('x = "kB"\n', 'x = "Kb"\n'),
        ('x = "/"\n', 'x = "//"\n'),
        ("x = b''\n", "x = b'X'\n"),
    ),
)
