"""`status` and `show ID`: what is where, and one contract for a reviewer."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from authoring.cli.answer import Answer
from authoring.cli.cuts import cut_rows
from authoring.cli.frame import add_command
from authoring.cli.plain import plain
from authoring.cli.reduction import draw_reduction
from authoring.cli.screen import Screen
from authoring.cli.session import Session

if TYPE_CHECKING:
    from authoring.report.shown import Shown
    from authoring.taskrepo.status import WorkspaceStatus

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    add_command(app, "status")(status)
    add_command(app, "show")(show)


def status(session: Session) -> Answer:
    """Show what the workspace holds, and what an interrupted run left to finish."""
    from authoring.system.workspace import Workspace
    from authoring.taskrepo.status import status as look

    found = look(Workspace.open(session.workspace))
    return Answer(data=asdict(found), human=lambda screen: _draw_status(screen, found))


def show(
    session: Session,
    identity: Annotated[str, typer.Argument(metavar="ID", help="A contract's id.")],
) -> Answer:
    """Show a contract: its rules, its versions as differences, its checks, and where it lies."""
    from authoring.report.shown import look_at

    shown = look_at(session.workspace, identity)
    return Answer(data=shown.data(), human=lambda screen: _draw(screen, shown))


def _draw_status(screen: Screen, found: "WorkspaceStatus") -> None:
    screen.heading(f"Workspace {found.root}")
    if found.interrupted:
        screen.line("A commit was interrupted; the next command that writes finishes it.")
    screen.facts(
        [
            ("key", "here" if found.has_key else "missing: pools and commitments cannot be judged"),
            ("running", "a run holds the lock" if found.running else "nothing"),
            ("releases", ", ".join(found.releases) or "none"),
            ("changed", ", ".join(found.changed[:6]) or "nothing"),
        ]
    )
    if not found.contracts:
        screen.line("No contract yet.")
        return
    screen.line()
    screen.table(
        ("contract", "stage", "mechanism", "variants"),
        [
            (each.id, each.stage, each.mechanism, " ".join(variant.id for variant in each.variants))
            for each in found.contracts
        ],
    )


def _draw(screen: Screen, shown: "Shown") -> None:
    state = shown.state
    screen.heading(f"{state.id}: {state.stage}")
    if shown.contract:
        _draw_contract(screen, shown.contract)
    _draw_programs(screen, shown.programs)
    if state.contracts:
        screen.heading("Contracts of its faults")
        for contract in state.contracts:
            screen.line(f"authoring show {contract}")
    for tier, checks in shown.checks.items():
        screen.heading(f"{tier.capitalize()} checks of base")
        screen.table(
            ("id", "rules", "parameters", "expected"),
            [
                (
                    check["id"],
                    ",".join(check["rules"]),
                    plain(check["params"]),
                    "; ".join(_observed(each) for each in check["expect"]) + _bound(check),
                )
                for check in checks
            ],
        )
    if shown.later_releases:
        _draw_later(screen, shown)
    if shown.reduction:
        path = f"contracts/{state.id}/reduction.json"
        draw_reduction(screen, shown.reduction, shown.phase_cpu_s, path)
    cuts = cut_rows(shown.cuts)
    if cuts:
        screen.heading("Cuts of the domain")
        screen.facts(cuts)
    screen.heading("Where it lies")
    rows = [(variant.id, f"{variant.folder}  ({variant.tier})") for variant in state.variants]
    rows += [("private", state.private_commit[:12]), ("public", state.public_commit[:12])]
    rows += [("evidence", value[:16]) for value in shown.evidence]
    rows.append(("tags", ", ".join(shown.tags) or "none: `authoring release VERSION` makes one"))
    screen.facts(rows)


def _draw_contract(screen: Screen, contract: dict[str, Any]) -> None:
    entry = contract["entry"]
    screen.facts(
        [
            ("symptom", contract["symptom"]),
            ("entry", f"{entry['name']} ({entry['kind']} of {entry['original']})"),
            ("domain", contract["domain"]),
            ("raises", ", ".join(contract["raises"]) or "nothing"),
        ]
    )
    for rule in contract["rules"]:
        screen.line(f"rule {rule['id']}: {rule['text']}")


def _draw_programs(screen: Screen, programs: dict[str, str]) -> None:
    if not {"broken", "reference"} <= programs.keys():
        return
    screen.heading("broken.py")
    screen.code(programs["broken"])
    for version in ("hard_negative", "reference"):
        if version in programs:
            screen.heading(f"broken.py to {version}.py")
            screen.diff(programs["broken"], programs[version], ("broken.py", f"{version}.py"))


def _draw_later(screen: Screen, shown: "Shown") -> None:
    screen.heading("Later releases")
    screen.table(
        ("version", "verdict", "disputed", "input that shows it", "reason"),
        [
            (
                each["version"],
                each["verdict"],
                f"{each['disputed']} of {each['asked']}" if each["asked"] else "-",
                plain(each["dispute"]["params"]) if each["dispute"] else "-",
                each["reason"] or "-",
            )
            for each in shown.later_releases
        ],
    )
    rows = [(f"relaxed in {scenario}", part) for scenario, part in shown.relaxed]
    screen.facts([*rows, *([("inputs left out", str(shown.dropped))] if shown.dropped else [])])


def _bound(check: dict[str, Any]) -> str:
    return f" within {check['cost']['line_events']} line events" if "cost" in check else ""


def _observed(observation: dict[str, Any]) -> str:
    if "raised" in observation:
        return f"raises {observation['raised']['type']}"
    return plain(observation["value"])
