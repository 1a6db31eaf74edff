"""What the annotations of a package's functions allow the parameters of scenarios to be.

Only what the sources say is read, nothing is run; what is not understood allows nothing.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from authoring.incident.annotations import AnnotationReader, any_of
from authoring.incident.signatures import TreeIndex
from authoring.model.capture import Capture
from authoring.scenario.domain import Allowed, Annotated

__all__ = ["allowed_by_annotations"]

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def allowed_by_annotations(capture: Capture, scenarios: str, tree: Path) -> Annotated:
    """Return what is allowed for each scenario's parameters that go straight to functions of the package.

    ``scenarios`` is the text of scenarios.py, ``tree`` where the originals of the capture's bindings are looked up.
    """
    index = TreeIndex(tree, (capture.import_name,))
    originals = {binding.name: binding.original for binding in capture.bindings}
    found: dict[str, dict[str, Allowed]] = {}
    for node in ast.parse(scenarios).body:
        if isinstance(node, ast.FunctionDef) and len(node.args.args) == 3:
            scenario = _Scenario.of(node, originals, index)
            for name, allowed in scenario.allowed():
                known = found.setdefault(node.name, {}).get(name, Allowed())
                found[node.name][name] = any_of([known, allowed])
    return found


@dataclass(frozen=True, slots=True)
class _Scenario:
    """One scenario, with the names in it that stand for its parameters and for objects of the package."""

    node: ast.FunctionDef
    originals: Mapping[str, str]
    index: TreeIndex
    names: Mapping[str, str]
    """Names that stand for a parameter: those assigned once from it, and those of a helper that is given it."""
    made: Mapping[str, ast.expr]
    """What names are assigned."""

    @classmethod
    def of(cls, node: ast.FunctionDef, originals: Mapping[str, str], index: TreeIndex) -> "_Scenario":
        """Read one function of scenarios.py."""
        made: dict[str, ast.expr] = {}
        for part in ast.walk(node):
            if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name):
                made[part.targets[0].id] = part.value
        plain = cls(node, originals, index, {}, made)
        names = {name: param for name, value in made.items() if (param := plain._param(value))}
        helpers = {part.name: part for part in ast.walk(node) if isinstance(part, ast.FunctionDef)}
        for call in _calls(node):
            if isinstance(call.func, ast.Name) and call.func.id in helpers:
                for arg, value in _given(helpers[call.func.id].args, call):
                    param = plain._param(value)
                    if param and arg.arg not in made:
                        names[arg.arg] = param
        return cls(node, originals, index, names, made)

    def allowed(self) -> Iterator[tuple[str, Allowed]]:
        """Yield a parameter and what is allowed for it, for every call that it goes to."""
        for call in _calls(self.node):
            original = self._original(call.func)
            for module, arguments in self._signatures(original) if original else ():
                for arg, value in _given(arguments, call):
                    param = self._param(value)
                    if param and arg.annotation is not None:
                        yield param, AnnotationReader(self.index, module).read(arg.annotation)

    def _param(self, value: ast.expr) -> str:
        """Return the parameter that an expression is, ``p["name"]`` or a name for it; else nothing."""
        if isinstance(value, ast.Name):
            return self.names.get(value.id, "")
        if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name):
            key = value.slice
            if value.value.id == self.node.args.args[1].arg and isinstance(key, ast.Constant):
                return key.value if isinstance(key.value, str) else ""
        return ""

    def _original(self, func: ast.expr) -> str:
        """Return ``module:dotted.name`` of what is called, where it is of the package."""
        if not isinstance(func, ast.Attribute):
            return ""
        owner = func.value
        if isinstance(owner, ast.Name) and owner.id == self.node.args.args[0].arg:
            return self.originals.get(func.attr, "")
        if isinstance(owner, ast.Name) and owner.id in self.made:
            owner = self.made[owner.id]
        base = self._original(owner.func) if isinstance(owner, ast.Call) else self._original(owner)
        return f"{base}.{func.attr}" if base and self._is_class(base) else ""

    def _is_class(self, original: str) -> bool:
        module, _, name = original.partition(":")
        return any(isinstance(node, ast.ClassDef) for node in self.index.defined(module, name)[1])

    def _signatures(self, original: str) -> list[tuple[str, ast.arguments]]:
        """Return the module and parameters of a function, of each of its overloads; a class stands for making one."""
        module, _, dotted = original.partition(":")
        first, *rest = dotted.split(".")
        module, nodes = self.index.defined(module, first)
        for name in rest:
            nodes = [one for node in nodes if isinstance(node, ast.ClassDef) for one in _members(node, name)]
        found = []
        for node in nodes:
            is_bound = bool(rest)
            functions: Sequence[ast.stmt] = [node]
            if isinstance(node, ast.ClassDef):
                is_bound, functions = True, _members(node, "__init__") or [_init_of_fields(node)]
            for function in functions:
                if isinstance(function, _Function):
                    found.append((module, _without_self(function) if is_bound else function.args))
        return found


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    return (part for part in ast.walk(node) if isinstance(part, ast.Call))


def _members(node: ast.ClassDef, name: str) -> list[ast.stmt]:
    return [line for line in node.body if isinstance(line, _Function) and line.name == name]


def _init_of_fields(node: ast.ClassDef) -> ast.stmt:
    """Return the function that makes an object of a class of annotated fields."""
    fields = [
        ast.arg(line.target.id, line.annotation)
        for line in node.body
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
    ]
    made = ast.parse("def __init__(self): ...").body[0]
    assert isinstance(made, ast.FunctionDef)
    made.args.args += fields
    return made


def _without_self(function: _Function) -> ast.arguments:
    """Return the parameters of a method without the one that the object or class takes."""
    args = function.args
    if any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in function.decorator_list):
        return args
    only, usual = (args.posonlyargs[1:], args.args) if args.posonlyargs else ([], args.args[1:])
    return ast.arguments(
        only, usual, args.vararg, args.kwonlyargs, args.kw_defaults, args.kwarg, args.defaults
    )


def _given(args: ast.arguments, call: ast.Call) -> Iterator[tuple[ast.arg, ast.expr]]:
    """Yield each parameter of a function that a call gives, up to the first star, with what it gives."""
    for arg, value in zip([*args.posonlyargs, *args.args], call.args, strict=False):
        if isinstance(value, ast.Starred):
            break
        yield arg, value
    named = {arg.arg: arg for arg in (*args.args, *args.kwonlyargs)}
    for keyword in call.keywords:
        if keyword.arg in named:
            yield named[keyword.arg], keyword.value
