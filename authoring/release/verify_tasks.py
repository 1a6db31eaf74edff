"""Verify tasks, evidence and public documents: each file against what another file states about it."""

from collections.abc import Iterator, Sequence

from authoring.model.digest import sha256_hex
from authoring.model.task import Checks, HiddenChecks, Task
from authoring.release.findings import Finding
from authoring.release.proof import Unproven, prove, read_records
from authoring.release.state import Side, State
from authoring.system import git
from authoring.taskrepo.catalogue import public_documents, tasks_in
from authoring.taskrepo.read import StoredTask

__all__ = [
    "check_documents",
    "check_folder",
    "check_pairs",
    "check_proofs",
    "check_records",
    "check_tasks",
]


def check_tasks(tasks: Sequence[StoredTask], state: State, counts: dict[str, int]) -> Iterator[Finding]:
    """Check every task's files, counting tasks and files."""
    for stored in tasks:
        counts["tasks"] += 1
        counts["files"] += len(stored.files) + len(stored.private)
        yield from _check_folder_of(stored)
        yield from _check_checks(stored, with_hidden=state.private is not None)


def _check_folder_of(stored: StoredTask) -> Iterator[Finding]:
    """Compare a task's files with the digests that its task.json gives."""
    stated = stored.task.files
    present = {name: data for name, data in stored.files.items() if name != "task.json"}
    for name in sorted(set(stated) | set(present)):
        if name not in present:
            yield Finding(stored.task.id, f"{name} is missing")
        elif name not in stated:
            yield Finding(stored.task.id, f"{name} is not in task.json")
        elif sha256_hex(present[name]) != stated[name]:
            yield Finding(stored.task.id, f"{name} is not the file that task.json names")


def _check_checks(stored: StoredTask, with_hidden: bool) -> Iterator[Finding]:
    task = stored.task
    documents: list[tuple[str, bytes | None, type[Checks], int]] = [
        ("checks.json", stored.files.get("checks.json"), Checks, task.checks.public)
    ]
    if with_hidden and stored.private:
        hidden = stored.private.get("hidden_checks.json")
        documents.append(("hidden_checks.json", hidden, HiddenChecks, task.checks.hidden))
        if "reference.py" not in stored.private:
            yield Finding(task.id, "reference.py is missing")
    for name, data, kind, count in documents:
        if data is None:
            yield Finding(task.id, f"{name} is missing")
            continue
        try:
            checks = kind.from_json(data)
        except ValueError as error:
            yield Finding(task.id, f"{name} is malformed: {error}")
            continue
        yield from _check_document(task, name, checks, count, stored.files.get("scenarios.py", b""))


def _check_document(task: Task, name: str, checks: Checks, count: int, scenarios: bytes) -> Iterator[Finding]:
    if checks.task != task.id:
        yield Finding(task.id, f"{name} belongs to {checks.task!a}")
    if checks.scenarios_sha256 != sha256_hex(scenarios):
        yield Finding(task.id, f"{name} belongs to other scenarios")
    if len(checks.checks) != count:
        yield Finding(task.id, f"{name} holds {len(checks.checks)} checks and not {count}")
    pools = checks.pools if isinstance(checks, HiddenChecks) else ()
    if any(len(pool.inputs) != len(pool.expect_hmac) for pool in pools):
        yield Finding(task.id, f"{name} has a pool whose inputs and answers differ in number")


def check_records(state: State, counts: dict[str, int]) -> Iterator[Finding]:
    """Check every record of evidence, counting them."""
    if state.private is not None:
        records, damaged = read_records(state.private.files)
        counts["records"] = len(records)
        yield from (Finding(path, "the record is damaged or was edited") for path in damaged)


def check_documents(state: State) -> Iterator[Finding]:
    """Compare catalogue, card and licences with what the public tasks give."""
    if state.public is None:
        return
    try:
        tasks = tasks_in(state.public.files)
    except ValueError:
        return
    expected = public_documents(tasks)
    found = {path for path in state.public.files if path.startswith("LICENSES/")} | {
        "README.md",
        "catalog.csv",
    }
    for path in sorted(found | set(expected)):
        if tasks and state.public.files.get(path) != expected.get(path):
            yield Finding(path, "it does not agree with the tasks")


def check_pairs(tasks: Sequence[StoredTask]) -> Iterator[Finding]:
    """Find public tasks without a hidden folder."""
    for stored in tasks:
        if not stored.private:
            yield Finding(stored.task.id, "it has no hidden folder")


def check_proofs(tasks: Sequence[StoredTask], state: State) -> Iterator[Finding]:
    """Find tasks that their evidence does not bear out: a file or a record was changed since, or is gone."""
    records, _ = read_records(state.private.files if state.private else {})
    for stored in tasks:
        proof = prove(stored, records)
        if stored.private and isinstance(proof, Unproven):
            yield Finding(stored.task.id, proof.reason)


def check_folder(side: Side) -> Iterator[Finding]:
    """Find committed public files that the working folder holds otherwise."""
    for path in git.dirty_paths(side.root, side.commit):
        yield Finding(path, "the working folder differs from the commit")
