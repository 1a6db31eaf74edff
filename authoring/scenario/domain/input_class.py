"""A class of inputs that a person can name: what some value at one place of the parameters is like."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from authoring.model.wire import Wire, WireError, decode
from authoring.scenario.domain.literal import literal
from authoring.scenario.steps import names_steps

__all__ = [
    "InputClass",
    "Place",
    "clause",
    "expression",
    "holds",
    "is_met",
    "phrase",
    "place_words",
    "values_at",
]

_OF_STEPS = ("a step", "a part of a step", "an argument of a step")
"""What lies in steps: on the first level, on the second, and on the third."""

Place = tuple[str | int | None, ...]
"""The way to values: keys of dicts, positions in tuples, None for each item; a parameter's name comes first."""


@dataclass(frozen=True, slots=True)
class InputClass:
    """Inputs of which some value at a place passes a test."""

    place: Place
    test: str
    """One of the names in the table of this module."""
    than: Any = None
    """What the test compares with; a literal."""
    _written: str = field(init=False, repr=False)
    """The literal's text: 0, 0.0 and False are equal, and are classes of their own."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_written", repr(self.than))


@dataclass(frozen=True, slots=True)
class _Test:
    is_met: Callable[[Any, Any], bool]
    code: str
    """The same as the text of an expression of ``v``, with ``{}`` for what it compares with."""
    words: str
    """What such a value does, ``{}`` as before."""


@cache
def _powers(base: int) -> frozenset[int]:
    return frozenset(base**exponent for exponent in range(1, 65))


_NAMED: dict[str, type] = {
    kind.__name__: kind for kind in (bool, bytes, dict, float, int, list, set, str, tuple)
}
_TESTS: dict[str, _Test] = {
    "is": _Test(lambda v, x: type(v) is type(x) and v == x, "type(v) is {0:type} and v == {0}", "is {0}"),
    "is None": _Test(lambda v, _: v is None, "v is None", "is None"),
    "kind": _Test(lambda v, x: type(v) is _NAMED[x], "type(v) is {0:name}", "is of type {0:name}"),
    "given": _Test(lambda _v, _: True, "True", "is given"),
    "empty": _Test(
        lambda v, _: hasattr(v, "__len__") and not len(v),
        'hasattr(v, "__len__") and len(v) == 0',
        "is empty",
    ),
    "longer": _Test(
        lambda v, x: hasattr(v, "__len__") and len(v) > x,
        'hasattr(v, "__len__") and len(v) > {0}',
        "is longer than {0}",
    ),
    "long": _Test(
        lambda v, x: hasattr(v, "__len__") and len(v) == x,
        'hasattr(v, "__len__") and len(v) == {0}',
        "is {0} long",
    ),
    "shorter": _Test(
        lambda v, x: hasattr(v, "__len__") and len(v) < x,
        'hasattr(v, "__len__") and len(v) < {0}',
        "is shorter than {0}",
    ),
    "below": _Test(
        lambda v, x: type(v) in (int, float) and v < x,
        "type(v) in (int, float) and v < {0}",
        "is below {0}",
    ),
    "above": _Test(
        lambda v, x: type(v) in (int, float) and v > x,
        "type(v) in (int, float) and v > {0}",
        "is above {0}",
    ),
    "at least": _Test(
        lambda v, x: type(v) in (int, float) and v >= x,
        "type(v) in (int, float) and v >= {0}",
        "is {0} or above",
    ),
    "at most": _Test(
        lambda v, x: type(v) in (int, float) and v <= x,
        "type(v) in (int, float) and v <= {0}",
        "is {0} or below",
    ),
    "far": _Test(
        lambda v, x: type(v) in (int, float) and abs(v) >= x,
        "type(v) in (int, float) and abs(v) >= {0}",
        "is {0} or more away from 0",
    ),
    "near": _Test(
        lambda v, x: type(v) in (int, float) and abs(v) < x,
        "type(v) in (int, float) and abs(v) < {0}",
        "is less than {0} away from 0",
    ),
    "multiple": _Test(
        lambda v, x: type(v) is int and v != 0 and v % x == 0,
        "type(v) is int and v != 0 and v % {0} == 0",
        "is a multiple of {0}",
    ),
    "power": _Test(
        lambda v, x: type(v) in (int, float) and v in _powers(x),
        "type(v) in (int, float) and v in [{0} ** k for k in range(1, 65)]",
        "is a power of {0}",
    ),
    "power far": _Test(
        lambda v, x: type(v) in (int, float) and abs(v) in _powers(x),
        "type(v) in (int, float) and abs(v) in [{0} ** k for k in range(1, 65)]",
        "is a power of {0}, or minus one",
    ),
    "among": _Test(
        lambda v, x: any(type(v) is type(each) and v == each for each in x),
        "any(type(v) is type(x) and v == x for x in {0})",
        "is {0:listed}",
    ),
    "not whole": _Test(
        lambda v, _: type(v) is float and v % 1 != 0, "type(v) is float and v % 1 != 0", "is no whole number"
    ),
    "holds": _Test(
        lambda v, x: type(v) is type(x) and x in v, "type(v) is {0:type} and {0} in v", "holds {0}"
    ),
    "lacks": _Test(
        lambda v, x: type(v) is type(x) and x not in v,
        "type(v) is {0:type} and {0} not in v",
        "does not hold {0}",
    ),
    "blank": _Test(lambda v, _: type(v) is str and v.isspace(), "type(v) is str and v.isspace()", "is blank"),
    "begins": _Test(
        lambda v, x: type(v) is type(x) and v.startswith(x),
        "type(v) is {0:type} and v.startswith({0})",
        "begins with {0}",
    ),
    "ends": _Test(
        lambda v, x: type(v) is type(x) and v.endswith(x),
        "type(v) is {0:type} and v.endswith({0})",
        "ends with {0}",
    ),
    "between": _Test(
        lambda v, x: type(v) is str and any(x[0] <= c <= x[1] for c in v),
        "type(v) is str and any({0[0]} <= c <= {0[1]} for c in v)",
        "holds a character from {0[0]} to {0[1]}",
    ),
    "none between": _Test(
        lambda v, x: type(v) is str and not any(x[0] <= c <= x[1] for c in v),
        "type(v) is str and not any({0[0]} <= c <= {0[1]} for c in v)",
        "holds no character from {0[0]} to {0[1]}",
    ),
}


def holds(one: InputClass, params: Wire) -> bool:
    """Tell whether an input is of the class; one that has no value outside a box is of none."""
    try:
        value = decode(params)
    except WireError:
        return False
    return any(is_met(one, each) for each in values_at(value, *one.place))


def is_met(one: InputClass, value: Any) -> bool:
    """Tell whether a value at the class's place passes its test."""
    return bool(_TESTS[one.test].is_met(value, one.than))


