"""Metamorphic relations, one a file, each with examples."""

from authoring.contract.relations.proposals import RELATIONS, proposals_of
from authoring.contract.relations.relation import Example, Proposal, Relation, is_held
from authoring.contract.relations.shape import Shape, functions_in, shape_of

__all__ = [
    "RELATIONS",
    "Example",
    "Proposal",
    "Relation",
    "Shape",
    "functions_in",
    "is_held",
    "proposals_of",
    "shape_of",
]
