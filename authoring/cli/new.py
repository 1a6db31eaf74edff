"""`new` and its stages: from an incident to committed tasks."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from authoring.cli.answer import Answer
from authoring.cli.cuts import cut_rows
from authoring.cli.frame import add_command
from authoring.cli.reduction import reduction_rows
from authoring.cli.screen import Screen
from authoring.cli.session import Session

if TYPE_CHECKING:
    from authoring.report.authored import Authored
    from authoring.report.given import Given

__all__ = ["register"]

_SOURCE = "Source"

Identity = Annotated[
    str, typer.Argument(metavar="ID", help="The incident's id: lower-case words and hyphens.")
]
IncidentFile = Annotated[
    Path | None,
    typer.Option("--incident", metavar="FILE", help="An incident.toml.", rich_help_panel=_SOURCE),
]
PackageName = Annotated[
    str, typer.Option("--package", metavar="NAME", help="A package on the index.", rich_help_panel=_SOURCE)
]
Repository = Annotated[
    str, typer.Option("--repo", metavar="PATH", help="A git repository.", rich_help_panel=_SOURCE)
]
Directories = Annotated[bool, typer.Option("--dirs", help="The sides are folders.", rich_help_panel=_SOURCE)]
Broken = Annotated[
    str, typer.Option("--broken", metavar="X", help="Release, revision or folder.", rich_help_panel=_SOURCE)
]
Fixed = Annotated[
    str, typer.Option("--fixed", metavar="Y", help="Release, revision or folder.", rich_help_panel=_SOURCE)
]
Attempt = Annotated[
    str, typer.Option("--attempt", metavar="Z", help="A failed repair.", rich_help_panel=_SOURCE)
]
Reproducer = Annotated[
    Path | None,
    typer.Option("--repro", metavar="FILE", help="A script that shows it.", rich_help_panel=_SOURCE),
]
TestNode = Annotated[
    str,
    typer.Option("--test", metavar="NODEID", help="A pytest test that shows it.", rich_help_panel=_SOURCE),
]
CommentFile = Annotated[
    Path | None,
    typer.Option("--comment", metavar="FILE", help="The review comment.", rich_help_panel=_SOURCE),
]
TracebackFile = Annotated[
    Path | None,
    typer.Option("--traceback", metavar="FILE", help="The traceback.", rich_help_panel=_SOURCE),
]
RecordTests = Annotated[
    list[str] | None,
    typer.Option(
        "--record",
        metavar="TESTS",
        help="Tests of the project to record inputs from.",
        rich_help_panel=_SOURCE,
    ),
]
RecordWith = Annotated[
    list[str] | None,
    typer.Option(
        "--record-with", metavar="PIN", help="What they import, NAME==VERSION.", rich_help_panel=_SOURCE
    ),
]
Python = Annotated[str, typer.Option("--python", metavar="VERSION", help="The task's Python, such as 3.12.")]
Date = Annotated[str, typer.Option("--date", metavar="DATE", help="Date of the commits, in ISO form.")]
ReviewedBy = Annotated[str, typer.Option("--reviewed-by", metavar="NAME", help="Who reviewed.")]
Trials = Annotated[
    int | None,
    typer.Option("--budget", metavar="TRIALS", min=1, help="Most questions to the reduction's oracle."),
]
AcceptCuts = Annotated[
    bool,
    typer.Option("--accept-cuts", help="Cut inputs off the domain that the programs carry much code for."),
]

_DOES = {
    "capture": "Prove the incident: patterns of every check on every side.",
    "reduce": "Reduce the captured sides to the smallest programs.",
    "contract": "Draft rules, checks, pools and a hard negative; again after an edit.",
    "vary": "Render the public and hidden variants.",
    "validate": "Fill the matrix of every variant with evidence.",
    "commit": "Commit the tasks to both repositories.",
}


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    add_command(app, "new", writes=True)(new)
    add_command(app, "capture", writes=True)(capture)
    for stage in list(_DOES)[1:]:
        add_command(app, stage, writes=True)(_stage_command(stage))


def new(
    session: Session,
    identity: Identity,
    incident: IncidentFile = None,
    package: PackageName = "",
    repo: Repository = "",
    dirs: Directories = False,
    broken: Broken = "",
    fixed: Fixed = "",
    attempt: Attempt = "",
    repro: Reproducer = None,
    test: TestNode = "",
    comment: CommentFile = None,
    traceback: TracebackFile = None,
    record: RecordTests = None,
    record_with: RecordWith = None,
    python: Python = "",
    date: Date = "",
    reviewed_by: ReviewedBy = "",
    budget: Trials = None,
    accept_cuts: AcceptCuts = False,
) -> Answer:
    """Turn an incident into committed tasks: capture, reduce, contract, vary, validate, commit.

    The same id with the same inputs goes on where it stopped, or does nothing.
    """
    from authoring.report.given import Given

    source = identity, incident, package, repo, dirs, broken, fixed, attempt, repro, test
    given = Given(*source, comment, traceback, record, record_with)
    options = {
        "python": python,
        "date": date,
        "reviewed_by": reviewed_by,
        "budget": budget,
        "accept_cuts": accept_cuts,
    }
    return _run(session, given, "commit", options)


def capture(
    session: Session,
    identity: Identity,
    incident: IncidentFile = None,
    package: PackageName = "",
    repo: Repository = "",
    dirs: Directories = False,
    broken: Broken = "",
    fixed: Fixed = "",
    attempt: Attempt = "",
    repro: Reproducer = None,
    test: TestNode = "",
    comment: CommentFile = None,
    traceback: TracebackFile = None,
    record: RecordTests = None,
    record_with: RecordWith = None,
    python: Python = "",
) -> Answer:
    """Prove the incident: patterns of every check on every side."""
    from authoring.report.given import Given

    source = identity, incident, package, repo, dirs, broken, fixed, attempt, repro, test
    given = Given(*source, comment, traceback, record, record_with)
    return _run(session, given, "capture", {"python": python})


def _stage_command(stage: str) -> Callable[..., Answer]:
    def command(
        session: Session,
        identity: Identity,
        date: Date = "",
        reviewed_by: ReviewedBy = "",
        budget: Trials = None,
        accept_cuts: AcceptCuts = False,
    ) -> Answer:
        from authoring.report.given import Given

        options = {
            "date": date,
            "reviewed_by": reviewed_by,
            "budget": budget,
            "accept_cuts": accept_cuts,
        }
        return _run(session, Given(identity), stage, options)

    command.__name__ = stage
    command.__doc__ = f"{_DOES[stage]} Earlier stages are done first where they are not."
    return command


def _run(session: Session, given: "Given", until: str, options: dict[str, Any]) -> Answer:
    """Run the stages, or say what they would do."""
    from authoring.report.authored import author, plan_of

    overrides = {
        "budget.trials": options.pop("budget", None),
        "accept_cuts": options.pop("accept_cuts", False) or None,
    }
    if session.flags.dry_run:
        plan = plan_of(session.workspace, given, until, **options)
        return Answer(data=plan, human=lambda screen: _draw_plan(screen, plan))
    authored = author(
        session.workspace,
        given,
        until,
        session.progress,
        overrides=overrides,
        **options,
    )
    return Answer(
        data=authored.data,
        human=lambda screen: _draw(screen, authored),
        status="committed" if until == "commit" else "done",
        warnings=authored.warnings,
        next=(f"authoring show {given.id}",) if until == "commit" else (),
    )


def _draw_plan(screen: Screen, plan: dict[str, Any]) -> None:
    screen.heading(f"Would run {', '.join(plan['stages'])} for {plan['id']}")
    screen.facts([("workspace", plan["workspace"]), ("writes", ", ".join(plan["writes"]))])


def _draw(screen: Screen, authored: "Authored") -> None:
    """Draw one screen: what was found, how small it became, how well it is proved, where it lies."""
    data = authored.data
    state = "nothing to do" if authored.did_nothing else data["stage"]
    screen.heading(f"{data['id']}: {state}")
    rows = [("failure", data["failure"]), ("python", data["python"])]
    if "recorded" in data:
        recorded = data["recorded"]
        told = f"{recorded['inputs']} inputs, of {recorded['calls']} calls in {recorded['tests']} tests"
        rows.append(("recorded", told))
    for contract, part in data.get("parts", {}).items():
        rows.append((contract, _part(part)))
    if "entry" in data:
        rows.append(
            ("entry", f"{data['entry']['name']}, {data['entry']['kind']} of {data['entry']['original']}")
        )
    if "sizes" in data:
        sizes = data["sizes"]
        shown = ", ".join(
            f"{version} {size['reduced']} of {size['executed_in_functions']}"
            for version, size in sizes.items()
        )
        rows += [("AST nodes", shown), ("trials", str(data["trials"]))]
        report = data["reduction"]
        rows += reduction_rows(report, authored.phase_cpu_s)
        rows += cut_rows(report["cuts"])
    if "checks" in data:
        checks, mutation = data["checks"], data["mutation"]
        rows.append(("checks", f"{checks['public']} public, {checks['hidden']} hidden"))
        rows.append(
            (
                "mutants",
                f"{mutation['mutants']}: {mutation['killed_public']} fail public checks, "
                f"{mutation['killed_hidden']} hidden ones, {mutation['killed_pool']} these or the pool",
            )
        )
    if data.get("later_releases"):
        rows.append(("later", _later(data["later_releases"])))
    if "validation" in data:
        bound = max(data["validation"]["flake_bounds"].values(), default=1.0)
        rows.append(("flake rate", f"below {bound:.1%} at 95 % confidence"))
    screen.facts(rows)
    screen.line()
    screen.table(
        ("version", "lifted", "public", "hidden"),
        [
            (version, row.get("lifted", ""), row.get("public", ""), row.get("hidden", ""))
            for version, row in data["patterns"].items()
        ],
    )
    places = [*data.get("variants", {}).get("public", ()), *data.get("variants", {}).get("hidden", ())]
    if places:
        screen.line()
        screen.line("variants  " + "  ".join(places))
    if "commits" in data:
        commits = data["commits"]
        screen.line(f"commits   private {commits['private'][:12]}, public {commits['public'][:12]}")


def _part(part: dict[str, Any]) -> str:
    """Say what one of several contracts has."""
    checks, entry = part["checks"], part["entry"]
    return f"{entry['name']}: {checks['public']} public and {checks['hidden']} hidden checks"


def _later(releases: list[dict[str, Any]]) -> str:
    """Say how many of the later releases must be accepted, and what became of the others."""
    verdicts = [each["verdict"] for each in releases]
    words = {
        "alternative": "accepted",
        "outside": "outside the contract",
        "fails": "failing",
        "skipped": "skipped",
    }
    counts = [f"{verdicts.count(verdict)} {word}" for verdict, word in words.items() if verdict in verdicts]
    return f"{len(releases)} {'release' if len(releases) == 1 else 'releases'}: {', '.join(counts)}"
