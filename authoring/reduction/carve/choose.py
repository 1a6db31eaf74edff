"""Choose the innermost function at which every version still behaves as the outer calls saw it."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from authoring.model.capture import Binding
from authoring.model.digest import value_digest
from authoring.model.execution import Frame, How, Hung, Observed, Outcome, Package, Request, Runner
from authoring.model.observation import Compare
from authoring.model.variants import VersionName
from authoring.model.wire import Wire
from authoring.reduction.carve.changed import changed_functions
from authoring.reduction.carve.definitions import Definition, definitions_of, module_of, parsed
from authoring.reduction.carve.entry import (
    Argument,
    CarvedEntry,
    View,
    entry_calls,
    entry_params,
    parameters_of,
)
from authoring.scenario.inputs import is_same

__all__ = ["Situation", "choose_entry", "entry_original", "entry_scenarios", "recorded"]

_LEAST_NODES = 500
"""A smaller program is observed through the package's own interface."""
_SHARE = 0.6
"""How much of what ran may stand below an entry that is worth it."""
_TRIED = 12
_DIFFERENT = 8
"""Different results that the reference must give at an entry, where it gives as many outside."""
_REACHED = 0.5

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Situation:
    """What is known before an entry is chosen."""

    runner: Runner
    how: How
    packages: Mapping[VersionName, Package]
    """By version, bound at the package's own interface."""
    requests: Sequence[Request]
    """Outer requests that every version answers; the reproducer's come first."""
    lifted: int
    """How many are the reproducer's."""
    answers: Mapping[VersionName, Sequence[Outcome]]
    bindings: Sequence[Binding]
    functions: frozenset[str]
    """Names of the outer scenarios' functions."""

    @property
    def reference(self) -> Package:
        """The release that works."""
        return self.packages["reference"]

    def differs(self, version: VersionName, at: int) -> bool:
        """Return whether a version's answer to an outer request is not the reference's."""
        return not is_same(self.answers[version][at], self.answers["reference"][at], Compare())

    @property
    def telling(self) -> list[int]:
        """The reproducer's requests that some version answers differently."""
        return [at for at in range(self.lifted) if any(self.differs(one, at) for one in self.packages)]


@dataclass(frozen=True, slots=True)
class _Candidate:
    definition: Definition
    below: frozenset[Key]
    """The functions that ran below it, itself among them."""
    nodes: int
    calls: tuple[Frame, ...]


def entry_original(original: str, entry: CarvedEntry) -> str:
    """Return original.py with the names that the entry's scenario reads bound too, where a release has them."""
    inner = "".join(f"    _bind_inside(found, {one.name!r}, {one.original!r})\n" for one in entry.bindings)
    return (
        f"{original.rstrip()}\n\n\n"
        "_bind_outside = bind\n\n\n"
        "def _bind_inside(found, name, original):\n"
        "    module, _, attribute = original.partition(':')\n"
        "    try:\n"
        "        setattr(found, name, getattr(__import__(module, fromlist=[attribute]), attribute))\n"
        "    except (ImportError, AttributeError):\n"
        "        pass  # a release without it is asked from outside only\n\n\n"
        "def bind(package):\n"
        "    found = _bind_outside(package)\n"
        f"{inner}"
        "    return found\n"
    )


def entry_scenarios(scenarios: str, entry: CarvedEntry) -> str:
    """Return scenarios.py with the entry's scenario at its end."""
    if f"\ndef {entry.scenario}(program, p, seen):" in scenarios:
        return scenarios
    first = entry.imports if entry.imports not in scenarios else ""
    gap = "\n\n" if first and scenarios.startswith(("def ", "async def ")) else ""
    return f"{first}{gap}{scenarios.rstrip()}\n\n\n{entry.text}"


def choose_entry(situation: Situation) -> CarvedEntry | None:
    """Return the entry with the least code below it at which every version's pattern shows, or None.

    The reference's arguments are given to every version. An entry qualifies where each version differs from the
    reference on the reproducer's requests exactly as it does outside, wherever it differs outside it differs there,
    most outer requests reach it, and what it gives is stable and varied.
    """
    telling = situation.telling
    if not telling:
        return None
    for candidate in _candidates(situation, telling)[:_TRIED]:
        for entry in _entries(situation, candidate):
            if _qualifies(situation, entry, telling):
                return entry
    return None


