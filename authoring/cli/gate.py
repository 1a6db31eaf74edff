"""`gate repo`, `gate agent`, `gate check`: hold a candidate to the hidden checks of a release."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from authoring.cli.answer import Answer, Trouble
from authoring.cli.frame import add_command, make_app
from authoring.cli.screen import Screen
from authoring.cli.session import Session
from authoring.model.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from authoring.gate.service import Gated, GateRun
    from authoring.model.manifest import Decision

__all__ = ["register"]

Release = Annotated[str, typer.Argument(metavar="RELEASE", help="A release of this workspace.")]
Tag = Annotated[
    str,
    typer.Option("--tag", metavar="NAME", help="The tag that an open gate makes; a closed one makes none."),
]
Date = Annotated[
    str, typer.Option("--date", metavar="DATE", help="Date of the tag, in ISO form; default: now.")
]


def register(app: typer.Typer) -> None:
    """Add the group to the app."""
    group = make_app("Hold a package's revision or an agent to the hidden checks of a release.")
    add_command(group, "repo")(repo)
    add_command(group, "agent")(agent)
    add_command(group, "check")(check)
    app.add_typer(group, name="gate")


def repo(
    session: Session,
    release: Release,
    *,
    package: Annotated[
        str,
        typer.Option("--package", metavar="NAME==VERSION", help="Judge a published release of a package."),
    ] = "",
    repository: Annotated[
        Path | None, typer.Option("--repo", metavar="PATH", help="Judge a revision of this repository.")
    ] = None,
    revision: Annotated[str, typer.Option("--rev", metavar="REV", help="The revision to judge.")] = "",
    tag: Tag = "",
    date: Date = "",
) -> Answer:
    """Judge a revision of the real repository, or a published release, by the hidden scenarios."""
    from authoring.gate.service import gate_package, gate_revision

    if bool(package) == bool(repository) or bool(repository) != bool(revision):
        raise UsageError(
            "USE001",
            "A gate judges one thing.",
            "Give either --package NAME==VERSION, or --repo PATH and --rev REV.",
        )
    with _run(session, release, tag, date) as run:
        if repository is not None:
            return _answer(gate_revision(run, repository.absolute(), revision, session.progress), tag)
        return _answer(gate_package(run, package, session.progress), tag)


def agent(
    session: Session,
    release: Release,
    *,
    command: Annotated[
        str,
        typer.Option(
            "--command", metavar="CMD", help="Run in a fresh folder for each task; it edits the program."
        ),
    ] = "",
    predictions: Annotated[
        Path | None, typer.Option("--predictions", metavar="FILE", help="Answers, one JSON object a line.")
    ] = None,
    timeout: Annotated[
        float,
        typer.Option("--timeout", metavar="SECONDS", help="What the command may take for one task.", min=1),
    ] = 3600.0,
    tag: Tag = "",
    date: Date = "",
) -> Answer:
    """Judge a coding agent by its answers to all tasks of a release."""
    from authoring.gate.service import gate_agent

    if bool(command) == (predictions is not None):
        raise UsageError(
            "USE001", "An agent is judged in one way.", "Give either --command CMD or --predictions FILE."
        )
    with _run(session, release, tag, date) as run:
        gated = gate_agent(run, session.progress, command=command, predictions=predictions, timeout_s=timeout)
    return _answer(gated, tag)


def check(
    session: Session,
    tag: Annotated[str, typer.Argument(metavar="TAG", help="A tag that a gate made.")],
    repository: Annotated[
        Path | None,
        typer.Option("--repo", metavar="PATH", help="The clone that holds the tag; default: the workspace."),
    ] = None,
) -> Answer:
    """Recompute what a gate's tag says and compare; exit 1 when anything differs."""
    from authoring.gate.check import check_tag
    from authoring.system.workspace import Workspace

    checked = check_tag(
        Workspace.open(session.workspace).root, tag, repository.absolute() if repository else None
    )
    data = {"tag": tag, "commit": checked.tag.commit, "decision": checked.decision.model_dump(mode="json")}
    return Answer(data=data, human=lambda screen: _draw(screen, checked.decision, f"{tag} holds"))


@contextmanager
def _run(session: Session, release: str, tag: str, date: str) -> Iterator["GateRun"]:
    """Yield what every gate takes, while holding the workspace's lock: a gate writes evidence and tags."""
    from authoring.gate.service import GateRun
    from authoring.system.clock import commit_date
    from authoring.system.configuration import load
    from authoring.system.lock import workspace_lock
    from authoring.system.workspace import Workspace

    workspace = Workspace.open(session.workspace)
    policy = load(workspace.root).values.policy
    moment = commit_date(given=date)
    with workspace_lock(workspace.root):
        yield GateRun(workspace, release, policy, moment, tag)


def _answer(gated: "Gated", tag: str) -> Answer:
    decision = gated.decision
    data = {
        "decision": decision.model_dump(mode="json"),
        "tag": {"name": tag, "object": gated.tag, "repository": str(gated.repository)} if gated.tag else None,
    }
    if decision.open:
        made = f", tag {tag} made in {gated.repository}" if gated.tag else ""
        return Answer(data=data, human=lambda screen: _draw(screen, decision, f"The gate is open{made}"))
    trouble = Trouble(
        "GTE007",
        f"The gate is closed: {decision.passed} of {decision.judged} tasks pass.",
        "The reasons are above; the policy is in `authoring config show`.",
        "gate",
    )
    return Answer(
        data=data,
        human=lambda screen: _draw(screen, decision, "The gate is closed"),
        status="closed",
        exit_code=ExitCode.WANTING,
        troubles=(trouble,),
    )


def _draw(screen: Screen, decision: "Decision", head: str) -> None:
    screen.heading(head)
    interval = decision.interval
    screen.facts(
        [
            ("subject", decision.subject),
            ("release", decision.release),
            ("passed", f"{decision.passed} of {decision.judged} tasks"),
            *(
                [("interval", f"{interval.low:.3f} to {interval.high:.3f} at {interval.level:g}")]
                if interval
                else []
            ),
            ("claim", decision.claim or "none"),
        ]
    )
    for reason in decision.reasons:
        screen.line(f"- {reason}")
