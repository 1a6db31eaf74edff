"""Which annotations of a statement act, so that they must stay: fields of classes that something transforms, and
dispatch by type."""

from collections.abc import Iterator

import libcst as cst

from authoring.reduction.flatten.classes import is_special_class
from authoring.reduction.flatten.version import Version
from authoring.reduction.sources.index import Unit
from authoring.reduction.sources.tree import children, descendants

__all__ = ["acting_annotations"]


def acting_annotations(version: Version, unit: Unit, every: bool) -> frozenset[cst.Annotation]:
    """Return the annotations of a unit that stay; all of them where ``every`` says so."""
    key = (unit, every)
    if key not in version.annotations:
        version.annotations[key] = frozenset(_found(version, unit, every))
    return version.annotations[key]


def _found(version: Version, unit: Unit, every: bool) -> Iterator[cst.Annotation]:
    if unit.kind == "table":
        return
    if every:
        yield from (node for node in descendants(unit.scan.module) if isinstance(node, cst.Annotation))
        return
    for node in descendants(unit.scan.module):
        if isinstance(node, cst.ClassDef) and _is_read(version, unit, node):
            yield from _fields(node)
        elif isinstance(node, cst.FunctionDef) and any(_registers(item) for item in node.decorators):
            parts = (*children(node.params), *([node.returns] if node.returns is not None else []))
            yield from (
                item for part in parts for item in descendants(part) if isinstance(item, cst.Annotation)
            )


def _is_read(version: Version, unit: Unit, node: cst.ClassDef) -> bool:
    """Tell whether something may read a class's fields: known of a top-level class, guessed for inner ones."""
    if unit.kind == "definition" and node is unit.scan.module.body[0]:
        return is_special_class(version, unit)
    return bool(node.bases or node.keywords or node.decorators)


def _fields(node: cst.ClassDef) -> Iterator[cst.Annotation]:
    for line in node.body.body:
        if isinstance(line, cst.SimpleStatementLine):
            yield from (item.annotation for item in line.body if isinstance(item, cst.AnnAssign))


def _registers(decorator: cst.Decorator) -> bool:
    return isinstance(decorator.decorator, cst.Attribute) and decorator.decorator.attr.value == "register"