def _candidates(situation: Situation, telling: Sequence[int]) -> list[_Candidate]:
    asked = [at for at in range(situation.lifted) if situation.answers["reference"][at] != Hung()]
    traces = situation.runner.trace(
        situation.reference, [situation.requests[at] for at in asked], situation.how
    )
    frames = {at: trace.frames for at, trace in zip(asked, traces, strict=True)}
    files = sorted({one.file for each in frames.values() for one in each})
    trees = [package.tree for package in situation.packages.values()]
    known = [_definitions(tree, files) for tree in trees]
    reference = _definitions(situation.reference.tree, files)
    changed = changed_functions(trees, files)
    total = sum(
        _nodes(reference[key])
        for key in {_key(one) for each in frames.values() for one in each} & reference.keys()
    )
    if total < _LEAST_NODES:
        return []
    found = []
    for key in sorted({_key(one) for each in frames.values() for one in each if "<" not in one.qualname}):
        if key not in reference or any(key not in version for version in known):
            continue
        definition = reference[key]
        if isinstance(definition.node, ast.AsyncFunctionDef):
            continue
        calls = {at: entry_calls(each, definition.file, definition.line) for at, each in frames.items()}
        if not all(calls.get(at) for at in telling):
            continue
        below = frozenset(_key(one) for each in frames.values() for one in _below(each, key))
        if not all(_is_on_the_way(frames[at], key, changed) for at in telling if at in frames):
            continue
        nodes = sum(_nodes(reference[one]) for one in below & reference.keys())
        if nodes <= _SHARE * total:
            found.append(
                _Candidate(definition, below, nodes, tuple(one for each in calls.values() for one in each))
            )
    return sorted(found, key=lambda one: (one.nodes, one.definition.file, one.definition.line))


def _definitions(tree: Path, files: Sequence[str]) -> dict[Key, Definition]:
    return {
        (file, name): one for file in files for name, one in definitions_of(parsed(tree, file), file).items()
    }


def _key(frame: Frame) -> Key:
    """Return the file and name of the function that a frame is of, or that holds the nested one that it is of."""
    return frame.file, frame.qualname.partition(".<locals>")[0]


def _nodes(definition: Definition) -> int:
    return sum(1 for _ in ast.walk(definition.node))


def _below(frames: Sequence[Frame], key: Key) -> list[Frame]:
    """Return the frames of a function and all that it called."""
    inside = [False] * len(frames)
    for at, one in enumerate(frames):
        inside[at] = (one.file, one.qualname) == key or (one.parent >= 0 and inside[one.parent])
    return [one for at, one in enumerate(frames) if inside[at]]


def _is_on_the_way(frames: Sequence[Frame], key: Key, changed: set[Key]) -> bool:
    return any(_key(one) in changed for one in _below(frames, key))


def _entries(situation: Situation, candidate: _Candidate) -> list[CarvedEntry]:
    """Return the ways to call a candidate and look at its result, the most telling first."""
    definition = candidate.definition
    made = _arguments(situation, candidate)
    if made is None:
        return []
    arguments, bindings = made
    receiver = any(one.passed == "receiver" for one in arguments)
    owned = definition.kind in ("static", "class")
    if owned:
        bindings[definition.owner] = f"{module_of(definition.file)}:{definition.owner}"
    elif not receiver:
        bindings[definition.name] = f"{module_of(definition.file)}:{definition.name}"
    outside = {one.name: one.original for one in situation.bindings}
    if any(outside.get(name, original) != original for name, original in bindings.items()):
        return []
    name = definition.name.strip("_") or "entry"
    names = (name, f"{name}_inside", f"{name}_entry")
    entry = CarvedEntry(
        scenario=next(one for one in names if one not in situation.functions),
        called=definition.qualname if owned else definition.name,
        file=definition.file,
        line=definition.line,
        bindings=tuple(Binding(name=one, original=original) for one, original in sorted(bindings.items())),
        arguments=arguments,
        view="value",
        is_property=definition.kind == "property",
        has_many=_has_many(situation, candidate),
    )
    return [replace(entry, view=view) for view in _views(candidate, receiver=receiver)]


