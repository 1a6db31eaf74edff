"""The functions at which a program could be observed: called by every request that tells, above what changed."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from authoring.model.execution import Frame, Hung
from authoring.reduction.carve.changed import changed_functions
from authoring.reduction.carve.definitions import Definition, definitions_of, parsed
from authoring.reduction.carve.entry import entry_calls
from authoring.reduction.carve.situation import Situation

__all__ = ["Candidate", "candidates_of"]

_LEAST_NODES = 500
"""A smaller program is observed through the package's own interface."""
_SHARE = 0.6
"""How much of what ran may stand below an entry that is worth it."""

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A function, what ran below it, and how the reproducer's requests called it."""

    definition: Definition
    below: frozenset[Key]
    """The functions that ran below it, itself among them."""
    nodes: int
    calls: tuple[Frame, ...]
    has_many: bool
    """Whether some request called it more than once."""


def candidates_of(situation: Situation, telling: Sequence[int]) -> list[Candidate]:
    """Return the candidates, those with the least code below them first; none where little ran at all."""
    asked = [at for at in range(situation.lifted) if situation.answers["reference"][at] != Hung()]
    requests = [situation.requests[at] for at in asked]
    traces = situation.runner.trace(situation.reference, requests, situation.how, with_frames=True)
    frames = {at: trace.frames for at, trace in zip(asked, traces, strict=True)}
    others = _frames_of_others(situation, telling)
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
        if any(_is_silent(frames[at], each, key) for at, each in others if at in frames):
            continue
        nodes = sum(_nodes(reference[one]) for one in below & reference.keys())
        if nodes <= _SHARE * total:
            has_many = any(len(each) > 1 for each in calls.values())
            every = tuple(one for each in calls.values() for one in each)
            found.append(Candidate(definition, below, nodes, every, has_many))
    return sorted(found, key=lambda one: (one.nodes, one.definition.file, one.definition.line))


def _frames_of_others(situation: Situation, telling: Sequence[int]) -> list[tuple[int, Sequence[Frame]]]:
    """Return what ran for the requests that a version answers unlike the reference, version by version."""
    found: list[tuple[int, Sequence[Frame]]] = []
    for version, package in situation.packages.items():
        asked = [at for at in telling if situation.differs(version, at)]
        asked = [at for at in asked if situation.answers[version][at] != Hung()]
        requests = [situation.requests[at] for at in asked]
        traces = situation.runner.trace(package, requests, situation.how, with_frames=True)
        found += [(at, trace.frames) for at, trace in zip(asked, traces, strict=True)]
    return found


def _is_silent(frames: Sequence[Frame], others: Sequence[Frame], key: Key) -> bool:
    """Return whether all calls of a function gave the same data in both: then it cannot tell what differs outside.

    What returns nothing may still change its receiver.
    """
    given, other = (
        [(one.raised, one.result, one.has_result) for one in each if (one.file, one.qualname) == key]
        for each in (frames, others)
    )
    told = all(raised is not None or (has and result is not None) for raised, result, has in given)
    return told and given == other


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
