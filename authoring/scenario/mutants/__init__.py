"""Mutants: programs that differ from a right one in one place, to measure what checks can tell apart."""

from authoring.scenario.mutants.mutants_of import Mutant, mutants_of
from authoring.scenario.mutants.operator import Operator
from authoring.scenario.mutants.operators import OPERATORS
from authoring.scenario.mutants.over_correction import OverCorrection
from authoring.scenario.mutants.over_corrections import OVER_CORRECTIONS
from authoring.scenario.mutants.over_corrections_of import over_corrections_of

__all__ = [
    "OPERATORS",
    "OVER_CORRECTIONS",
    "Mutant",
    "Operator",
    "OverCorrection",
    "mutants_of",
    "over_corrections_of",
]
