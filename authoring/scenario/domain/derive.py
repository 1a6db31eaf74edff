"""The text of a readable, editable domain.py, from the parameters seen and the code that changed."""

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import black

from authoring.model.execution import Wire
from authoring.model.wire import WireError, decode
from authoring.scenario.domain.changed import ChangedCode
from authoring.scenario.domain.literal import MODULES, literal
from authoring.scenario.domain.numbers import bounds_of, numbers_of
from authoring.scenario.domain.strategies import Writer, strategy_for
from authoring.scenario.domain.tokens import marks_of

__all__ = ["derive_domain"]

_HEADER = '"""Where parameters come from: values seen, mixtures, and draws around boundaries."""'


def derive_domain(seen: Mapping[str, Sequence[Wire]], changed: ChangedCode) -> str:
    """Return the text of domain.py: ``SEEN``, one function for each scenario, and an empty list of cuts.

    ``seen`` holds for each scenario its wire dicts, lifted and recorded; each can be drawn again. A tuple
    with a parameter that has no value outside a box (an injected function) is left out; a scenario of which
    no tuple remains raises :class:`~authoring.model.wire.WireError`.
    """
    rows = {scenario: _decoded(scenario, seen[scenario]) for scenario in sorted(seen)}
    high = max([bounds_of(_integers(tuples))[1] for tuples in rows.values()], default=1)
    functions = [_function(scenario, tuples, Writer(changed)) for scenario, tuples in rows.items()]
    body = "\n\n\n".join(functions)
    tables = []
    if "NUMBERS" in body:
        tables.append("# numbers of the changed code, their powers, and numbers of the code around it")
        tables.append(f"NUMBERS = {literal(numbers_of(changed, high) or [0, 1])}")
    if "MARKS" in body:
        tables.append("# characters and texts that the changed code looks for, and those next to them")
        tables.append(f"MARKS = {literal(marks_of(changed) or ['a', ' '])}")
    frozen = ["# values lifted from the reproducer and recorded, frozen", f"SEEN = {literal(rows)}"]
    blocks = _blocks(body)
    text = "\n".join([_HEADER, "", *_imports(rows, body + blocks), "", *frozen, *tables])
    parts = [text, *([blocks] if blocks else []), body, "CUTS = []"]
    return black.format_str("\n\n\n".join(parts) + "\n", mode=black.Mode(line_length=110))


def _decoded(scenario: str, tuples: Sequence[Wire]) -> list[dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    refused = "nothing was seen"
    for wire in tuples:
        try:
            row = decode(wire)
        except WireError as error:
            refused = str(error)
            continue
        rows.setdefault(literal(row), row)
    if not rows:
        raise WireError(f"scenario {scenario} has no parameters that a domain can hold: {refused}")
    return list(rows.values())


def _function(scenario: str, rows: list[dict[str, Any]], writer: Writer) -> str:
    names = sorted({name for row in rows for name in row})
    if not names:
        return f"def {scenario}(constants):\n    return st.just({{}})"
    lines = []
    for name in names:
        values = [row[name] for row in rows if name in row]
        lines.append(f"        {literal(name)}: {strategy_for(values, writer)},")
    head = f"def {scenario}(constants):\n    anew = {{\n"
    return head + "\n".join(lines) + f"\n    }}\n    return crossed(SEEN[{literal(scenario)}], anew)"


def _integers(rows: Sequence[Any]) -> list[int]:
    """Return all integers at any depth of the values."""
    found: list[int] = []
    waiting: list[Any] = list(rows)
    while waiting:
        value = waiting.pop()
        if type(value) is int:
            found.append(value)
        elif isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list | tuple | set | frozenset):
            waiting += list(value)
    return found


def _imports(rows: Mapping[str, Any], text: str) -> list[str]:
    modules = sorted(
        {module for module in MODULES.values() if f"{module}." in text or f"{module}." in literal(rows)}
    )
    return [
        *(f"import {module}" for module in modules),
        *([""] if modules else []),
        "from hypothesis import strategies as st",
    ]


def _blocks(body: str) -> str:
    """Return the prelude's blocks that the body uses, and those that they use, in the prelude's order."""
    source = (Path(__file__).parent / "prelude.py").read_text(encoding="utf-8")
    definitions = {_name(node): node for node in ast.parse(source).body if _name(node)}
    wanted: set[str] = set()
    waiting = [name for name in definitions if f"{name}(" in body]
    while waiting:
        name = waiting.pop()
        if name in wanted:
            continue
        wanted.add(name)
        waiting += [
            n.id for n in ast.walk(definitions[name]) if isinstance(n, ast.Name) and n.id in definitions
        ]
    kept = [node for name, node in definitions.items() if name in wanted and name != "Draw"]
    return "\n\n\n".join(_plain(ast.get_source_segment(source, node) or "", node) for node in kept)


def _name(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef):
        return node.name
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return ""


def _plain(text: str, node: ast.stmt) -> str:
    """Return a definition without annotations: a domain file is for reading and editing."""
    spans = []
    for part in ast.walk(node):
        if isinstance(part, ast.arg) and part.annotation is not None:
            spans.append((": ", part.annotation))
        if isinstance(part, ast.FunctionDef) and part.returns is not None:
            spans.append((" -> ", part.returns))
    lines = text.split("\n")
    for lead, annotation in sorted(
        spans, key=lambda span: (span[1].lineno, span[1].col_offset), reverse=True
    ):
        row = annotation.lineno - node.lineno
        end = annotation.end_col_offset or annotation.col_offset
        line = lines[row]
        lines[row] = line[: annotation.col_offset - len(lead)] + line[end:]
    return "\n".join(lines)
