"""The setup frame of a subject, and the folders that its box needs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from authoring.execution.box import Mounts
from authoring.execution.requirements import library_modules, library_modules_of_tree, required_names
from authoring.model.execution import How, ObservedTypes, Package, Program, Request, Subject

__all__ = ["folders_of", "mounts_of", "path_of", "preloads_of", "setup_of"]


def folders_of(tree: Path | None, how: How) -> tuple[tuple[Path, str], ...]:
    """Return the folders to bind for a tree and its dependencies: outside, and path inside."""
    first = ((tree.resolve(), "/tree"),) if tree is not None else ()
    return first + tuple((folder.resolve(), f"/dep{at}") for at, folder in enumerate(how.dependencies))


def mounts_of(driver: Path, subject: Subject, how: How) -> Mounts:
    """Return what is bound for a subject."""
    return Mounts(driver, folders_of(subject.tree if isinstance(subject, Package) else None, how))


def setup_of(subject: Subject, requests: Sequence[Request], how: How) -> dict[str, Any]:
    """Return the frame that brings a subject up; it holds nothing that a candidate may not see."""
    functions = frozenset(request.scenario for request in requests)
    common = {
        "scenarios": subject.scenarios,
        "names": required_names(subject.scenarios, functions),
        "types": _types(subject.types),
        "reply_bytes": how.limits.reply_bytes,
        "cpu": how.limits.import_s if how.limits.call_cpu_s is not None else None,
        "counted": any(request.line_events is not None for request in requests),
        "skips_s": how.limits.call_s if how.limits.processes == 0 else None,
        "path": [inside for _, inside in folders_of(None, how)],
    }
    if isinstance(subject, Package):
        path = [inside for _, inside in folders_of(subject.tree, how)]
        package = {"kind": "package", "modules": list(subject.modules), "original": subject.original}
        return {**common, **package, "path": path}
    program = {"kind": "program", "module": subject.module, "file": path_of(subject)}
    return {**common, **program, "source": subject.source}


def path_of(program: Program) -> str:
    """Return the path that a program's code says it is from; there is no such file."""
    return f"/box/{program.module}.py"


def _types(types: ObservedTypes) -> dict[str, Any]:
    return {
        "raises": list(types.raises),
        "records": list(types.records),
        "enums": list(types.enums),
        "handles": list(types.handles),
        "iterators": types.iterators,
        "messages": types.messages,
    }


def preloads_of(subject: Subject) -> set[str]:
    """Return the library modules that a warm server should have imported before its child brings the subject up."""
    if isinstance(subject, Package):
        return set(library_modules_of_tree(subject.tree.resolve()))
    return library_modules(subject.source) | library_modules(subject.scenarios)
