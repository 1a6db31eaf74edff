"""Mutants: programs that differ from a right one in one place, to measure what checks can tell apart."""

from authoring.scenario.mutants.mutants_of import Mutant, mutants_of
from authoring.scenario.mutants.operator import Operator
from authoring.scenario.mutants.operators import OPERATORS

__all__ = ["OPERATORS", "Mutant", "Operator", "mutants_of"]
