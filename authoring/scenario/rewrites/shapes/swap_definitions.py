"""Swap two functions that are defined one after the other at top level."""

from collections.abc import Iterator

import libcst as cst

from authoring.scenario.rewrites.rewrite import Rewrite, body_of

__all__ = ["SWAP_DEFINITIONS"]


def _propose(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    body = body_of(node) if isinstance(node, cst.Module) else None
    for at in range(len(body or ()) - 1):
        assert body is not None
        one, other = body[at], body[at + 1]
        if not isinstance(one, cst.FunctionDef) or not isinstance(other, cst.FunctionDef):
            continue
        if one.name.value != other.name.value and _is_plain(one) and _is_plain(other):
            yield node.with_changes(body=[*body[:at], other, one, *body[at + 2 :]])


def _is_plain(function: cst.FunctionDef) -> bool:
    """Tell whether nothing runs when the function is defined."""
    parameters = function.params
    listed = [*parameters.params, *parameters.kwonly_params, *parameters.posonly_params]
    return not function.decorators and all(
        isinstance(parameter.default, cst.BaseNumber | cst.SimpleString | None) for parameter in listed
    )


SWAP_DEFINITIONS = Rewrite(
    "swap-definitions",
    _propose,
    (
        (
            "def f():\n    return 1\ndef g():\n    return 2\n",
            "def g():\n    return 2\ndef f():\n    return 1\n",
        ),
    ),
)
