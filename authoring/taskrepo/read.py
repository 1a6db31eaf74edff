"""Tasks read back from the repositories' files: the inverse of assembling them."""

from collections.abc import Mapping
from dataclasses import dataclass

from authoring.model.contract import Contract, Environment
from authoring.model.errors import UsageError
from authoring.model.task import Checks, HiddenChecks, Task
from authoring.model.variants import VariantSpec
from authoring.variants.material import VariantTask

__all__ = ["StoredTask", "read_tasks", "variant_of"]


@dataclass(frozen=True, slots=True)
class StoredTask:
    """One variant as the repositories hold it; without the private repository only its public face."""

    task: Task
    tier: str
    """``public`` or ``hidden``."""
    files: dict[str, bytes]
    """The task folder's files by name."""
    private: dict[str, bytes]
    """The files of its hidden folder by name, without those of ``task/``."""


def read_tasks(private: Mapping[str, bytes], public: Mapping[str, bytes]) -> list[StoredTask]:
    """Return every task of the two repositories' files (by path), sorted by id.

    Raises :class:`UsageError` TSK006 for a task.json that is none, or that names another task than its
    folder.
    """
    found: dict[str, StoredTask] = {}
    for tier, files, depth in (("public", public, ("tasks",)), ("hidden", private, ("hidden",))):
        for path in files:
            parts = path.split("/")
            inner = parts[3:] if tier == "public" else parts[4:] if parts[3:4] == ["task"] else []
            if parts[:1] == list(depth) and inner == ["task.json"]:
                folder = path.removesuffix("task.json")
                identity = f"{parts[1]}/{parts[2]}"
                found[identity] = StoredTask(
                    task=_read(files[path], identity),
                    tier=tier,
                    files=_below(files, folder),
                    private={
                        name: data
                        for name, data in _below(private, f"hidden/{identity}/").items()
                        if not name.startswith("task/")
                    },
                )
    return [found[identity] for identity in sorted(found)]


def _below(files: Mapping[str, bytes], folder: str) -> dict[str, bytes]:
    return {
        path.removeprefix(folder): data for path, data in sorted(files.items()) if path.startswith(folder)
    }


def _read(data: bytes, identity: str) -> Task:
    try:
        task = Task.from_json(data)
    except ValueError as error:
        raise _malformed(identity, str(error)) from error
    if task.id != identity:
        raise _malformed(identity, f"it says that it is {task.id!a}")
    return task


def _malformed(identity: str, reason: str) -> UsageError:
    return UsageError(
        "TSK006", f"The task {identity} is malformed: {reason}.", "Restore it from the history."
    )


def variant_of(stored: StoredTask) -> VariantTask:
    """Return a stored task as the value that validation and the gate judge.

    Its contract holds what task.json says (the sentences of contract.toml are empty). Raises
    :class:`UsageError` TSK006 where files are missing or malformed, as they are without the private
    repository.
    """
    identity = stored.task.id
    try:
        public = Checks.from_json(stored.files["checks.json"])
        hidden = HiddenChecks.from_json(stored.private["hidden_checks.json"])
        texts = {name: stored.files[name].decode() for name in ("program.py", "scenarios.py", "prompt.md")}
        reference = stored.private["reference.py"].decode()
        negative = stored.files.get("hard_negative.py", b"").decode()
    except KeyError as error:
        raise _malformed(identity, f"{error.args[0]} is missing") from error
    except ValueError as error:
        raise _malformed(identity, str(error)) from error
    return VariantTask(
        spec=VariantSpec(
            id=identity.partition("/")[2], tier="public" if stored.tier == "public" else "hidden"
        ),
        contract=contract_of(stored.task),
        program=texts["program.py"],
        reference=reference,
        hard_negative=negative,
        scenarios=texts["scenarios.py"],
        prompt=texts["prompt.md"],
        public=public,
        hidden=hidden,
    )


def contract_of(task: Task) -> Contract:
    """Return the contract under a variant's names, as far as task.json tells it."""
    return Contract(
        id=task.contract,
        incident="",
        mechanism=task.mechanism,
        group=task.group,
        category=task.category,
        symptom="",
        returns="",
        domain="",
        entry=task.entry,
        environment=Environment(python=task.environment.python, dependencies=task.environment.dependencies),
        raises=task.raises,
        types=task.types,
        origin=task.origin,
        reference_digest="",
        rules=(),
        scenarios=tuple(task.compare.values()),
    )
