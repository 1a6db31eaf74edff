"""Turn package trees into self-contained modules (DESIGN.md 4.3, slice and flatten)."""

from authoring.reduction.flatten.answers import Answer, Faithful, Unfaithful
from authoring.reduction.flatten.flatten import flatten_versions
from authoring.reduction.flatten.program import FlatProgram

__all__ = ["Answer", "Faithful", "FlatProgram", "Unfaithful", "flatten_versions"]
