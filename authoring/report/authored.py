"""Run the stages of the main job and say what came of them, as data and for people."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from authoring.model.errors import UsageError
from authoring.model.progress import Progress
from authoring.report.given import Given, incident_of
from authoring.system.clock import parse_date
from authoring.taskrepo.commit import require_clean
from authoring.taskrepo.stages.contract_job import ContractJob
from authoring.taskrepo.stages.job import STAGES, Job
from authoring.taskrepo.stages.opened import opened
from authoring.taskrepo.stages.reduction_file import phase_cpu_s
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
    phase_cpu_s: dict[str, float]
    """Seconds of CPU by phase of the reduction, as far as it got."""


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
            source = load_source(*incident, python, named, given.record or (), given.record_with or ())
        if until == "commit":
            require_clean(work.workspace, source.incident.id)
        job = Job(work, source, date=date, reviewed_by=reviewed_by)
        job.until(until)
        data = _data(job, until)
        spent = phase_cpu_s(data["reduction"]) if "reduction" in data else {}
        return Authored(data, tuple(job.warnings), _did_nothing(job, until), spent)


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
    load_source(incident, start, python, tests=given.record or (), test_pins=given.record_with or ())
    stages = STAGES[: STAGES.index(until) + 1]
    writes = [f"incidents/{incident.id}/", f"contracts/{incident.id}/"]
    if "commit" in stages:
        writes += [f"hidden/{incident.id}/", "evidence/", f"public/tasks/{incident.id}/"]
    return {"id": incident.id, "workspace": str(folder), "stages": list(stages), "writes": writes}


def _did_nothing(job: Job, until: str) -> bool:
    return not job.work.measures and (until != "commit" or not any(one.changed for one in job.committed))


def _data(job: Job, until: str) -> dict[str, Any]:
    """Return what is known after the stages that ran; a later stage adds to an earlier one's facts.

    Where the incident has several contracts, what each of them has stands under ``parts`` by its id.
    """
    done = STAGES.index(until)
    is_drafted = done >= STAGES.index("contract")
    contracts = job.contracts if is_drafted else ()
    data: dict[str, Any] = {
        "id": job.id,
        "contracts": [one.id for one in contracts] or [job.id],
        "stage": "committed" if until == "commit" else until,
        "python": job.capture.python,
        "patterns": {
            VERSION_OF_SIDE[pattern.side]: {"lifted": pattern.bits, "public": "", "hidden": ""}
            for pattern in job.capture.patterns
        },
        "failure": job.capture.failure,
    }
    if job.capture.recorded is not None:
        recorded = job.capture.recorded
        data["recorded"] = {"tests": recorded.tests, "calls": recorded.calls, "inputs": len(recorded.inputs)}
    if done >= STAGES.index("reduce"):
        reduced = job.reduced
        data |= {"sizes": reduced["sizes"], "trials": reduced["trials"], "reduction": reduced["report"]}
    if len(contracts) == 1:
        data = _of_contract(contracts[0], data, done)
    elif contracts:
        data["parts"] = {one.id: _of_contract(one, {"patterns": {}}, done) for one in contracts}
        data |= _together(list(data["parts"].values()))
    if until == "commit":
        newest = job.committed[-1]
        data["commits"] = {"private": newest.private, "public": newest.public}
    data["measure"] = {name: asdict(measure) for name, measure in job.work.measures.items()}
    return data


def _of_contract(contract: ContractJob, data: dict[str, Any], done: int) -> dict[str, Any]:
    """Return the data with what one contract has after its stages."""
    for stage, add in (("contract", _add_draft), ("vary", _add_variants), ("validate", _add_validated)):
        if STAGES.index(stage) <= done:
            add(contract, data)
    return data


def _together(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return what several contracts have together: numbers added up, variants one after the other."""
    found: dict[str, Any] = {}
    for name in ("checks", "mutation"):
        counts = [{key: one for key, one in part[name].items() if isinstance(one, int)} for part in parts]
        found[name] = {key: sum(one[key] for one in counts) for key in counts[0]}
    if "variants" in parts[0]:
        found["variants"] = {
            tier: [path for part in parts for path in part["variants"][tier]] for tier in ("public", "hidden")
        }
    if "alternatives" in parts[0]:
        found["alternatives"] = sum(part["alternatives"] for part in parts)
    return found


def _add_draft(contract: ContractJob, data: dict[str, Any]) -> None:
    draft = contract.draft
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
    later = contract.later_document
    data["later_releases"] = [] if later is None else later.model_dump(mode="json")["releases"]
    data["notes"] = list(facts.notes)
    for version, bits in facts.patterns.items():
        public, _, hidden = bits.partition("/")
        row = data["patterns"].setdefault(version, {"lifted": ""})
        row.update(public=public, hidden=hidden)


def _add_variants(contract: ContractJob, data: dict[str, Any]) -> None:
    tiers: dict[str, list[str]] = {"public": [], "hidden": []}
    for task in contract.tasks:
        place = "public/tasks" if task.spec.tier == "public" else "hidden"
        tiers[task.spec.tier].append(f"{place}/{task.id}")
    data["variants"] = tiers


def _add_validated(contract: ContractJob, data: dict[str, Any]) -> None:
    counts = contract.validated["counts"]
    data["alternatives"] = counts.get("alternative", 0)
    data["validation"] = {"cells": counts, "flake_bounds": contract.validated["flake_bounds"]}
