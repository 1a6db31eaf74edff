"""Observe the program at a function inside the package, with the arguments that outer calls hand to it."""

from authoring.reduction.carve.choose import (
    Situation,
    choose_entry,
    entry_original,
    entry_scenarios,
    recorded,
)
from authoring.reduction.carve.entry import Argument, CarvedEntry

__all__ = [
    "Argument",
    "CarvedEntry",
    "Situation",
    "choose_entry",
    "entry_original",
    "entry_scenarios",
    "recorded",
]
