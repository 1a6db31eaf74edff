"""Later releases of an incident's package: listed once, tried with the reproducer, and told of afterwards."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from authoring.contract.hearing import Alternative, Heard, LaterFacts
from authoring.incident.obtain import Trees
from authoring.incident.reproduces import failure_on
from authoring.model.alternatives import Alternatives, Dispute, LaterRelease
from authoring.model.capture import Capture
from authoring.model.errors import CannotJudgeError, UsageError
from authoring.model.execution import Observed, Package
from authoring.model.incident import Incident
from authoring.system.packages import ObtainedTree, later_releases, obtain_release
from authoring.taskrepo.stages.alternatives_file import read_alternatives
from authoring.taskrepo.stages.generated import current_text, is_edited, write_generated
from authoring.taskrepo.stages.reduction_inputs import Releases, lifted_requests
from authoring.taskrepo.stages.work import Work
from authoring.validation.validate import LaterRelease as LaterTree

__all__ = ["Later", "later_of", "sentences"]


@dataclass(frozen=True, slots=True)
class Later:
    """The later releases of one incident that were tried."""

    document: Alternatives
    scenarios: str
    original: str

    @property
    def facts(self) -> list[list[str]]:
        """Version and digest of every release that is an alternative: what later stages depend on."""
        return [[one.version, one.sha256] for one in self.document.releases if one.verdict == "alternative"]

    def alternatives(self, work: Work, capture: Capture) -> list[Alternative]:
        """Return the alternatives, unpacked and bound; one that is no longer what was tried is left out."""
        found = []
        for version, sha256 in self.facts:
            try:
                tree = obtain_release(self.document.package, version, work.cache, capture.python)
            except (CannotJudgeError, UsageError):
                continue
            if tree.sha256 == sha256:
                package = Package(tree.path, capture.modules, self.original, self.scenarios)
                found.append(Alternative(version, package))
        return found

    def releases(self, work: Work, capture: Capture, outside: Collection[str]) -> tuple[LaterTree, ...]:
        """Return the alternatives as validation takes them, without those that are outside the contract."""
        sha256 = dict(self.facts)
        return tuple(
            LaterTree(one.label, one.package, sha256[one.label])
            for one in self.alternatives(work, capture)
            if one.label not in outside
        )

    def concluded(self, facts: LaterFacts, failing: Mapping[str, str]) -> Alternatives:
        """Return the document with what drafting found, and with what those fail that validation saw fail."""
        heard = {one.label: one for one in facts.releases}
        releases = tuple(
            _concluded(one, heard.get(one.version), failing.get(one.version, ""))
            for one in self.document.releases
        )
        update = {"releases": releases, "relaxed": facts.relaxed, "dropped": facts.dropped}
        return self.document.model_copy(update=update)


def _concluded(release: LaterRelease, heard: Heard | None, failing: str) -> LaterRelease:
    update: dict[str, Any] = {}
    if heard is not None:
        dispute = None
        if heard.dispute is not None:
            dispute = Dispute(scenario=heard.dispute[0], params=heard.dispute[1])
        update = {
            "verdict": heard.verdict,
            "reason": heard.reason,
            "asked": heard.asked,
            "disputed": heard.disputed,
            "dispute": dispute,
        }
    if failing:
        update |= {"verdict": "outside", "reason": failing}
    return release.model_copy(update=update)


def _frozen_list(work: Work, incident: Incident, python: str) -> Alternatives | None:
    """Return the later releases that are tried, as the contract's folder has them, else as the index lists them now.

    None for an incident that is no package's, or where the settings ask for none. Where no index answers, the list
    is empty and says why: that is frozen too, until the file is removed.
    """
    path = f"contracts/{incident.id}/alternatives.json"
    most = work.settings.alternatives.releases
    if incident.package is None or not most:
        _forget(work, path)
        return None
    wanted = Alternatives(package=incident.package, after=incident.fixed, most=most)
    place = work.workspace.path(path)
    known = read_alternatives(place) if place.is_file() else None
    if known is not None and (known.package, known.after, known.most) == (wanted.package, wanted.after, most):
        return known
    work.progress.phase("list later releases")
    try:
        versions = later_releases(incident.package, incident.fixed, python, most=most)
        listed = wanted.model_copy(update={"releases": tuple(LaterRelease(version=one) for one in versions)})
    except (CannotJudgeError, UsageError) as error:
        listed = wanted.model_copy(update={"unlisted": error.message})
    write_generated(work, path, listed.to_json().decode("ascii"))
    return listed


def _forget(work: Work, path: str) -> None:
    if not is_edited(work, path):
        work.workspace.path(path).unlink(missing_ok=True)


def later_of(
    work: Work, incident: Incident, capture: Capture, captured: tuple[str, str], trees: Callable[[], Trees]
) -> Later | None:
    """Return the later releases of an incident with what the reproducer says of each; None where none are asked for.

    ``captured`` are the texts of scenarios.py and original.py; an author's edit of a file counts instead.
    """
    listed = _frozen_list(work, incident, capture.python)
    if listed is None:
        return None
    scenarios, original = (
        current_text(work, path) if is_edited(work, path) else text
        for path, text in zip(
            (f"contracts/{incident.id}/scenarios.py", f"contracts/{incident.id}/original.py"),
            captured,
            strict=True,
        )
    )
    versions = [release.version for release in listed.releases]
    inputs = [capture.model_dump(mode="json"), scenarios, original, versions]
    found = work.done(
        "alternatives",
        incident.id,
        inputs,
        lambda: [
            release.model_dump(mode="json")
            for release in _all_tried(work, capture, listed, trees(), (scenarios, original))
        ],
    )
    releases = tuple(LaterRelease.model_validate(release) for release in found)
    return Later(listed.model_copy(update={"releases": releases}), scenarios, original)


def _all_tried(
    work: Work, capture: Capture, listed: Alternatives, trees: Trees, texts: tuple[str, str]
) -> Iterator[LaterRelease]:
    work.progress.phase("try the reproducer on later releases", len(listed.releases))
    for release in listed.releases:
        yield _tried(work, capture, listed.package, release.version, trees.dependencies, texts)
        work.progress.step(release.version)


def _tried(
    work: Work,
    capture: Capture,
    package: str,
    version: str,
    dependencies: Sequence[Path],
    texts: tuple[str, str],
) -> LaterRelease:
    blank = LaterRelease(version=version)
    try:
        tree = obtain_release(package, version, work.cache, capture.python)
    except (CannotJudgeError, UsageError) as error:
        return blank.model_copy(update={"verdict": "skipped", "reason": error.message})
    blank = blank.model_copy(update={"sha256": tree.sha256})
    if capture.import_name.partition(".")[0] not in tree.top_levels:
        reason = f"it holds no {capture.import_name}"
        return blank.model_copy(update={"verdict": "skipped", "reason": reason})
    failure, is_unreached = failure_on(tree.path, capture, work.runner, dependencies)
    if failure:
        verdict = "skipped" if is_unreached else "fails"
        return blank.model_copy(update={"verdict": verdict, "reason": failure})
    unbound = _unbound(work, capture, tree, dependencies, texts)
    if unbound:
        return blank.model_copy(update={"verdict": "skipped", "reason": unbound})
    return blank.model_copy(update={"verdict": "alternative"})


def _unbound(
    work: Work, capture: Capture, tree: ObtainedTree, dependencies: Sequence[Path], texts: tuple[str, str]
) -> str:
    """Return why no lifted check can be observed on a release through original.py, else an empty text."""
    releases = Releases.of(work.runner, capture, {"reference": tree.path}, dependencies, *texts)
    outcomes = releases.answers("reference", lifted_requests(capture))
    if any(isinstance(outcome, Observed) for outcome in outcomes):
        return ""
    return f"nothing of it can be observed through original.py ({type(outcomes[0]).__name__.lower()})"


def sentences(document: Alternatives) -> list[str]:
    """Return what the author is told of later releases; no input is quoted."""
    name = document.package
    said = []
    if document.unlisted:
        said.append(f"Later releases of {name} were not tried: {_stopped(document.unlisted)}")
    for one in document.releases:
        match one.verdict:
            case "skipped":
                said.append(f"The later release {name} {one.version} was skipped: {_stopped(one.reason)}")
            case "fails":
                said.append(f"The reproducer fails on the later release {name} {one.version} ({one.reason}).")
            case "outside":
                said.append(
                    f"The later release {name} {one.version} passes the reproducer and is outside the contract: "
                    f"{one.reason}. `authoring show` gives the input that shows it."
                )
            case "alternative" | "unjudged":
                continue
    if document.relaxed:
        what = ", ".join(f"{part} of {scenario}" for scenario, part in document.relaxed)
        said.append(f"Comparisons were relaxed for later releases of {name}: {what}.")
    if document.dropped:
        said.append(f"{document.dropped} inputs were left out since later releases of {name} dispute them.")
    return said


def _stopped(text: str) -> str:
    return text if text.endswith(".") else f"{text}."
