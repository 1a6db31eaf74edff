"""Run the stages of the main job and say what came of them, as data and for people."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from authoring.model.errors import UsageError
from authoring.model.progress import Progress
from authoring.report.given import Given, incident_of
from authoring.system.clock import parse_date
from authoring.taskrepo.commit import require_clean
from authoring.taskrepo.stages.job import STAGES, Job
from authoring.taskrepo.stages.opened import opened
from authoring.taskrepo.stages.reduction_inputs import VERSION_OF_SIDE
from authoring.taskrepo.stages.source import load_source, stored_source

__all__ = ["Authored", "author", "plan_of"]


@dataclass(frozen=True, slots=True)
class Authored:
    """What a run of stages gives."""

    data: dict[str, Any]
    """``data`` of ``new --json`` (DESIGN.md section 6), as far as the stages got."""
    warnings: tuple[str, ...]
    did_nothing: bool
    """Whether everything was there already."""


def author(
    folder: Path,
    given: Given,
    until: str,
    progress: Progress,
    *,
    python: str = "",
    date: str = "",
    reviewed_by: str = "",
    overrides: Mapping[str, Any] | None = None,
) -> Authored:
    """Do the stages of an incident up to and with ``until``; what is done for the same inputs is not done again.

    Without a source, the incident is one that this workspace has captured. Raises what opening, the sources and the
    stages raise.
    """
    _check_words(date, reviewed_by)
    incident = incident_of(given) if given.has_source else None
    with opened(folder, progress, overrides) as work:
        if incident is None:
            source = stored_source(work, given.id)
        else:
            attachments = {"comment.txt": given.comment, "traceback.txt": given.traceback}
            named = {name: path for name, path in attachments.items() if path is not None}
            source = load_source(*incident, python, named)
        if until == "commit":
            require_clean(work.workspace, source.incident.id)
        job = Job(work, source, date=date, reviewed_by=reviewed_by)
        job.until(until)
        return Authored(_data(job, until), tuple(job.warnings), _did_nothing(job, until))


def _check_words(date: str, reviewed_by: str) -> None:
    """Refuse before the work what the commit at its end could not hold."""
    if date:
        parse_date(date)
    if not reviewed_by.isprintable():
        raise UsageError(
            "USE001",
            f"The reviewer {ascii(reviewed_by)[:80]} holds a character that cannot be printed.",
            "Give --reviewed-by a name on one line.",
        )


def plan_of(
    folder: Path, given: Given, until: str, *, python: str = "", date: str = "", reviewed_by: str = ""
) -> dict[str, Any]:
    """Return what a run would do, without obtaining, running or writing anything (``--dry-run``)."""
    _check_words(date, reviewed_by)
    if not given.has_source:
        raise UsageError(
            "USE010", "No source is given.", "Give --incident FILE, --package, --repo or --dirs."
        )
    incident, start = incident_of(given)
    load_source(incident, start, python)
    stages = STAGES[: STAGES.index(until) + 1]
    writes = [f"incidents/{incident.id}/", f"contracts/{incident.id}/"]
    if "commit" in stages:
        writes += [f"hidden/{incident.id}/", "evidence/", f"public/tasks/{incident.id}/"]
    return {"id": incident.id, "workspace": str(folder), "stages": list(stages), "writes": writes}


def _did_nothing(job: Job, until: str) -> bool:
    return not job.work.measures and (until != "commit" or not job.committed.changed)


def _data(job: Job, until: str) -> dict[str, Any]:
    """Return what is known after the stages that ran; a later stage adds to an earlier one's facts."""
    capture = job.capture
    data: dict[str, Any] = {
        "id": job.id,
        "contracts": [job.id],
        "stage": "committed" if until == "commit" else until,
        "python": capture.python,
        "patterns": {
            VERSION_OF_SIDE[pattern.side]: {"lifted": pattern.bits, "public": "", "hidden": ""}
            for pattern in capture.patterns
        },
        "failure": capture.failure,
    }
    done = STAGES.index(until)
    for stage, add in enumerate(
        (_nothing, _add_reduced, _add_draft, _add_variants, _add_validated, _add_commit)
    ):
        if stage <= done:
            add(job, data)
    data["measure"] = {name: asdict(measure) for name, measure in job.work.measures.items()}
    return data


def _nothing(job: Job, data: dict[str, Any]) -> None:
    """Add nothing: capture's facts are there already."""


def _add_reduced(job: Job, data: dict[str, Any]) -> None:
    reduced = job.reduced
    data["sizes"], data["trials"], data["reduction"] = reduced["sizes"], reduced["trials"], reduced["report"]


def _add_draft(job: Job, data: dict[str, Any]) -> None:
    draft = job.draft
    facts = draft.facts
    data["entry"] = draft.contract.entry.model_dump(mode="json")
    data["checks"] = {"public": len(draft.public), "hidden": len(draft.hidden)}
    data["pools"] = {pool.scenario: len(pool.inputs) for pool in draft.pools}
    data["mutation"] = {
        "mutants": facts.mutants,
        "killed_public": facts.killed_public,
        "killed_hidden": facts.killed_hidden,
        "killed_pool": facts.killed_pool,
        "equivalent": len(facts.equivalent),
        "survivors": list(facts.survivors),
    }
    data["hard_negative"] = facts.hard_negative
    later = job.later_document
    data["later_releases"] = [] if later is None else later.model_dump(mode="json")["releases"]
    data["notes"] = list(facts.notes)
    for version, bits in facts.patterns.items():
        public, _, hidden = bits.partition("/")
        row = data["patterns"].setdefault(version, {"lifted": ""})
        row.update(public=public, hidden=hidden)


def _add_variants(job: Job, data: dict[str, Any]) -> None:
    tiers: dict[str, list[str]] = {"public": [], "hidden": []}
    for task in job.tasks:
        place = "public/tasks" if task.spec.tier == "public" else "hidden"
        tiers[task.spec.tier].append(f"{place}/{task.id}")
    data["variants"] = tiers


def _add_validated(job: Job, data: dict[str, Any]) -> None:
    counts = job.validated["counts"]
    data["alternatives"] = counts.get("alternative", 0)
    data["validation"] = {"cells": counts, "flake_bounds": job.validated["flake_bounds"]}


def _add_commit(job: Job, data: dict[str, Any]) -> None:
    committed = job.committed
    data["commits"] = {"private": committed.private, "public": committed.public}
