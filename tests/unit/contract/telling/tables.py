"""Synthetic tables: inputs of one scenario, with what a reference and a broken function give for each."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from authoring.contract.telling.example import Example
from authoring.contract.telling.learn import Described, describe
from authoring.contract.telling.numerals import numerals
from authoring.contract.telling.outcomes_now import outcomes_now
from authoring.contract.telling.single_values import single_values
from authoring.contract.telling.text_shapes import text_shapes
from authoring.contract.telling.two_values import two_values
from authoring.model.observation import Observation
from authoring.model.wire import encode
from authoring.scenario.domain import ChangedCode, Constants
from authoring.scenario.inputs import Input

Function = Callable[..., Any]


class HangError(Exception):
    """Stands for a call that does not end."""


def example(params: dict[str, Any], right: Function, broken: Function) -> Example:
    """Return one line of the table."""
    wanted, now = seen(right, params), seen(broken, params)
    assert wanted is not None
    return Example(Input("find", encode(params)), params, wanted, now, wanted != now)


def seen(function: Function, params: dict[str, Any]) -> tuple[Observation, ...] | None:
    """Return what a function gives, as observations; None where it hangs."""
    try:
        return ({"value": encode(function(**params))},)
    except HangError:
        return None
    except (KeyError, IndexError, TypeError, ValueError) as error:
        return ({"raised": {"type": type(error).__name__}},)


def table(rows: Iterable[dict[str, Any]], right: Function, broken: Function) -> list[Example]:
    """Return the table of two functions."""
    return [example(row, right, broken) for row in rows]


def told(
    examples: Sequence[Example], numbers: tuple[int, ...] = (), texts: tuple[str, ...] = ()
) -> list[Described]:
    """Return the classes of the faults, where the changed lines name these numbers and texts."""
    code = ChangedCode(changed=Constants(numbers=numbers, texts=texts))
    traits = [
        *single_values(examples, code),
        *text_shapes(examples),
        *two_values(examples),
        *numerals(examples, code),
        *outcomes_now(examples),
    ]
    faults = sum(1 << at for at, one in enumerate(examples) if one.is_fault)
    return describe(faults, (1 << len(examples)) - 1 & ~faults, traits)


def words(found: Sequence[Described]) -> list[str]:
    """Return what is said of each class."""
    return [one.words for one in found]


def wrong(right: Function, is_fault: Callable[..., bool], instead: Any = "?") -> Function:
    """Return a function that is wrong where told."""
    return lambda **params: instead if is_fault(**params) else right(**params)
