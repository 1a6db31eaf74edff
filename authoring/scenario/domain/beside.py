"""Values that nobody has seen at a place, and that the annotations of what it goes to allow."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from authoring.scenario.domain.literal import literal

__all__ = ["Allowed", "Annotated", "allowed_in", "beside_seen"]

_CAP = 12


@dataclass(frozen=True, slots=True)
class Allowed:
    """What an annotation allows."""

    spelled: tuple[Any, ...] = ()
    """Values that it spells out: None, those of ``Literal``, those of an enumeration of texts or numbers."""
    samples: tuple[Any, ...] = ()
    """A few values of each type that it names; they count where no value of their type was seen."""


Annotated = Mapping[str, Mapping[str, Allowed]]
"""What is allowed, by scenario and parameter."""


def beside_seen(seen: Sequence[Any], allowed: Allowed) -> list[Any]:
    """Return what is allowed for a parameter and adds something to the values that were seen."""
    known = {literal(value) for value in seen}
    kinds = set(map(type, seen))
    others = [*allowed.spelled, *(value for value in allowed.samples if type(value) not in kinds)]
    if any(type(value) is str for value in others) and str not in kinds:
        others += [str(value) for value in seen if type(value) in (int, float)][:1]
    added = {literal(value): value for value in others}
    return [value for text, value in added.items() if text not in known][:_CAP]


def allowed_in(domain: str) -> Iterator[tuple[str, str, Any]]:
    """Yield each value that a domain.py draws now and then, with its scenario and parameter."""
    try:
        functions = [node for node in ast.parse(domain).body if isinstance(node, ast.FunctionDef)]
    except (SyntaxError, ValueError, RecursionError):
        return
    for function in functions:
        for call in ast.walk(function):
            if (
                isinstance(call, ast.Call)
                and ast.unparse(call.func) == "now_and_then"
                and len(call.args) == 2
            ):
                for name, values in _literal(call.args[1]).items():
                    yield from ((function.name, name, value) for value in values if value is not Ellipsis)


def _literal(node: ast.expr) -> dict[str, list[Any]]:
    """Return what an author left as a dict of lists; nothing else counts."""
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return {}
    items = value.items() if isinstance(value, dict) else ()
    return {name: held for name, held in items if isinstance(name, str) and isinstance(held, list)}
