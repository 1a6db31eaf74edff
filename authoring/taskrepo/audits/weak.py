"""`audit weak` on one contract of a workspace; what was found for the same files is not looked for again."""

from difflib import unified_diff
from typing import Any

from authoring.contract import Audited, Survivor, Weakness
from authoring.contract import audit_weak as audit
from authoring.model.variants import VersionName
from authoring.scenario.domain import narrowed
from authoring.taskrepo.audits.stored import StoredContract
from authoring.taskrepo.dependencies import pinned_folders
from authoring.taskrepo.stages.contract import how_of
from authoring.taskrepo.stages.generated import is_generated
from authoring.taskrepo.stages.stored import task_data
from authoring.taskrepo.stages.work import Work

__all__ = ["audit_weak"]


def audit_weak(work: Work, stored: StoredContract) -> dict[str, Any]:
    """Return what is weak in a contract, as JSON data: inputs and programs, never an expected value.

    Raises CannotJudgeError VAL105 where the reference fails its own checks, and what obtaining the dependencies
    raises.
    """
    is_closed = _is_closed(work, stored)
    rules = [rule.id for rule in stored.contract.rules]
    inputs = [
        task_data(stored.base),
        rules,
        stored.domain,
        stored.repaired,
        is_closed,
        stored.capture.fork_per_check,
    ]
    found: dict[str, Any] = work.done(
        "audit-weak", stored.id, inputs, lambda: _audit(work, stored, is_closed)
    )
    return found


def _is_closed(work: Work, stored: StoredContract) -> bool:
    """Tell whether only what domain.py draws is an input: its author wrote it, or it holds what was recorded."""
    is_inside = any(spec.level == "entry" for spec in stored.contract.scenarios)
    return is_inside or not is_generated(work, f"contracts/{stored.id}/domain.py")


def _audit(work: Work, stored: StoredContract, is_closed: bool) -> dict[str, Any]:
    dependencies = pinned_folders(stored.contract.environment, work.cache)
    audited = _audited(stored, is_closed)
    how = how_of(stored.capture, dependencies)
    weakness = audit(audited, narrowed(work.runner, how, stored.domain), how, work.progress)
    return _data(audited, weakness)


def _audited(stored: StoredContract, is_closed: bool) -> Audited:
    base = stored.base
    programs: dict[VersionName, str] = {"broken": base.program, "reference": base.reference}
    if base.hard_negative:
        programs["hard_negative"] = base.hard_negative
    return Audited(
        contract=base.contract.model_copy(update={"rules": stored.contract.rules}),
        programs=programs,
        scenarios=base.scenarios,
        public=base.public.checks,
        hidden=base.hidden.checks,
        pools=base.hidden.pools,
        domain=stored.domain,
        is_domain_edited=is_closed,
        repaired=stored.repaired,
    )


def _data(audited: Audited, weakness: Weakness) -> dict[str, Any]:
    reference = audited.programs["reference"]
    return {
        "id": audited.contract.id,
        "rules_without_checks": [
            {"rule": rule, "tier": tier} for rule, tier in weakness.rules_without_checks
        ],
        "survivors": [_survivor(reference, survivor) for survivor in weakness.survivors],
        "idle_checks": list(weakness.idle_checks),
        "overspecified": [
            {"check": each.check, "rewriting": list(each.rewriting), "rejected": each.rejected}
            for each in weakness.overspecified
        ],
        "tried": {
            "wrong_programs": weakness.tried,
            "accepted_by_public_checks": weakness.accepted_public,
            "rewritings": weakness.rewritings,
            "inputs": weakness.inputs,
        },
    }


def _survivor(reference: str, survivor: Survivor) -> dict[str, Any]:
    lines = unified_diff(
        reference.splitlines(), survivor.source.splitlines(), "reference.py", "survivor.py", lineterm="", n=1
    )
    return {
        "program": survivor.id,
        "scenario": survivor.input.scenario,
        "params": survivor.input.params,
        "difference": list(lines),
    }
