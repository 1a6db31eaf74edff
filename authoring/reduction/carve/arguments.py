"""How a scenario makes the arguments of a call: from data, from what is read of an object, or as an instance."""

import ast
from collections.abc import Sequence

from authoring.model.execution import Frame
from authoring.reduction.carve.candidates import Candidate
from authoring.reduction.carve.definitions import Definition, Function, definitions_of, parsed
from authoring.reduction.carve.entry import Argument, Form, parameters_of
from authoring.reduction.carve.recipes import places_in
from authoring.reduction.carve.situation import Situation

__all__ = ["arguments_of", "attribute_names", "recipe_arguments", "state_names"]


def arguments_of(
    situation: Situation, candidate: Candidate
) -> tuple[tuple[Argument, ...], dict[str, str]] | None:
    """Return how each argument is made and the classes that this needs by canonical name, or None."""
    definition = candidate.definition
    nodes = _nodes_of(situation, definition)
    arguments: list[Argument] = []
    bindings: dict[str, str] = {}
    parameters = parameters_of(definition.node)
    if definition.kind == "class":
        parameters = parameters[1:]
    read: set[str] | None = None
    for at, (name, passed) in enumerate(parameters):
        receiver = at == 0 and definition.kind in ("method", "property")
        seen = [one for call in candidate.calls for one in call.objects if one.name == name]
        if not seen and not receiver:
            arguments.append(Argument(name, "data", passed=passed))
            continue
        if passed in ("positions", "keywords"):
            return None
        if not receiver and not any(_uses(node, name) for node in nodes):
            arguments.append(Argument(name, "none", passed=passed))
            continue
        held = [{pair[0] for pair in one.attributes["dict"]} for one in seen]
        reads = set().union(*(_attribute_reads(node, name) or {""} for node in nodes))
        if not receiver and "" not in reads and all(reads <= names for names in held):
            arguments.append(Argument(name, "reads", tuple(sorted(reads)), passed=passed))
            continue
        types = {one.type for one in seen}
        place = next(iter(types)) if len(types) == 1 else ""
        module, _, qualname = place.partition(":")
        is_named = qualname.isidentifier() and all(part.isidentifier() for part in module.split("."))
        if not is_named or not _is_class_of_all(situation, module, qualname):
            return None
        read = _read_below(situation, candidate) if read is None else read
        attributes = tuple(sorted(set().union(*held) & read))
        bindings[qualname] = place
        arguments.append(Argument(name, "object", attributes, qualname, "receiver" if receiver else passed))
    return tuple(arguments), bindings


def recipe_arguments(
    situation: Situation, candidate: Candidate, calls: Sequence[Frame]
) -> tuple[Argument, ...] | None:
    """Return how each argument is made where calls tell them as recipes; None where one of them is not told."""
    nodes = _nodes_of(situation, candidate.definition)
    parameters = parameters_of(candidate.definition.node)
    if candidate.definition.kind == "class":
        parameters = parameters[1:]
    told = [dict(call.args["dict"]) for call in calls if call.args is not None]
    arguments = []
    for at, (name, passed) in enumerate(parameters):
        receiver = at == 0 and candidate.definition.kind in ("method", "property")
        if all(name in one for one in told):
            form: Form = "recipe" if places_in(one[name] for one in told) else "data"
            arguments.append(Argument(name, form, passed="receiver" if receiver else passed))
        elif not (
            receiver or passed in ("positions", "keywords") or any(_uses(node, name) for node in nodes)
        ):
            arguments.append(Argument(name, "none", passed=passed))
        else:
            return None
    return tuple(arguments)


def attribute_names(situation: Situation, candidate: Candidate) -> tuple[str, ...]:
    """Return the names of the attributes that the functions below a candidate read or set, in any version."""
    read = _read_below(situation, candidate)
    owners = {name.rpartition(".")[0].rpartition(".")[2] for _, name in candidate.below}
    return tuple(sorted(read | {_mangled(owner, name) for owner in owners for name in read}))


def state_names(situation: Situation, candidate: Candidate) -> tuple[str, ...]:
    """Return the attributes of its receiver that a method names, in any version: what it may have changed."""
    receiver = parameters_of(candidate.definition.node)[0][0]
    return tuple(
        sorted(
            {
                _mangled(candidate.definition.owner, one.attr)
                for node in _nodes_of(situation, candidate.definition)
                for one in ast.walk(node)
                if isinstance(one, ast.Attribute)
                and isinstance(one.value, ast.Name)
                and one.value.id == receiver
            }
        )
    )


def _mangled(owner: str, name: str) -> str:
    """Return the name under which a class keeps an attribute: that of a private one holds the class's."""
    is_private = owner.strip("_") and name.startswith("__") and not name.endswith("__")
    return f"_{owner.lstrip('_')}{name}" if is_private else name


def _nodes_of(situation: Situation, definition: Definition) -> list[Function]:
    """Return a function as every version has it."""
    found = [
        definitions_of(parsed(package.tree, definition.file), definition.file).get(definition.qualname)
        for package in situation.packages.values()
    ]
    return [one.node for one in found if one is not None]


def _uses(node: ast.AST, name: str) -> list[ast.Name]:
    return [one for one in ast.walk(node) if isinstance(one, ast.Name) and one.id == name]


def _attribute_reads(node: ast.AST, name: str) -> set[str] | None:
    """Return the attributes of a parameter that are read, or None where it is used in any other way."""
    uses = {id(one) for one in _uses(node, name)}
    called = {id(one.func) for one in ast.walk(node) if isinstance(one, ast.Call)}
    found = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Attribute) and id(one.value) in uses:
            if not isinstance(one.ctx, ast.Load) or id(one) in called:
                return None
            uses.discard(id(one.value))
            found.add(one.attr)
    return None if uses else found


def _is_class_of_all(situation: Situation, module: str, name: str) -> bool:
    """Return whether every version has that class in that module."""
    files = (module.replace(".", "/") + ".py", module.replace(".", "/") + "/__init__.py")
    return all(
        any(
            isinstance(node, ast.ClassDef) and node.name == name
            for file in files
            for node in parsed(package.tree, file).body
        )
        for package in situation.packages.values()
    )


def _read_below(situation: Situation, candidate: Candidate) -> set[str]:
    """Return the attributes that any function below the candidate reads, in any version."""
    found: set[str] = set()
    for package in situation.packages.values():
        for file in {file for file, _ in candidate.below}:
            for name, one in definitions_of(parsed(package.tree, file), file).items():
                if (file, name) in candidate.below:
                    found |= {node.attr for node in ast.walk(one.node) if isinstance(node, ast.Attribute)}
    return found
