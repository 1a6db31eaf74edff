"""Mutants of a program as mutmut makes them: an independent tool's idea of what goes wrong."""

import libcst as cst
from libcst.metadata import MetadataWrapper
from mutmut.mutation.file_mutation import MutationVisitor
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode

from authoring.scenario.compiles import compiles

__all__ = ["mutmut_mutants"]


def mutmut_mutants(source: str, limit: int = 0) -> list[str]:
    """Return the distinct mutants that compile, each changed at one place inside a function, in the text's order.

    With a ``limit``, so many of them, spread over the whole text.
    """
    visitor = MutationVisitor(mutation_operators, IgnoredCode(set(), set(), set()))
    module = MetadataWrapper(cst.parse_module(source)).visit(visitor)
    inside = [one for one in visitor.mutations if one.contained_by_top_level_function is not None]
    if limit and len(inside) > limit:
        inside = [inside[at * len(inside) // limit] for at in range(limit)]
    texts = (_text(module, one.original_node, one.mutated_node) for one in inside)
    return [text for text in dict.fromkeys(texts) if text != source and compiles(text)]


def _text(module: cst.Module, node: cst.CSTNode, by: cst.CSTNode) -> str:
    changed = module.deep_replace(node, by)
    return changed.code if isinstance(changed, cst.Module) else ""
