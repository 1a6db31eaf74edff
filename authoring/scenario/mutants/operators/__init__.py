"""The mutation operators, one a file, each with examples."""

from authoring.scenario.mutants.operator import Operator
from authoring.scenario.mutants.operators.arguments import ARGUMENTS
from authoring.scenario.mutants.operators.arithmetic import ARITHMETIC
from authoring.scenario.mutants.operators.booleans import BOOLEANS
from authoring.scenario.mutants.operators.calls import CALLS
from authoring.scenario.mutants.operators.comparisons import COMPARISONS
from authoring.scenario.mutants.operators.conditions import CONDITIONS
from authoring.scenario.mutants.operators.defaults import DEFAULTS
from authoring.scenario.mutants.operators.elements import ELEMENTS
from authoring.scenario.mutants.operators.exceptions import EXCEPTIONS
from authoring.scenario.mutants.operators.format_pieces import FORMAT_PIECES
from authoring.scenario.mutants.operators.loops import LOOPS
from authoring.scenario.mutants.operators.numbers import NUMBERS
from authoring.scenario.mutants.operators.returns import RETURNS
from authoring.scenario.mutants.operators.slices import SLICES
from authoring.scenario.mutants.operators.statements import STATEMENTS
from authoring.scenario.mutants.operators.texts import TEXTS
from authoring.scenario.mutants.operators.unwrapped import UNWRAPPED

__all__ = ["OPERATORS"]

OPERATORS: tuple[Operator, ...] = (
    COMPARISONS,
    CONDITIONS,
    BOOLEANS,
    NUMBERS,
    ARITHMETIC,
    TEXTS,
    FORMAT_PIECES,
    SLICES,
    RETURNS,
    STATEMENTS,
    ARGUMENTS,
    CALLS,
    EXCEPTIONS,
    LOOPS,
    DEFAULTS,
    ELEMENTS,
    UNWRAPPED,
)
"""All operators, in the order in which their mutants are listed."""
