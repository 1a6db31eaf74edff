"""The building blocks that a domain.py uses, copied from where they are kept."""

import ast
from pathlib import Path

__all__ = ["blocks_of"]


def blocks_of(body: str) -> str:
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
