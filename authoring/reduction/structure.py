"""The statements of one version's lines, found by indentation alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from authoring.reduction.lines import HEADERS, indent_of, kind_of

__all__ = ["Arm", "Statement", "statements", "walk"]

_FOLLOWS = {
    "elif": frozenset(("if",)),
    "else": frozenset(("if", "for", "while", "try")),
    "except": frozenset(("try",)),
    "finally": frozenset(("try",)),
}


@dataclass(frozen=True, slots=True)
class Arm:
    """A header line and its block: ``lines[header]`` and the statements of ``body``, up to ``stop``."""

    kind: str
    header: int
    stop: int
    body: tuple["Statement", ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """``lines[start:stop]``: decorators, then a simple line, or a header with its arms."""

    kind: str
    start: int
    head: int
    """The line after the decorators."""
    stop: int
    indent: int
    arms: tuple[Arm, ...] = ()


def statements(lines: Sequence[str]) -> tuple[Statement, ...]:
    """Return the statements of a whole program, nested ones inside."""
    return tuple(_block(lines, 0, len(lines)))


def walk(block: Sequence[Statement]) -> Iterator[Statement]:
    """Yield every statement, outer ones first, in the order of the text."""
    for statement in block:
        yield statement
        for arm in statement.arms:
            yield from walk(arm.body)


def _block(lines: Sequence[str], start: int, stop: int) -> Iterator[Statement]:
    position = start
    while position < stop:
        head = position
        while head < stop - 1 and kind_of(lines[head]) == "decorator":
            head += 1
        kind, indent = kind_of(lines[head]), indent_of(lines[head])
        if kind not in HEADERS:
            yield Statement(kind, position, head, head + 1, indent)
            position = head + 1
            continue
        arms, end = _arms(lines, head, stop, kind, indent)
        yield Statement(kind, position, head, end, indent, arms)
        position = end


def _arms(lines: Sequence[str], head: int, stop: int, kind: str, indent: int) -> tuple[tuple[Arm, ...], int]:
    arms: list[Arm] = []
    position, own = head, kind
    while True:
        end = position + 1
        while end < stop and indent_of(lines[end]) > indent:
            end += 1
        arms.append(Arm(own, position, end, tuple(_block(lines, position + 1, end))))
        if end >= stop or indent_of(lines[end]) != indent:
            return tuple(arms), end
        own = kind_of(lines[end])
        if kind not in _FOLLOWS.get(own, ()):
            return tuple(arms), end
        position = end
