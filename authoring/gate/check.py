"""Verify a gate's tag later, in any clone: what it says must still be what the workspace holds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from authoring.gate.tagging import FIELDS, decision_path
from authoring.model.digest import sha256_hex
from authoring.model.errors import RefusedError, UsageError
from authoring.model.evidence import Record
from authoring.model.manifest import Decision, Manifest
from authoring.release import digest_of
from authoring.release.state import digest_in
from authoring.system import git
from authoring.system.git import Tag
from authoring.validation.judge import key_of

__all__ = ["CheckedTag", "check_tag"]


@dataclass(frozen=True, slots=True)
class CheckedTag:
    """A tag that is what it says."""

    tag: Tag
    decision: Decision


def check_tag(workspace: Path, name: str, repo: Path | None = None) -> CheckedTag:
    """Return a gate's tag after recomputing all that it names.

    ``repo`` is the clone that holds the tag, the workspace where it is None. Raise ``UsageError`` GTE009
    where there is no such tag of a gate, ``RefusedError`` GTE010 for the first thing that does not hold.
    """
    tag = git.read_tag(repo or workspace, name)
    fields = {} if tag is None else _fields(tag)
    if tag is None or set(fields) != set(FIELDS):
        raise UsageError(
            "GTE009", f"there is no gate's tag {name!a}", "Fetch the tags of the clone.", stage="gate"
        )
    files = git.read_files(workspace, git.head(workspace))
    decision = _decision(files, name, fields)
    wrong = next(_wrong(workspace, files, tag, fields, decision), None)
    if wrong is not None:
        raise _refused(name, wrong)
    return CheckedTag(tag, decision)


def _fields(tag: Tag) -> dict[str, str]:
    """Return the lines that end the message, by name; none where it does not end in them."""
    lines = tag.message.strip().splitlines()[-len(FIELDS) :]
    pairs = [line.partition(": ") for line in lines]
    return {key: value for key, separator, value in pairs if separator and key in FIELDS}


def _decision(files: Mapping[str, bytes], name: str, fields: Mapping[str, str]) -> Decision:
    try:
        data = files[decision_path(name)]
    except KeyError as error:
        raise _refused(name, "the workspace holds no decision of that name") from error
    if sha256_hex(data) != fields["Decision"]:
        raise _refused(name, "the decision in the workspace is not the one that the tag names")
    try:
        return Decision.from_json(data)
    except ValueError as error:
        raise _refused(name, f"the decision is malformed: {error}") from error


def _wrong(
    workspace: Path, files: Mapping[str, bytes], tag: Tag, fields: Mapping[str, str], decision: Decision
) -> Iterator[str]:
    """Yield what does not hold, the gravest first."""
    if not decision.open:
        yield "the decision says that the gate is closed"
    if fields["Release"] != decision.release or fields["Manifest"] != decision.manifest_sha256:
        yield "tag and decision name different releases"
    if fields["Claim"] != (decision.claim or "none"):
        yield "tag and decision claim different things"
    yield from _wrong_release(workspace, files, decision)
    if decision.kind == "repo" and "==" not in decision.subject:
        if tag.commit != decision.subject:
            yield "the tag is on another commit than the one that was judged"
    elif tag.commit != getattr(git.read_tag(workspace, decision.release), "commit", None):
        yield "the tag is not on the release's commit"
    yield from _wrong_evidence(files, decision)


def _wrong_release(workspace: Path, files: Mapping[str, bytes], decision: Decision) -> Iterator[str]:
    tag = git.read_tag(workspace, decision.release)
    if tag is None or digest_in(tag.message) != decision.manifest_sha256:
        yield f"the workspace has no release {decision.release} with that manifest"
    try:
        manifest = Manifest.from_json(files[f"releases/{decision.release}.json"])
    except (KeyError, ValueError):
        yield f"the manifest of the release {decision.release} is missing or malformed"
        return
    if digest_of(manifest) != decision.manifest_sha256:
        yield f"the manifest of the release {decision.release} is another one"


def _wrong_evidence(files: Mapping[str, bytes], decision: Decision) -> Iterator[str]:
    verdicts = []
    for key in decision.evidence:
        try:
            record = Record.from_json(files[f"evidence/{key[:2]}/{key}.json"])
        except (KeyError, ValueError):
            yield f"the evidence {key[:12]} is missing or malformed"
            continue
        if key_of(record.subject) != key:
            yield f"the evidence {key[:12]} was edited"
        verdicts.append(record.result.verdict)
    if not decision.evidence or not decision.judged:
        yield "nothing was judged"
    if decision.passed == decision.judged and any(verdict != "pass" for verdict in verdicts):
        yield "the evidence holds a verdict that is no pass"


def _refused(name: str, reason: str) -> RefusedError:
    return RefusedError(
        "GTE010",
        f"the tag {name} does not hold: {reason}",
        "Do not rely on it; run the gate again.",
        stage="gate",
    )
