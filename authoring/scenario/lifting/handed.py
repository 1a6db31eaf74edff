"""Which of a scenario's own functions it hands to the package, and under which names."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import libcst as cst

from authoring.scenario.lifting.syntax import block, callee, code, dotted, uses, walk

__all__ = ["Handed", "handed_over"]

_COLLECTING = frozenset({"append", "add", "appendleft"})
"""Methods by which a collection of the scenario's own records what it is called with."""
_COLLECTIONS = frozenset({"list", "set", "deque", "collections.deque"})
_PARTIAL = frozenset({"partial", "functools.partial"})
_PASSES = 8


@dataclass(slots=True)
class Handed:
    """Functions that are handed over, by the identity of their nodes: lambdas, definitions, bound methods."""

    names: dict[int, str] = field(default_factory=dict)
    """What each is called: by its name, its keyword, or as a callback."""
    methods: set[int] = field(default_factory=set)
    """Those whose first parameter is the object that they belong to."""
    kept: dict[int, frozenset[str]] = field(default_factory=dict)
    """For each, the collections of the scenario's own that it adds what it is given to."""

    def __bool__(self) -> bool:
        return bool(self.names)


def handed_over(function: cst.FunctionDef) -> Handed:
    """Return which functions of its own a scenario hands to the package.

    These stand among the arguments of a call that has to do with the package, also in a list or dict of them, are
    decorated by it, or are set as an attribute of something of it. A sorting is none: it hands over to the list.
    """
    finder = _Finder(function)
    for node in walk(function.body):
        if isinstance(node, cst.Call) and finder.is_of_package(node.func) and not _is_sorting(node):
            for arg in node.args:
                finder.hand(arg.value, arg.keyword.value if arg.keyword is not None else "")
        elif isinstance(node, cst.FunctionDef) and any(map(finder.is_of_package, node.decorators)):
            finder.keep(node, node.name.value, _appended_in(node.body))
        elif isinstance(node, cst.Assign):
            for target in node.targets:
                if isinstance(target.target, cst.Attribute) and finder.is_of_package(target.target.value):
                    finder.hand(node.value, target.target.attr.value)
    return finder.handed


def _is_sorting(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value == "sort"


class _Finder:
    """Looks for what an expression that is handed over stands for."""

    def __init__(self, function: cst.FunctionDef) -> None:
        self.handed = Handed()
        self.functions: dict[str, list[cst.FunctionDef]] = {}
        self.classes: dict[str, cst.ClassDef] = {}
        self.values: dict[str, list[cst.BaseExpression]] = {}
        self._note(function.body)
        self.tainted = _tainted(function)

    def _note(self, node: cst.CSTNode) -> None:
        """Keep the definitions and values of names; methods belong to their class."""
        for child in node.children:
            match child:
                case cst.FunctionDef():
                    self.functions.setdefault(child.name.value, []).append(child)
                case cst.ClassDef():
                    self.classes[child.name.value] = child
                    continue
                case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))]):
                    self.values.setdefault(name, []).append(child.value)
            self._note(child)

    def is_of_package(self, node: cst.CSTNode) -> bool:
        """Tell whether something reads the package, or what came from it."""
        return bool(uses(node).reads & self.tainted)

    def keep(
        self, node: cst.CSTNode, name: str, added_to: frozenset[str], *, is_method: bool = False
    ) -> None:
        """Take a function as handed over; the name under which it was handed first stays."""
        self.handed.names.setdefault(id(node), name)
        self.handed.kept[id(node)] = added_to
        if is_method:
            self.handed.methods.add(id(node))

    def hand(self, node: cst.BaseExpression, name: str) -> None:
        """Take what an argument holds as handed over."""
        match node:
            case cst.Lambda():
                self.keep(node, name or "callback", _appended_in(node.body))
            case cst.Name():
                self._hand_name(node.value, name)
            case cst.Attribute(value=owner, attr=cst.Name(value=method)):
                self._hand_method(node, owner, method)
            case cst.Call(args=[first, *_]) if callee(node) in _PARTIAL:
                self.hand(first.value, name)
            case cst.Call():
                self._hand_method(node, node, "__call__")
            case cst.IfExp():
                self.hand(node.body, name)
                self.hand(node.orelse, name)
            case cst.List() | cst.Tuple() | cst.Set():
                for element in node.elements:
                    self.hand(element.value, name)
            case cst.Dict():
                for pair in node.elements:
                    self.hand(pair.value, _key(pair) or name)

    def _hand_name(self, known: str, name: str) -> None:
        for function in self.functions.get(known, []):
            self.keep(function, known, _appended_in(function.body))
        for value in self.values.get(known, []):
            if isinstance(value, cst.Lambda):
                self.keep(value, known, _appended_in(value.body))
            elif isinstance(value, cst.Call):
                self.hand(value, name)

    def _hand_method(self, node: cst.BaseExpression, owner: cst.BaseExpression, method: str) -> None:
        for kind in self._classes_of(owner):
            for line in block(kind.body):
                if isinstance(line, cst.FunctionDef) and line.name.value == method:
                    own = kind.name.value if method == "__call__" else method
                    is_bound = not any(code(each.decorator) == "staticmethod" for each in line.decorators)
                    self.keep(line, own, _appended_in(line.body), is_method=is_bound)
        name = dotted(owner)
        if method in _COLLECTING and name is not None and self._is_collection(name):
            self.keep(node, method, frozenset([name]))

    def _classes_of(self, owner: cst.BaseExpression) -> Iterator[cst.ClassDef]:
        made: Sequence[cst.BaseExpression] = [owner]
        if isinstance(owner, cst.Name):
            made = self.values.get(owner.value, [])
        for value in made:
            if isinstance(value, cst.Call) and callee(value) in self.classes:
                yield self.classes[callee(value)]

    def _is_collection(self, name: str) -> bool:
        values = self.values.get(name, [])
        return bool(values) and all(
            isinstance(value, cst.List | cst.Set) or callee(value) in _COLLECTIONS for value in values
        )


def _key(element: cst.BaseDictElement) -> str:
    key = element.key if isinstance(element, cst.DictElement) else None
    text = key.evaluated_value if isinstance(key, cst.SimpleString) else ""
    return text if isinstance(text, str) and text.isidentifier() else ""


def _appended_in(node: cst.CSTNode) -> frozenset[str]:
    """Return the names of what a piece of code appends something to."""
    called = (callee(each).rpartition(".") for each in walk(node))
    return frozenset(owner for owner, _, method in called if owner and method in _COLLECTING)


def _tainted(function: cst.FunctionDef) -> frozenset[str]:
    """Return the names that stand for the package or for what may have come from it."""
    parts = [part for node in walk(function.body) for part in _parts(node)]
    found = {"program"}
    for _ in range(_PASSES):
        size = len(found)
        for reads, binds in parts:
            if reads & found:
                found |= binds
        if len(found) == size:
            break
    return frozenset(found)


def _parts(node: cst.CSTNode) -> Iterator[tuple[set[str], set[str]]]:
    """Yield what a statement, without those in its body, reads and binds."""
    match node:
        case cst.SimpleStatementLine() | cst.FunctionDef() | cst.ClassDef():
            found = uses(node)
            yield found.reads, found.binds
        case cst.With():
            for item in node.items:
                found = uses(item)
                yield found.reads, found.binds
        case cst.For() | cst.CompFor():
            target = uses(cst.AssignTarget(target=node.target))
            yield uses(node.iter).reads, target.binds
