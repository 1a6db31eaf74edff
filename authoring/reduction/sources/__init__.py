"""The index of a package tree: modules, top-level statements, scopes, and what ran."""

from authoring.reduction.sources.evidence import Executed, executed
from authoring.reduction.sources.index import Index, Module, Unit

__all__ = ["Executed", "Index", "Module", "Unit", "executed"]
