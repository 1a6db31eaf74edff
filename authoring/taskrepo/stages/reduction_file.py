"""Write and read a contract's reduction.json: of a reduction that is done, and of one that is under way."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from authoring.model.errors import UsageError
from authoring.model.reduction import HeldStatement, PhaseRecord, ReductionReport, VersionSizes
from authoring.model.variants import VersionName
from authoring.reduction.reduce import SoFar
from authoring.system.files import read_limited

__all__ = ["of_done", "of_state", "phase_cpu_s", "read_reduction"]

_CAP = 1 << 20


def of_done(
    sizes: Mapping[VersionName, Mapping[str, int]], trials: int, report: Mapping[str, Any]
) -> ReductionReport:
    """Return the document of what the stage `reduce` left; what was measured in seconds is not in it."""
    counts = {
        name: report[name] for name in ("complete", "cache_hits", "accepted", "requests", "dropped_requests")
    }
    return ReductionReport(
        **counts,
        ended=report.get("ended", ""),
        nodes=report["cuts"]["nodes"],
        sizes={version: VersionSizes(**size) for version, size in sorted(sizes.items())},
        trials=trials,
        refusals=report["refusals"],
        phases=tuple(_phase(phase) for phase in report["phases"]),
        left=report.get("left", {}),
        held=tuple(
            HeldStatement(**{**each, "checks": tuple(each["checks"])}) for each in report.get("held", ())
        ),
        third_party=tuple(report["third_party"]),
    )


def of_state(so_far: SoFar) -> ReductionReport:
    """Return the document of a reduction that is under way, or was cut off there."""
    phases = [{name: getattr(one, name) for name in PhaseRecord.model_fields} for one in so_far.phases]
    return ReductionReport(
        complete=False,
        ended="cut-off",
        phase=so_far.phase,
        nodes=so_far.program.nodes(),
        sizes={version: VersionSizes(reduced=size) for version, size in so_far.program.sizes().items()},
        trials=so_far.trials,
        cache_hits=so_far.cache_hits,
        accepted=so_far.accepted,
        requests=so_far.requests,
        refusals=dict(so_far.refusals),
        phases=tuple(_phase(phase) for phase in phases),
    )


def _phase(phase: Mapping[str, Any]) -> PhaseRecord:
    return PhaseRecord(**{name: phase[name] for name in PhaseRecord.model_fields})


def phase_cpu_s(report: Mapping[str, Any]) -> dict[str, float]:
    """Return the seconds of CPU by phase of what the stage `reduce` left, those of one name added up."""
    spent: dict[str, float] = {}
    for phase in report["phases"]:
        name = phase["name"].rpartition(": ")[2]
        spent[name] = spent.get(name, 0.0) + phase["cpu_s"]
    return spent


def read_reduction(path: Path) -> ReductionReport:
    """Return the document; raise :class:`UsageError` RED071 where the file is none."""
    try:
        return ReductionReport.from_json(read_limited(path, _CAP))
    except ValueError as error:
        raise UsageError(
            "RED071",
            f"{path} cannot be read: {str(error).splitlines()[0]}.",
            "Delete it and run `authoring reduce` again.",
            stage="reduce",
        ) from error
