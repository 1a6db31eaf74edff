"""Observe the program at a function inside the package, with the arguments that outer calls hand to it."""

from authoring.reduction.carve.choose import choose_entry, differing, recorded
from authoring.reduction.carve.definitions import definitions_of
from authoring.reduction.carve.entry import Argument, CarvedEntry
from authoring.reduction.carve.relax import relaxed_compare
from authoring.reduction.carve.situation import Situation
from authoring.reduction.carve.texts import entry_original, entry_scenarios

__all__ = [
    "Argument",
    "CarvedEntry",
    "Situation",
    "choose_entry",
    "definitions_of",
    "differing",
    "entry_original",
    "entry_scenarios",
    "recorded",
    "relaxed_compare",
]
