"""Cuts of the domain: which classes of inputs a reduced program carries most for."""

from authoring.reduction.cuts.blocked import Asked, Blocked, Effort, blocked_edits
from authoring.reduction.cuts.measured import shrunk
from authoring.reduction.cuts.propose import Attack, CutProposal, Proposals, propose
from authoring.reduction.cuts.savings import Saving, savings

__all__ = [
    "Asked",
    "Attack",
    "Blocked",
    "CutProposal",
    "Effort",
    "Proposals",
    "Saving",
    "blocked_edits",
    "propose",
    "savings",
    "shrunk",
]
