"""What the evidence says of a stored task: the records that are about exactly its files, and their claim."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from authoring.model.digest import sha256_hex, value_digest
from authoring.model.errors import UsageError
from authoring.model.evidence import Record
from authoring.model.manifest import Claim
from authoring.taskrepo.read import StoredTask, variant_of
from authoring.validation.judge import key_of
from authoring.validation.questions import questions_of

__all__ = ["Proof", "Unproven", "prove", "read_records"]


@dataclass(frozen=True, slots=True)
class Proof:
    """A task that its evidence bears out."""

    keys: tuple[str, ...]
    claim: Claim


@dataclass(frozen=True, slots=True)
class Unproven:
    """A task that cannot be released."""

    reason: str


def read_records(private: Mapping[str, bytes]) -> tuple[list[Record], list[str]]:
    """Return the records among the private files, and the paths of those that are not what they should be.

    A record lies at ``evidence/<xx>/<key>.json`` and its key is the digest of its subject.
    """
    records, damaged = [], []
    for path, data in sorted(private.items()):
        if path.startswith("evidence/"):
            record = _read(path, data)
            if record is None:
                damaged.append(path)
            else:
                records.append(record)
    return records, damaged


def _read(path: str, data: bytes) -> Record | None:
    try:
        record = Record.from_json(data)
    except ValueError:
        return None
    is_own = path == f"evidence/{record.key[:2]}/{record.key}.json" and key_of(record.subject) == record.key
    return record if is_own else None


def prove(stored: StoredTask, records: Sequence[Record]) -> Proof | Unproven:
    """Return what the records say of a task; a record counts only if every digest in it is of the task's
    files."""
    try:
        task = variant_of(stored)
    except UsageError as error:
        return Unproven(error.message)
    wanted = {
        value_digest([question.facts() for question in questions_of(task, with_pool=pool, outer=outer)])
        for pool in (True, False)
        for outer in (True, False)
    }
    complete = value_digest([question.facts() for question in questions_of(task)])
    scenarios = sha256_hex(task.scenarios.encode())
    own = [each for each in records if each.subject.scenarios == scenarios and each.subject.checks in wanted]
    references = [each for each in own if each.subject.program == sha256_hex(task.reference.encode())]
    proving = [each for each in references if each.subject.checks == complete]
    broken = [each for each in own if each.subject.program == sha256_hex(task.program.encode())]
    if not proving:
        return Unproven("no evidence that its reference passes")
    if any(each.result.verdict != "pass" for each in references):
        return Unproven("evidence that its reference does not always pass")
    if not broken:
        return Unproven("no evidence that its program fails")
    if any(each.result.verdict in ("pass", "grader-fault") for each in broken):
        return Unproven("evidence that its program does not fail")
    return Proof(tuple(sorted({each.key for each in own})), _claim(proving))


def _claim(proving: Sequence[Record]) -> Claim:
    """Return the sentence that the reference's records allow: without isolation, nothing about a fresh
    box."""
    isolated = all(each.subject.isolation.net and each.subject.isolation.mount for each in proving)
    return "held-out robust" if isolated else "fixture-correct"
