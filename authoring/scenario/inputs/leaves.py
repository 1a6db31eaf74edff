"""The texts and whole numbers in a wire value, by their places."""

from collections.abc import Iterator

from authoring.model.wire import Wire
from authoring.scenario.inputs.steps import is_steps

__all__ = ["Path", "leaves", "with_leaf"]

Path = tuple[int, ...]
"""Where a value lies in another one: indices, those of a pair of a dict being 0 for the key and 1 for the item."""

_ARGUMENTS, _KEYWORDS = 1, 2
"""Places in a step."""


def leaves(wire: Wire, *, keys: bool = False) -> Iterator[tuple[Path, Wire]]:
    """Yield the texts and whole numbers in parameters; with ``keys`` those that are keys of dicts in them too.

    Names of methods and of keywords in steps are none.
    """
    steps = {at for at, (name, value) in enumerate(wire["dict"]) if is_steps(name, value)}
    return ((path, leaf) for path, leaf in _leaves(wire, (), keys) if path[0] not in steps or _is_given(path))


def _is_given(path: Path) -> bool:
    """Return whether a way through steps ends inside an argument, or in the value of a keyword."""
    _, _, _, part, *rest = path
    return part == _ARGUMENTS or (part == _KEYWORDS and rest[1] == 1)


def with_leaf(wire: Wire, path: Path, leaf: Wire) -> Wire:
    """Return a value with another one at a place."""
    if not path:
        return leaf
    ((tag, body),) = wire.items()
    at, *rest = path
    if tag == "dict":
        side, *rest = rest
        pair = [with_leaf(part, tuple(rest), leaf) if n == side else part for n, part in enumerate(body[at])]
        return {tag: [*body[:at], pair, *body[at + 1 :]]}
    return {tag: [*body[:at], with_leaf(body[at], tuple(rest), leaf), *body[at + 1 :]]}


def _leaves(wire: Wire, path: Path, keys: bool) -> Iterator[tuple[Path, Wire]]:
    if type(wire) is str:
        yield path, wire
    elif type(wire) is dict:
        ((tag, body),) = wire.items()
        if tag == "int":
            yield path, wire
        elif tag == "dict":
            for at, (key, item) in enumerate(body):
                if keys and path:
                    yield from _leaves(key, (*path, at, 0), keys)
                yield from _leaves(item, (*path, at, 1), keys)
        elif tag in ("list", "tuple"):
            for at, item in enumerate(body):
                yield from _leaves(item, (*path, at), keys)
