"""What edits of inputs draw on: constants of the changed code, and what was seen of each parameter."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from authoring.model.wire import Wire
from authoring.scenario.domain.changed import ChangedCode
from authoring.scenario.domain.tokens import marks_of, numerals_of, tokens_of
from authoring.scenario.inputs.steps import arguments, known_steps, may_be_steps

__all__ = ["Kinds", "Palette", "palette_of"]

Kinds = frozenset[str]
"""Kinds of values seen at any depth of a parameter: tags, ``null``, ``bool``, ``text``, ``negative``."""


@dataclass(frozen=True, slots=True)
class Palette:
    """Numbers and texts worth putting in, and the kinds of values that each parameter takes."""

    numbers: tuple[int, ...] = ()
    texts: tuple[str, ...] = ()
    tokens: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By parameter: the pieces of the texts seen in it."""
    kinds: Mapping[str, Kinds] = field(default_factory=dict)
    """By parameter."""
    steps: Mapping[str, tuple[Wire, ...]] = field(default_factory=dict)
    """By parameter that holds operations on an object: those seen."""


def palette_of(seen: Sequence[Wire], code: ChangedCode) -> Palette:
    """Collect the palette of one scenario from the parameters seen and the changed code."""
    values: dict[str, list[Wire]] = {}
    for params in seen:
        for name, value in params["dict"]:
            values.setdefault(name, []).append(value)
    steps = {
        name: known_steps(value)
        for name, value in values.items()
        if all(may_be_steps(name, one) for one in value)
    }
    for name in steps:
        values[name] = [arguments(one) for one in values[name]]
    numbers = {near for number in code.changed.numbers for near in (number - 1, number, number + 1)}
    return Palette(
        numbers=tuple(sorted(numbers)),
        texts=tuple(marks_of(code)),
        tokens={name: tuple(_tokens(_texts(value), code)) for name, value in values.items()},
        kinds={
            name: frozenset(kind for item in value for kind in _kinds(item)) for name, value in values.items()
        },
        steps=steps,
    )


def _tokens(texts: list[str], code: ChangedCode) -> list[str]:
    return list(dict.fromkeys([*tokens_of(texts), *numerals_of(texts, code)]))


def _texts(wires: Iterable[Wire]) -> list[str]:
    found: list[str] = []
    for wire in wires:
        if type(wire) is str:
            found.append(wire)
        elif type(wire) is list:
            found += _texts(wire)
        elif type(wire) is dict:
            ((tag, body),) = wire.items()
            found += _texts(body) if tag in ("list", "tuple", "dict", "set", "frozenset") else []
    return found


def _kinds(wire: Wire) -> set[str]:
    if wire is None:
        return {"null"}
    if type(wire) is bool:
        return {"bool"}
    if type(wire) is str:
        return {"text"}
    ((tag, body),) = wire.items()
    found = {tag}
    if tag in ("int", "float") and body.startswith("-"):
        found.add("negative")
    if tag in ("list", "tuple", "set", "frozenset"):
        found = found.union(*map(_kinds, body))
    if tag == "dict":
        found = found.union(*(_kinds(part) for pair in body for part in pair))
    return found