def _has_many(situation: Situation, candidate: _Candidate) -> bool:
    return (
        len(candidate.calls) > situation.lifted
        or len({id(one) for one in candidate.calls}) > situation.lifted
    )


def _views(candidate: _Candidate, *, receiver: bool) -> list[View]:
    if candidate.definition.is_generator:
        return ["list"]
    returned = [one for one in candidate.calls if one.raised is None]
    if receiver and returned and all(one.has_result and one.result is None for one in returned):
        return ["state"]
    return ["value", "text"]


def _arguments(
    situation: Situation, candidate: _Candidate
) -> tuple[tuple[Argument, ...], dict[str, str]] | None:
    """Return how each argument is made and the classes that this needs by canonical name, or None."""
    definition = candidate.definition
    nodes = [
        other.node
        for package in situation.packages.values()
        for other in [
            definitions_of(parsed(package.tree, definition.file), definition.file).get(definition.qualname)
        ]
        if other is not None
    ]
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
        if not qualname.isidentifier() or not _is_class_of_all(situation, module, qualname):
            return None
        read = _read_below(situation, candidate) if read is None else read
        attributes = tuple(sorted(set().union(*held) & read))
        bindings[qualname] = place
        arguments.append(Argument(name, "object", attributes, qualname, "receiver" if receiver else passed))
    return tuple(arguments), bindings


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


def _read_below(situation: Situation, candidate: _Candidate) -> set[str]:
    """Return the attributes that any function below the candidate reads, in any version."""
    found: set[str] = set()
    for package in situation.packages.values():
        for file in {file for file, _ in candidate.below}:
            for name, one in definitions_of(parsed(package.tree, file), file).items():
                if (file, name) in candidate.below:
                    found |= {node.attr for node in ast.walk(one.node) if isinstance(node, ast.Attribute)}
    return found


def _qualifies(situation: Situation, entry: CarvedEntry, telling: Sequence[int]) -> bool:
    params = _recorded(situation, entry)
    reached = [at for at, one in enumerate(params) if one is not None]
    asked = [
        at
        for at in range(len(situation.requests))
        if isinstance(situation.answers["reference"][at], Observed)
    ]
    if not set(telling) <= set(reached) or len(reached) < _REACHED * len(asked):
        return False
    inside = _answers(situation, entry, [params[at] for at in reached])
    right = inside["reference"]
    for version, answers in inside.items():
        for at, own, wanted in zip(reached, answers, right, strict=True):
            differs = not is_same(own, wanted, Compare())
            if situation.differs(version, at) and not differs:
                return False
            if at < situation.lifted and differs and not situation.differs(version, at):
                return False
    return all(isinstance(one, Observed) for one in right) and _is_varied(situation, right, reached)


def _is_varied(situation: Situation, inside: Sequence[Outcome], reached: Sequence[int]) -> bool:
    outside = {_text_of(situation.answers["reference"][at]) for at in reached}
    return len({_text_of(one) for one in inside}) >= min(_DIFFERENT, len(outside))


def _text_of(outcome: Outcome) -> str:
    return value_digest([list(outcome.observations)]) if isinstance(outcome, Observed) else repr(outcome)


def _recorded(situation: Situation, entry: CarvedEntry) -> list[Wire | None]:
    return recorded(situation.runner, situation.reference, entry, situation.requests, situation.how)


def recorded(
    runner: Runner, package: Package, entry: CarvedEntry, requests: Sequence[Request], how: How
) -> list[Wire | None]:
    """Return for each outer request the parameters that it gives the entry on a package; None where it gives none."""
    traces = runner.trace(package, requests, how, (entry.file, entry.line))
    return [entry_params(entry, one.frames) if isinstance(one.outcome, Observed) else None for one in traces]


def _answers(
    situation: Situation, entry: CarvedEntry, params: Sequence[Wire]
) -> dict[VersionName, list[Outcome]]:
    requests = [Request(entry.scenario, one) for one in params]
    return {
        version: situation.runner.observe(
            replace(
                package,
                scenarios=entry_scenarios(package.scenarios, entry),
                original=entry_original(package.original, entry),
            ),
            requests,
            situation.how,
        )
        for version, package in situation.packages.items()
    }
