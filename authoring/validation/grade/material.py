"""A task as the grader needs it: read from its folders, with every digest compared."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from authoring.model.contract import ScenarioSpec
from authoring.model.digest import sha256_hex, value_digest
from authoring.model.document import Document
from authoring.model.errors import UsageError
from authoring.model.execution import ObservedTypes
from authoring.model.task import Checks, HiddenChecks, Task

__all__ = ["TaskMaterial", "load_material"]

_FILE_CAP = 64 << 20
Doc = TypeVar("Doc", bound=Document)


@dataclass(frozen=True, slots=True)
class TaskMaterial:
    """A task with its pristine files and checks; the hidden part is there only where the suite is."""

    task: Task
    pristine: Mapping[str, bytes]
    """Every file of the task's folder by relative path."""
    scenarios: str
    public: Checks
    hidden: HiddenChecks | None = None
    reference: str | None = None
    dependencies: tuple[Path, ...] = ()
    """Folders of the unpacked pinned dependencies."""

    @property
    def module(self) -> str:
        """Return the name under which the program is imported."""
        return Path(self.task.program).stem

    @property
    def types(self) -> ObservedTypes:
        """Return what may be observed beside built-in data."""
        types = self.task.types
        messages = any(spec.compare.exception == "type+message" for spec in self.task.compare.values())
        return ObservedTypes(
            raises=self.task.raises,
            records=types.records,
            enums=types.enums,
            iterators=types.iterators,
            messages=messages,
        )

    def spec(self, scenario: str) -> ScenarioSpec:
        """Return how a scenario is used; one that the task does not describe is used as the strictest."""
        return self.task.compare.get(scenario) or ScenarioSpec(id=scenario, function=scenario, level="both")

    @property
    def checks_sha256(self) -> str:
        """Return the digest of all checks and pools."""
        hidden = None if self.hidden is None else self.hidden.model_dump(mode="json")
        return value_digest([self.public.model_dump(mode="json"), hidden])


def load_material(
    folder: Path, hidden: Path | None = None, dependencies: tuple[Path, ...] = ()
) -> TaskMaterial:
    """Read a task's folder and, where given, the folder of its hidden part; raise :class:`UsageError` for a bad one."""
    task = _document(folder / "task.json", Task)
    pristine = {name: _bytes(folder / name) for name in task.files}
    for name, data in pristine.items():
        if sha256_hex(data) != task.files[name]:
            raise UsageError(
                "VAL102",
                f"{name[-200:]!a} of the task {task.id!a} is not as it was handed out.",
                "Restore the task.",
            )
    pristine["task.json"] = _bytes(folder / "task.json")
    for name in (task.program, "scenarios.py", "checks.json"):
        if name not in pristine:
            raise UsageError(
                "VAL102", f"The task {task.id!a} does not list {name[-200:]!a}.", "Restore the task."
            )
    public = _parse(pristine["checks.json"], folder / "checks.json", Checks)
    secret = None if hidden is None else _document(hidden / "hidden_checks.json", HiddenChecks)
    reference = None if hidden is None else _optional(hidden / "reference.py")
    material = TaskMaterial(
        task, pristine, pristine["scenarios.py"].decode(), public, secret, reference, dependencies
    )
    _require_whole(material)
    return material


def _require_whole(material: TaskMaterial) -> None:
    """Refuse checks that belong to other scenarios or that are not as many as the task says."""
    task = material.task
    documents = [("public", material.public, task.checks.public)]
    if material.hidden is not None:
        documents.append(("hidden", material.hidden, task.checks.hidden))
    for tier, document, count in documents:
        if len(document.checks) != count:
            message = (
                f"The task {task.id!a} says {count} {tier} checks, and there are {len(document.checks)}."
            )
            raise UsageError("VAL103", message, "Restore the task, or render it again.")
        if document.scenarios_sha256 != sha256_hex(material.pristine["scenarios.py"]):
            message = f"The {tier} checks of {task.id!a} were recorded with other scenarios."
            raise UsageError("VAL103", message, "Render the task again.")
    for pool in material.hidden.pools if material.hidden else ():
        if len(pool.inputs) != len(pool.expect_hmac):
            raise UsageError("VAL103", f"A pool of {task.id!a} is not whole.", "Render the task again.")


def _bytes(path: Path) -> bytes:
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _FILE_CAP:
            raise UsageError(
                "VAL102", f"{str(path)[-300:]!a} is missing or no plain file.", "Restore the task."
            )
        return path.read_bytes()
    except OSError as error:
        raise UsageError("VAL102", f"{str(path)[-300:]!a} cannot be read: {error.strerror}.") from error


def _optional(path: Path) -> str | None:
    return _bytes(path).decode() if path.exists() else None


def _document(path: Path, kind: type[Doc]) -> Doc:
    return _parse(_bytes(path), path, kind)


def _parse(data: bytes, path: Path, kind: type[Doc]) -> Doc:
    try:
        return kind.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole"
        message = f"{str(path)[-300:]!a} is malformed at {where[:200]!a}: {first['msg'][:200]}."
        raise UsageError("VAL102", message, "Restore the task, or render it again.") from error
