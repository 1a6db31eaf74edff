"""Metamorphic relations, one a file, each with examples."""

from authoring.contract.relations.again import AGAIN
from authoring.contract.relations.as_tuple import AS_TUPLE
from authoring.contract.relations.back import BACK
from authoring.contract.relations.doubled import DOUBLED
from authoring.contract.relations.kept import KEPT
from authoring.contract.relations.padded import PADDED
from authoring.contract.relations.rekeyed import REKEYED
from authoring.contract.relations.relation import Example, Proposal, Relation, is_held
from authoring.contract.relations.reordered import REORDERED
from authoring.contract.relations.shape import Shape, functions_in, shape_of
from authoring.contract.relations.twice import TWICE

__all__ = ["RELATIONS", "Example", "Proposal", "Relation", "Shape", "functions_in", "is_held", "shape_of"]

RELATIONS: tuple[Relation, ...] = (
    BACK,
    AGAIN,
    REORDERED,
    REKEYED,
    DOUBLED,
    PADDED,
    AS_TUPLE,
    KEPT,
    TWICE,
)
"""All relations; of two that reject the same programs the first is kept."""
