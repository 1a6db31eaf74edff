"""The passes and the phases that they form."""

from authoring.reduction.passes import (
    arguments,
    branches,
    constants,
    delete_statements,
    delete_unreferenced,
    delete_unrun,
    drop_parameters,
    drop_targets,
    drop_trimmings,
    elements,
    inline_attribute,
    inline_function,
    inline_variable,
    invert_empty,
    lift_from_factory,
    lone_targets,
    merge_base,
    operands,
    parts,
    transplant,
)
from authoring.reduction.passes.base import Phase

__all__ = ["PHASES"]

_STATEMENTS = (delete_unreferenced.PASS, delete_statements.PASS, branches.PASS, invert_empty.PASS)
_CHEAP = (
    drop_parameters.PASS,
    drop_targets.PASS,
    lone_targets.PASS,
    drop_trimmings.PASS,
    inline_variable.PASS,
    inline_function.PASS,
    inline_attribute.PASS,
    merge_base.PASS,
    lift_from_factory.PASS,
)
_NODES = (operands.PASS, elements.PASS, arguments.PASS, parts.PASS, constants.PASS)

PHASES = (
    Phase("transplant", transplant.PASSES),
    Phase("unreferenced", (delete_unrun.PASS, delete_unreferenced.PASS)),
    Phase("statements", _STATEMENTS),
    Phase("hunks", transplant.COLLAPSE),
    Phase("nodes", (*_STATEMENTS, *_CHEAP, *_NODES)),
    Phase("collapse", (*transplant.COLLAPSE, *_STATEMENTS)),
    Phase("last look", (*_STATEMENTS, *_CHEAP), anew=True),
)
"""The phases in their order."""
