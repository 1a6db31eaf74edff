"""Inputs of scenarios: neighbours, mutations, crossings, smaller ones, and those that tell programs apart."""

from authoring.scenario.inputs.depth import decided_by_depth, nearly_too_deep
from authoring.scenario.inputs.leaves import Path, leaves, with_leaf
from authoring.scenario.inputs.neighbours import (
    cross,
    in_order,
    mixtures,
    mutate,
    neighbours,
    with_pieces,
)
from authoring.scenario.inputs.observing import Input, Observer, hangs, is_same
from authoring.scenario.inputs.palette import Palette, palette_of
from authoring.scenario.inputs.search import Distinguished, Stock, Undistinguished, candidates, search
from authoring.scenario.inputs.shrink import shrink, weight
from authoring.scenario.inputs.steadiness import unsteady
from authoring.scenario.inputs.steps import is_steps, may_be_steps
from authoring.scenario.inputs.thrift import thrifty

__all__ = [
    "Distinguished",
    "Input",
    "Observer",
    "Palette",
    "Path",
    "Stock",
    "Undistinguished",
    "candidates",
    "cross",
    "decided_by_depth",
    "hangs",
    "in_order",
    "is_same",
    "is_steps",
    "leaves",
    "may_be_steps",
    "mixtures",
    "mutate",
    "nearly_too_deep",
    "neighbours",
    "palette_of",
    "search",
    "shrink",
    "thrifty",
    "unsteady",
    "weight",
    "with_leaf",
    "with_pieces",
]