def values_at(value: Any, *steps: str | int | None) -> Iterator[Any]:
    """Yield the values at a place; nothing where the way ends before."""
    if not steps:
        yield value
        return
    step, rest = steps[0], steps[1:]
    if step is None:
        items = list(value.values()) if type(value) is dict else value
        for item in items if type(items) in (list, tuple, set, frozenset) else ():
            yield from values_at(item, *rest)
    elif type(value) is dict:
        if step in value:
            yield from values_at(value[step], *rest)
    elif type(step) is int and type(value) is tuple and step < len(value):
        yield from values_at(value[step], *rest)


def expression(one: InputClass) -> str:
    """Return the text of an expression that tells whether parameters ``p`` are of the class.

    It calls ``values_at``, which every narrowed domain.py holds.
    """
    steps = ", ".join(literal(step) for step in one.place)
    return f"any({_filled(_TESTS[one.test].code, one.than)} for v in values_at(p, {steps}))"


def phrase(one: InputClass) -> str:
    """Return the class in words: ``inputs whose `text` holds '#'``."""
    return ("inputs in which " if len(one.place) > 1 else "inputs whose ") + clause(one)


def clause(one: InputClass) -> str:
    """Return what is said of such inputs: ```text` holds '#'``."""
    return f"{place_words(one.place)} {_filled(_TESTS[one.test].words, one.than)}"


def place_words(place: Place) -> str:
    """Return a place in words: ``item 0 of an item of `rows```."""
    what, rest = f"`{place[0]}`", place[1:]
    depth = next((at for at, step in enumerate(rest[:3]) if step is not None), len(rest[:3]))
    if depth and names_steps(place[0]):
        what, rest = f"{_OF_STEPS[depth - 1]} of {what}", rest[depth:]
    for step in rest:
        part = "an item" if step is None else f"item {step}" if type(step) is int else f"`{step}`"
        what = f"{part} of {what}"
    return what


def _filled(template: str, than: Any) -> str:
    if "{0[0]}" in template:
        return template.replace("{0[0]}", literal(than[0])).replace("{0[1]}", literal(than[1]))
    return (
        template.replace("{0:type}", type(than).__name__)
        .replace("{0:name}", str(than))
        .replace("{0:listed}", _listed(than))
        .replace("{0}", literal(than))
    )


def _listed(than: Any) -> str:
    """Return the values of a tuple as ``1, 2 or 3``."""
    said = [literal(each) for each in than] if type(than) is tuple else []
    return " or ".join([", ".join(said[:-1]), *said[-1:]]) if len(said) > 1 else "".join(said)
