"""Invariance under a change of one parameter: the scenario once as given, and once with the value changed."""

import keyword
from collections.abc import Iterator
from typing import cast

import libcst as cst
from libcst import matchers as m

from authoring.contract.relations.relation import Proposal
from authoring.contract.relations.shape import Shape, function_text, read_of, reads_of
from authoring.scenario.lifting.syntax import Statement

__all__ = ["changed"]


def changed(
    shape: Shape, suffix: str, kinds: frozenset[str], value: str, rule: str, least: int = 0
) -> Iterator[Proposal]:
    """Yield a proposal for each parameter whose values are all of these wire kinds.

    ``value`` is the changed value as an expression of ``{given}``, ``rule`` a sentence about ``{given}``; with fewer
    than ``least`` different items nothing is changed.
    """
    fitting = [name for name in shape.parameters if shape.kinds.get(name) and shape.kinds[name] <= kinds]
    for parameter in fitting:
        given = f'p["{parameter}"]'
        if not parameter.isidentifier() or keyword.iskeyword(parameter):
            continue
        name = f"{shape.name}_{suffix}" if len(fitting) == 1 else f"{shape.name}_{parameter}_{suffix}"
        text = _in_turn(shape, name, parameter, value.replace("{given}", given))
        yield Proposal(name, shape.name, text, rule.replace("{given}", f"`{given}`"), parameter, least)


def _in_turn(shape: Shape, name: str, parameter: str, value: str) -> str:
    """Return the scenario in a loop over both values; functions that need neither stay before it."""
    lines = [*shape.lines, shape.last]
    before = 0
    while _is_definition(lines[before]) and parameter not in reads_of(lines[before]):
        before += 1
    each = shape.free(parameter)
    loop = cst.parse_statement(f'for {each} in (p["{parameter}"], {value}):\n    pass\n')
    assert isinstance(loop, cst.For)
    first, *others = [_with_name(line, parameter, each) for line in lines[before:]]
    body = [first.with_changes(leading_lines=()), *others]
    looped = loop.with_changes(body=cst.IndentedBlock(body=body))
    return function_text(name, [*lines[:before], looped])


def _is_definition(line: Statement) -> bool:
    if isinstance(line, cst.SimpleStatementLine):
        return all(isinstance(small, cst.Import | cst.ImportFrom) for small in line.body)
    return isinstance(line, cst.FunctionDef | cst.ClassDef)


def _with_name(line: Statement, parameter: str, name: str) -> Statement:
    return cast(Statement, m.replace(line, read_of(parameter), cst.Name(name)))
