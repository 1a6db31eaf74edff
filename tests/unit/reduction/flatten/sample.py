"""Small packages of our own writing, traced and flattened in this process."""

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from authoring.model.capture import Binding
from authoring.reduction.flatten import Answer, Faithful, FlatProgram, Unfaithful, flatten_versions
from authoring.reduction.sources import Executed

Call = Callable[[Any], object]
"""A use of the program: gets a name space of canonical names and returns what is observed."""


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write a tree of files."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@contextmanager
def importable(folders: Sequence[Path]) -> Iterator[None]:
    """Make folders importable, and forget what was imported from them."""
    before = dict(sys.modules)
    sys.path[:0] = [str(folder) for folder in folders]
    importlib.invalidate_caches()
    try:
        yield
    finally:
        del sys.path[: len(folders)]
        for name in set(sys.modules) - set(before):
            del sys.modules[name]


class _Lines:
    """The lines that run below some folders."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.prefixes = tuple(f"{folder}/" for folder in folders)
        self.seen: dict[str, set[int]] = {}

    def trace(self, frame: FrameType, event: str, _: object) -> Any:
        prefix = next((item for item in self.prefixes if frame.f_code.co_filename.startswith(item)), None)
        if prefix is None:
            return None
        if event == "line":
            self.seen.setdefault(frame.f_code.co_filename.removeprefix(prefix), set()).add(frame.f_lineno)
        return self.trace

    def frozen(self) -> dict[str, frozenset[int]]:
        return {file: frozenset(lines) for file, lines in self.seen.items()}


def bound(bindings: Sequence[Binding]) -> ModuleType:
    """Return the canonical names, taken from the package."""
    space = ModuleType("bound")
    for binding in bindings:
        module, _, dotted = binding.original.partition(":")
        value: Any = importlib.import_module(module)
        for part in dotted.split(".") if dotted else ():
            value = getattr(value, part)
        setattr(space, binding.name, value)
    return space


def observed(call: Call, space: ModuleType) -> object:
    """Return what a use observes: a value, or an exception's type and message."""
    try:
        return call(space)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def traced(folders: Sequence[Path], bindings: Sequence[Binding], call: Call) -> tuple[Executed, object]:
    """Return which lines of a package a use runs, and what it observes."""
    lines, calls = _Lines(folders), _Lines(folders)
    with importable(folders):
        sys.settrace(lines.trace)
        try:
            space = bound(bindings)
            sys.settrace(calls.trace)
            value = observed(call, space)
        finally:
            sys.settrace(None)
    return Executed(lines.frozen(), calls.frozen()), value


def run(source: str, call: Call) -> object:
    """Return what a use observes of a flat program."""
    module = ModuleType("program")
    with importable([]):
        sys.modules[module.__name__] = module
        try:
            exec(compile(source, "program.py", "exec", dont_inherit=True), module.__dict__)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return observed(call, module)


def flatten(
    folder: Path,
    versions: Mapping[str, Mapping[str, str]],
    originals: Mapping[str, str],
    call: Call,
    dependency: Mapping[str, str] | None = None,
) -> dict[str, FlatProgram]:
    """Flatten versions of a package ``pkg`` for one use."""
    bindings = [Binding(name=name, original=original) for name, original in originals.items()]
    dependencies = [] if dependency is None else [write(folder / "dependency", dependency)]
    trees = {name: write(folder / name, files) for name, files in versions.items()}
    found = {name: traced([tree, *dependencies], bindings, call) for name, tree in trees.items()}

    def questions(version: str, source: str) -> Answer:
        value = run(source, call)
        return Faithful() if value == found[version][1] else Unfaithful(str(value), "the use of the test")

    evidence = {name: executed for name, (executed, _) in found.items()}
    return flatten_versions(trees, "pkg", bindings, evidence, questions, dependencies)


def flat(folder: Path, files: Mapping[str, str], originals: Mapping[str, str], call: Call) -> str:
    """Return the flat text of one version of a package ``pkg`` for one use."""
    return flatten(folder, {"reference": files}, originals, call)["reference"].source
