"""What an annotation allows, as far as the source says it: types of plain data, and values that it spells out."""

import ast
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from authoring.incident.signatures import TreeIndex
from authoring.scenario.domain import Allowed

__all__ = ["AnnotationReader", "any_of"]

_HOPS = 6
_SAMPLES: dict[str, tuple[Any, ...]] = {
    "bool": (False, True),
    "int": (0, 1, -1),
    "float": (0.0, 0.5, -1.5),
    "str": ("", "a"),
    "bytes": (b"", b"a"),
}
_CONTAINERS: dict[str, Callable[[Iterable[Any]], Any]] = {
    **dict.fromkeys(("list", "List", "Sequence", "MutableSequence", "Iterable", "Collection"), list),
    **dict.fromkeys(("tuple", "Tuple"), tuple),
    **dict.fromkeys(("set", "Set", "MutableSet", "AbstractSet"), set),
    **dict.fromkeys(("frozenset", "FrozenSet"), frozenset),
}
_MAPPINGS = frozenset({"dict", "Dict", "Mapping", "MutableMapping"})
_PLAIN_ENUMS = frozenset({"StrEnum", "IntEnum"})


@dataclass(frozen=True, slots=True)
class AnnotationReader:
    """Reads annotations of one module of a tree; what it does not understand allows nothing."""

    index: TreeIndex
    module: str
    hops: int = _HOPS

    def read(self, node: ast.expr) -> Allowed:
        """Return what an annotation allows."""
        match node:
            case ast.Constant(value=None):
                return Allowed((None,))
            case ast.Constant(value=str(text)):
                return self._text(text)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return any_of(map(self.read, (left, right)))
            case ast.Subscript(value=base, slice=inner):
                parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
                return self._generic(_last(base), parts)
            case ast.Name() | ast.Attribute():
                return self._named(_last(node), is_plain=isinstance(node, ast.Name))
        return Allowed()

    def _text(self, text: str) -> Allowed:
        try:
            return self.read(ast.parse(text.strip(), mode="eval").body)
        except (SyntaxError, ValueError, RecursionError):
            return Allowed()

    def _generic(self, name: str, parts: Sequence[ast.expr]) -> Allowed:
        if name == "Literal":
            constants = [part.value for part in parts if isinstance(part, ast.Constant) and _is_data(part)]
            return Allowed(tuple(constants))
        if name in ("Optional", "Union"):
            none = [Allowed((None,))] if name == "Optional" else []
            return any_of([*none, *map(self.read, parts)])
        if name == "Annotated":
            return self.read(parts[0])
        return Allowed(samples=_containers(name, [_first(self.read(part)) for part in parts], parts))

    def _named(self, name: str, *, is_plain: bool) -> Allowed:
        module, nodes = self.index.defined(self.module, name) if is_plain else ("", [])
        if nodes:
            reader = AnnotationReader(self.index, module, self.hops - 1)
            return any_of(reader._statement(node) for node in nodes if self.hops)
        if name in _CONTAINERS:
            return Allowed(samples=(_CONTAINERS[name]([]),))
        return Allowed(samples=({},) if name in _MAPPINGS else _SAMPLES.get(name, ()))

    def _statement(self, node: ast.stmt) -> Allowed:
        """Return what a name allows that a statement defines: another annotation, or a class of plain constants."""
        if isinstance(node, ast.ClassDef):
            bases = {_last(base) for base in node.bases}
            is_enum = bases & _PLAIN_ENUMS or ("Enum" in bases and bases & {"str", "int"})
            values = [line.value for line in node.body if isinstance(line, ast.Assign)] if is_enum else []
            return Allowed(
                tuple(one.value for one in values if isinstance(one, ast.Constant) and _is_data(one))
            )
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if isinstance(value, ast.Call) and _last(value.func) == "NewType" and len(value.args) == 2:
            value = value.args[1]
        return self.read(value) if value is not None else Allowed()


def _last(node: ast.expr) -> str:
    """Return the last part of a dotted name."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _is_data(node: ast.Constant) -> bool:
    return type(node.value) in (str, int, bool, bytes, type(None))


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _first(allowed: Allowed) -> list[Any]:
    """Return one value that is allowed and is more than nothing; none where none is known."""
    known = [*allowed.samples, *allowed.spelled]
    return ([value for value in known if value] or known)[:1]


def any_of(parts: Iterable[Allowed]) -> Allowed:
    """Return what any of the parts allows."""
    every = list(parts)
    return Allowed(
        _distinct(value for part in every for value in part.spelled),
        _distinct(value for part in every for value in part.samples),
    )


def _distinct(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple({repr(value): value for value in values}.values())


def _containers(name: str, inner: Sequence[Sequence[Any]], parts: Sequence[ast.expr]) -> tuple[Any, ...]:
    """Return an empty container of a kind and one that holds something, as far as it is known what."""
    if name in _MAPPINGS:
        keys, items = (inner[0], inner[1]) if len(inner) == 2 else ([], [])
        return ({}, *({key: item} for key in keys for item in items if isinstance(key, Hashable)))
    make = _CONTAINERS.get(name)
    if make is None:
        return ()
    if make is tuple and not _is_ellipsis(parts[-1]):
        return (tuple(one[0] for one in inner),) if all(inner) else ()
    has_any = make in (list, tuple)
    return (make([]), *(make([one]) for one in inner[0] if has_any or isinstance(one, Hashable)))
