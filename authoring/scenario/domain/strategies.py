"""The strategy, as text, that draws values like those seen at one place."""

import datetime
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from authoring.scenario.domain.changed import ChangedCode
from authoring.scenario.domain.families import family_of
from authoring.scenario.domain.literal import literal
from authoring.scenario.domain.nesting import nests_itself
from authoring.scenario.domain.numbers import bounds_of
from authoring.scenario.domain.tokens import numerals_of, options_of, separators_of, tokens_of

__all__ = ["Writer", "strategy_for"]

_ITEMS_CAP = 12
_DEPTH_CAP = 6
_TEXT_TOKENS = 6
_NESTED_CAP = 8


@dataclass(frozen=True, slots=True)
class Writer:
    """What the strategies of one file share."""

    code: ChangedCode
    depth: int = 0
    is_nested: bool = False
    """Whether a container around already nests its own kind."""

    def deeper(self) -> "Writer":
        """Return the writer for what lies inside a container."""
        return replace(self, depth=self.depth + 1)


def strategy_for(values: Sequence[Any], writer: Writer) -> str:
    """Return the text of a strategy for values like these, of no kind that is not among them.

    Only where the changed code names ``None``, ``bool`` or ``int`` does a place that holds one draw the
    others too.
    """
    by_kind: dict[type, list[Any]] = {}
    for value in values:
        by_kind.setdefault(type(value), []).append(value)
    parts = []
    for kind in sorted(by_kind, key=lambda kind: kind.__name__):
        build = _BUILDERS.get(kind, _sampled)
        nesting = [] if writer.is_nested else _distinct(list(filter(nests_itself, by_kind[kind])))
        parts += build(by_kind[kind], replace(writer, is_nested=writer.is_nested or bool(nesting)))
        if nesting:
            parts.append(f"nested_around({literal(nesting[:_NESTED_CAP])})")
    parts += _types_beside(set(by_kind), writer)
    if len(parts) == 1:
        return parts[0]
    return "st.one_of(" + ", ".join(dict.fromkeys(parts)) + ")"


def _types_beside(kinds: set[type], writer: Writer) -> list[str]:
    named = set(writer.code.changed.types)
    beside = []
    if bool in kinds and int not in kinds and "int" in named:
        beside.append("st.integers(0, 1)")
    if int in kinds and bool not in kinds and "bool" in named:
        beside.append("st.booleans()")
    if type(None) not in kinds and "None" in named and kinds & {str, int, float, list, dict}:
        beside.append("st.none()")
    return beside


def _sampled(values: list[Any], _: Writer) -> list[str]:
    return [f"st.sampled_from({literal(_distinct(values))})"]


def _distinct(values: Sequence[Any]) -> list[Any]:
    """Return the values in order, each once; equal values of other types are kept apart by their text."""
    return list({literal(value): value for value in values}.values())


def _integers(values: list[int], _: Writer) -> list[str]:
    low, high = bounds_of(values)
    return [f"whole(NUMBERS + {literal(_distinct(values))}, {low}, {high})"]


def _floats(values: list[float], writer: Writer) -> list[str]:
    finite = [value for value in values if value - value == 0]
    _, high = bounds_of([int(abs(value)) + 1 for value in finite])
    low = -high if any(value < 0 for value in finite) else -1
    numbers = _distinct([*values, 0.0, 1.0, *(f for f in writer.code.changed.floats if abs(f) <= high)])
    return [f"real({literal(numbers)}, {low}, {high})"]


