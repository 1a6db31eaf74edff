"""How a reduction went, as rows for people: at most a screen; reduction.json holds the rest."""

from collections.abc import Mapping
from typing import Any

from authoring.cli.plain import plain
from authoring.cli.screen import Screen

__all__ = ["draw_reduction", "ending", "reduction_rows"]

_MOST_HELD = 3


def ending(report: Mapping[str, Any]) -> str:
    """Say why a reduction is not complete; nothing where it is."""
    if not report or report["complete"]:
        return ""
    from authoring.model.reduction import ENDINGS

    phase = f" (phase {report['phase']})" if report.get("phase") else ""
    return f"not complete: {ENDINGS.get(report.get('ended', ''), 'it ended early')}{phase}"


def reduction_rows(report: Mapping[str, Any], cpu_s: Mapping[str, float]) -> list[tuple[str, str]]:
    """Return a row each for an early end, the phases and the refusals; ``cpu_s`` is by name of the phase."""
    rows = [("reduction", ending(report))] if ending(report) else []
    shares = _shares(cpu_s)
    phases = ", ".join(
        f"{name} {phase['nodes']}" + (f" ({shares[name]})" if name in shares else "")
        for name, phase in _phases(report).items()
    )
    return [
        *rows,
        ("phases", f"{phases} nodes left (CPU)" if shares else f"{phases} nodes left"),
        *_asked(report),
    ]


def draw_reduction(screen: Screen, report: Mapping[str, Any], cpu_s: Mapping[str, float], path: str) -> None:
    """Draw the section of a contract's report."""
    screen.heading("Reduction")
    rows = [("reduction", ending(report))] if ending(report) else []
    sizes = ", ".join(f"{version} {_size(size)}" for version, size in report["sizes"].items())
    screen.facts([*rows, ("AST nodes", sizes), *_asked(report), *_held(report), ("more", path)])
    shares, phases = _shares(cpu_s), _phases(report)
    if not phases:
        return
    screen.line()
    screen.table(
        ("phase", "nodes", "trials", "kept", "CPU"),
        [
            (name, str(phase["nodes"]), str(phase["trials"]), str(phase["kept"]), shares.get(name, "-"))
            for name, phase in phases.items()
        ],
    )


def _size(size: Mapping[str, int]) -> str:
    of = size["executed_in_functions"]
    return f"{size['reduced']} of {of}" if of else str(size["reduced"])


def _asked(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what was asked, what was known, and what was refused."""
    refused = ", ".join(f"{kind} {count}" for kind, count in report["refusals"].items()) or "nothing"
    known = f"{report['cache_hits']} answers known before, {report['accepted']} edits kept"
    return [("asked", f"{report['requests']} requests; {known}"), ("refused", refused)]


def _held(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the largest statements that are left, each with what holds it, and how many are left for what."""
    rows = []
    for each in report["held"][:_MOST_HELD]:
        by = ", ".join(each["checks"]) or f"the input {plain(each['params'], 40)}"
        shows = "the fault" if each["by"] == "check" else "no fault"
        rows.append(("held", f"{each['nodes']} nodes by {by}, which shows {shows}: {each['code'][:60]}"))
    left = ", ".join(f"{count} by {kind}" for kind, count in report["left"].items())
    return [*rows, ("left", f"of the largest statements {left}")] if left else rows


def _phases(report: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """Return the phases by name, those of the same name in further reductions added up."""
    found: dict[str, dict[str, int]] = {}
    for phase in report["phases"]:
        before = found.pop(_bare(phase["name"]), {"trials": 0, "kept": 0})
        added = {name: before[name] + phase[name] for name in ("trials", "kept")}
        found[_bare(phase["name"])] = {"nodes": phase["nodes"], **added}
    return found


def _shares(cpu_s: Mapping[str, float]) -> dict[str, str]:
    """Return each phase's share of the seconds of CPU, as words."""
    whole = sum(cpu_s.values())
    return {name: f"{seconds / whole:.0%}" for name, seconds in cpu_s.items()} if whole else {}


def _bare(name: str) -> str:
    return name.rpartition(": ")[2]
