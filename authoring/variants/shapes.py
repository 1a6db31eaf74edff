"""Write a program in another shape throughout: one behaviour-preserving rewrite at every place that allows
it.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial

import libcst as cst

from authoring.scenario.rewrites import REWRITES, rewrite, steps_of

__all__ = ["all_shapes", "reshaped"]

_PLACES_CAP = 12
_NAMES_ONLY = "rename-local"


def all_shapes() -> Mapping[str, Callable[[str], str]]:
    """Return every shape by its id; those that change names only are the vocabulary's business."""
    return {
        shape.name: partial(reshaped, shape=shape.name) for shape in REWRITES if shape.name != _NAMES_ONLY
    }


def reshaped(source: str, shape: str) -> str:
    """Return the source with a rewrite done at its places, the last one first so that earlier ones keep their
    number.

    A source that the rewrite does not apply to comes back as it is.
    """
    places = [step for step in _steps(source) if step.rpartition(".")[0] == shape]
    for step in reversed(places[:_PLACES_CAP]):
        try:
            source = rewrite(source, [step])
        except ValueError:
            continue
    return source


@lru_cache(maxsize=64)
def _steps(source: str) -> tuple[str, ...]:
    """Return every step that a source allows, for all shapes at once: finding them costs more than one step."""
    try:
        return tuple(steps_of(source))
    except cst.ParserSyntaxError:
        return ()