def _texts(values: list[str], writer: Writer) -> list[str]:
    distinct = _distinct(values)
    options = options_of(distinct, writer.code)
    if options:
        return [f"st.sampled_from({literal(options)})"]
    tokens = _distinct([*tokens_of(distinct), *numerals_of(distinct, writer.code)]) or ["a", "b", " "]
    length = max(_TEXT_TOKENS, min(10, max(map(len, distinct)) // 2))
    parts = [f"written({literal(distinct)}, {literal(tokens)} + MARKS, {length})"]
    for separator in separators_of(distinct):
        rows = [text.split(separator) for text in distinct if separator in text]
        parts.append(f"rearranged({literal(rows)}).map({literal(separator)}.join)")
    family = family_of(distinct)
    return [*parts, family] if family else parts


def _bytes(values: list[bytes], writer: Writer) -> list[str]:
    distinct = _distinct(values)
    tokens = tokens_of([value.decode("latin-1") for value in distinct]) or ["a"]
    pieces = [*tokens, *writer.code.changed.characters, "\x00", "\xff"]
    encoded = _distinct([piece.encode("latin-1") for piece in pieces if _is_latin(piece)])
    return [f"written({literal(distinct)}, {literal(encoded)}, {_TEXT_TOKENS})"]


def _is_latin(text: str) -> bool:
    return all(ord(character) < 256 for character in text)


def _lists(values: list[list[Any]], writer: Writer) -> list[str]:
    rows = _distinct(values)
    items = [item for row in rows for item in row]
    if writer.depth >= _DEPTH_CAP or not items:
        return _sampled([*values, []], writer)
    most = min(_ITEMS_CAP, max(map(len, rows)) + 2)
    inner = strategy_for(items, writer.deeper())
    return [f"st.lists({inner}, max_size={most})", f"rearranged({literal(rows)})"]


def _tuples(values: list[tuple[Any, ...]], writer: Writer) -> list[str]:
    rows = _distinct(values)
    lengths = {len(row) for row in rows}
    if writer.depth >= _DEPTH_CAP or lengths == {0}:
        return _sampled(values, writer)
    if len(lengths) == 1:
        columns = zip(*rows, strict=True)
        inner = ", ".join(strategy_for(list(column), writer.deeper()) for column in columns)
        return [f"st.tuples({inner})"]
    return [f"{part}.map(tuple)" for part in _lists([list(row) for row in rows], writer)]


def _dicts(values: list[dict[Any, Any]], writer: Writer) -> list[str]:
    rows = _distinct(values)
    items = [item for row in rows for item in row.values()]
    if writer.depth >= _DEPTH_CAP or not items:
        return _sampled([*values, {}], writer)
    keys = [key for row in rows for key in row]
    parts = [_edited_fields(rows, writer)] if all(type(key) is str for key in keys) else []
    key_strategy, inner = strategy_for(keys, writer.deeper()), strategy_for(items, writer.deeper())
    most = min(_ITEMS_CAP, max(map(len, rows)) + 2)
    parts.append(f"st.dictionaries({key_strategy}, {inner}, max_size={most})")
    parts.append(f"rearranged({literal([list(row.items()) for row in rows])}).map(dict)")
    return parts


def _edited_fields(rows: list[dict[str, Any]], writer: Writer) -> str:
    """Return a strategy of dicts with the seen keys; a key that some of the dicts lack is optional."""
    columns: dict[str, list[Any]] = {}
    for row in rows:
        for key, item in row.items():
            columns.setdefault(key, []).append(item)
    always = {key: column for key, column in columns.items() if all(key in row for row in rows)}
    fields = {key: strategy_for(column, writer.deeper()) for key, column in columns.items()}
    required = ", ".join(f"{literal(key)}: {fields[key]}" for key in columns if key in always)
    optional = ", ".join(f"{literal(key)}: {fields[key]}" for key in columns if key not in always)
    tail = f", optional={{{optional}}}" if optional else ""
    return f"st.fixed_dictionaries({{{required}}}{tail})"


def _sets(values: list[Any], writer: Writer) -> list[str]:
    items = sorted({item for row in values for item in row}, key=literal)
    if not items:
        return _sampled(values, writer)
    kind = type(values[0]).__name__
    return [f"st.lists({strategy_for(items, writer.deeper())}, max_size={len(items) + 2}).map({kind})"]


def _decimals(values: list[Decimal], _: Writer) -> list[str]:
    distinct = _distinct(values)
    steps = "[decimal.Decimal(step) for step in (-1, 0, 1)]"
    moved = f"st.tuples(st.sampled_from({literal(distinct)}), st.sampled_from({steps})).map(sum)"
    digits = "st.tuples(st.integers(-2000, 2000), st.integers(-3, 3))"
    scaled = f"{digits}.map(lambda t: decimal.Decimal(t[0]).scaleb(t[1]))"
    return [moved, scaled]


def _fractions(values: list[Fraction], writer: Writer) -> list[str]:
    drawn = "st.tuples(st.integers(-20, 20), st.integers(1, 12)).map(lambda t: fractions.Fraction(*t))"
    return [*_sampled(values, writer), drawn]


def _around(function: str) -> Callable[[list[Any], Writer], list[str]]:
    return lambda values, _: [f"{function}({literal(_distinct(values))})"]


_BUILDERS: dict[type, Callable[[list[Any], Writer], list[str]]] = {
    bool: lambda _values, _: ["st.booleans()"],
    type(None): lambda _values, _: ["st.none()"],
    int: _integers,
    float: _floats,
    str: _texts,
    bytes: _bytes,
    list: _lists,
    tuple: _tuples,
    dict: _dicts,
    set: _sets,
    frozenset: _sets,
    Decimal: _decimals,
    Fraction: _fractions,
    datetime.date: _around("days_around"),
    datetime.datetime: _around("moments_around"),
    datetime.timedelta: _around("spans_around"),
    datetime.time: _around("clocks_around"),
    uuid.UUID: _sampled,
}
