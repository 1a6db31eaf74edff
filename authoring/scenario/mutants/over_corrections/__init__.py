"""The ways to over-correct, one a file, each with examples."""

from authoring.scenario.mutants.over_correction import OverCorrection
from authoring.scenario.mutants.over_corrections.drop_conjunct import DROP_CONJUNCT
from authoring.scenario.mutants.over_corrections.one_more_case import ONE_MORE_CASE
from authoring.scenario.mutants.over_corrections.spread_outcome import SPREAD_OUTCOME
from authoring.scenario.mutants.over_corrections.take_always import TAKE_ALWAYS
from authoring.scenario.mutants.over_corrections.widen_class import WIDEN_CLASS
from authoring.scenario.mutants.over_corrections.widen_comparison import WIDEN_COMPARISON

__all__ = ["OVER_CORRECTIONS"]

OVER_CORRECTIONS: tuple[OverCorrection, ...] = (
    DROP_CONJUNCT,
    WIDEN_COMPARISON,
    TAKE_ALWAYS,
    ONE_MORE_CASE,
    WIDEN_CLASS,
    SPREAD_OUTCOME,
)
"""All ways, in the order in which they take turns."""
