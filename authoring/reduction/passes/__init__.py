"""The passes and the phases that they form."""

from authoring.reduction.passes import (
    arguments,
    branches,
    constants,
    delete_statements,
    delete_unreferenced,
    delete_unrun,
    elements,
    operands,
    parts,
    transplant,
)
from authoring.reduction.passes.base import Pass

__all__ = ["PHASES"]

_DELETE = (delete_unrun.PASS, delete_unreferenced.PASS, delete_statements.PASS, branches.PASS)
_NODES = (operands.PASS, elements.PASS, arguments.PASS, parts.PASS, constants.PASS)

PHASES: tuple[tuple[str, tuple[Pass, ...]], ...] = (
    ("transplant", transplant.PASSES),
    ("unreferenced", (delete_unrun.PASS, delete_unreferenced.PASS)),
    ("statements", (delete_unreferenced.PASS, delete_statements.PASS, branches.PASS)),
    ("nodes", (*_DELETE, *_NODES)),
    ("collapse", transplant.PASSES),
)
"""Name and passes of each phase; a phase is repeated until it changes nothing."""
