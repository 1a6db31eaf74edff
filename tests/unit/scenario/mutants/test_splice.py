"""A node that is replaced through its ancestors gives the text that replacing it in the whole tree gives."""

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper

from authoring.scenario.mutants.splice import Splicer

SOURCE = '''# a header

"""Doc."""
import os


@os.cached
def f(a):
    # said
    if a:
        return """x
  y"""

    else:
        for b in a:
            g(b)
    return 1


class C:
    def g(self): return [1, 2]
# a footer
'''


@pytest.mark.parametrize("kind", [cst.If, cst.For, cst.FunctionDef, cst.ClassDef, cst.IndentedBlock])
def test_a_block_is_replaced_as_in_the_tree(kind: type[cst.CSTNode]) -> None:
    wrapper = MetadataWrapper(cst.parse_module(SOURCE), unsafe_skip_copy=True)
    splicer = Splicer(wrapper)
    nodes = [node for node in _below(wrapper.module) if type(node) is kind]
    assert nodes
    for node in nodes:
        by = cst.IndentedBlock([cst.parse_statement("pass")])
        other = by if kind is cst.IndentedBlock else node.with_changes(body=by)
        changed = wrapper.module.deep_replace(node, other)
        assert isinstance(changed, cst.Module)
        assert splicer.replaced(node, other) == changed.code != SOURCE


def _below(node: cst.CSTNode) -> list[cst.CSTNode]:
    return [node, *(one for child in node.children for one in _below(child))]
