"""`audit weak`, `audit flaky`: what is wrong with the checks and verdicts of a workspace's contracts."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from authoring.cli.answer import Answer, Trouble
from authoring.cli.frame import add_command, make_app
from authoring.cli.plain import plain
from authoring.cli.screen import Screen
from authoring.cli.session import Session
from authoring.model.errors import ExitCode

if TYPE_CHECKING:
    from authoring.report.audits import Audit

__all__ = ["register"]

Ids = Annotated[
    list[str] | None, typer.Argument(metavar="[ID...]", help="Contracts; default: all.", show_default=False)
]
Facts = dict[str, Any]
"""What was found in one contract, as JSON data."""

_WIDTH = 100


def register(app: typer.Typer) -> None:
    """Add the group to the app."""
    group = make_app("Look for what is wrong with the suite.")
    add_command(group, "weak")(weak)
    add_command(group, "flaky", writes=True)(flaky)
    app.add_typer(group, name="audit")


def weak(session: Session, ids: Ids = None) -> Answer:
    """List rules without checks, wrong programs that pass, checks that reject nothing wrong or something right.

    Mutants, rewritings and inputs are other ones than those that the contract was drafted with. The answer shows
    hidden inputs: it is for the owner of the workspace.
    """
    from authoring.report import audits

    audit = audits.weak(session.workspace, ids or (), session.progress)
    found = sum(_count(facts) for facts in audit.contracts)
    return _answer(audit, found, "CTR030", _weak_sentence(found), _draw_weak)


def flaky(
    session: Session,
    ids: Ids = None,
    repeats: Annotated[
        int | None,
        typer.Option(
            "--repeats", metavar="N", min=2, max=100_000, help="Runs of every program; default: 300."
        ),
    ] = None,
) -> Answer:
    """Repeat reference, broken and hard negative of every variant while hash seed, time zone, locale and order vary.

    Every run is evidence; a run that exists is not made again, so an interrupted audit goes on where it stopped.
    """
    from authoring.report import audits

    if session.flags.dry_run:
        plan = audits.flaky_plan(session.workspace, ids or (), repeats)
        return Answer(data=plan, human=lambda screen: _draw_plan(screen, plan))
    audit = audits.flaky(session.workspace, ids or (), repeats, session.progress)
    found = sum(facts["flakes"] for facts in audit.contracts)
    sentence = f"{_counted(found, 'run')} ended otherwise than the others."
    answer = _answer(audit, found, "VAL013", sentence, _draw_flaky)
    return answer if found else replace(answer, next=("git add evidence && git commit",))


def _answer(
    audit: "Audit", found: int, code: str, sentence: str, draw: Callable[[Screen, Facts], None]
) -> Answer:
    def human(screen: Screen) -> None:
        for facts in audit.contracts:
            draw(screen, facts)

    skipped = tuple(f"{name} has no checks yet and was left out." for name in audit.skipped)
    data = {"found": found, "contracts": list(audit.contracts), "skipped": list(audit.skipped)}
    if not found:
        return Answer(data=data, human=human, warnings=skipped)
    trouble = Trouble(code, sentence, f"See `authoring explain {code}`.", "audit")
    return Answer(
        data=data,
        human=human,
        status="refused",
        exit_code=ExitCode.WANTING,
        warnings=skipped,
        troubles=(trouble,),
    )


_KINDS = ("rules_without_checks", "survivors", "idle_checks", "overspecified")


def _count(facts: Facts) -> int:
    return sum(len(facts[kind]) for kind in _KINDS)


def _weak_sentence(found: int) -> str:
    return f"The audit found {_counted(found, 'weakness', 'weaknesses')}."


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


def _draw_weak(screen: Screen, facts: Facts) -> None:
    tried = facts["tried"]
    found = _count(facts)
    screen.heading(
        f"{facts['id']}: {_counted(found, 'weakness', 'weaknesses') if found else 'nothing found'}"
    )
    screen.facts(
        [
            ("wrong programs", f"{tried['wrong_programs']}, public checks alone accept {_accepted(tried)}"),
            ("rewritings", str(tried["rewritings"])),
            ("further inputs", str(tried["inputs"])),
        ]
    )
    _table(
        screen,
        ("rule", "lacks"),
        [(each["rule"], f"a {each['tier']} check") for each in facts["rules_without_checks"]],
    )
    _table(
        screen,
        ("survivor", "changed", "input that shows it"),
        [
            (
                each["program"],
                _changed(each["difference"]),
                f"{each['scenario']} {plain(each['params'], _WIDTH)}",
            )
            for each in facts["survivors"]
        ],
    )
    _table(screen, ("check that no wrong program fails",), [(check,) for check in facts["idle_checks"]])
    _table(
        screen,
        ("over-specified check", "rejects a rewriting of the reference"),
        [
            (each["check"], f"{' '.join(each['rewriting'])} ({each['rejected']} of {tried['rewritings']})")
            for each in facts["overspecified"]
        ],
    )


def _accepted(tried: Facts) -> str:
    return str(tried["accepted_by_public_checks"])


def _changed(difference: Sequence[str]) -> str:
    """Return the first line that a survivor has and the reference lacks, else the first that it lost."""
    lines = [line for line in difference if not line.startswith(("+++", "---", "@@"))]
    added = [line for line in lines if line.startswith("+")]
    lost = [line for line in lines if line.startswith("-")]
    return next((line[:1] + line[1:].strip() for line in [*added, *lost]), "")


def _table(screen: Screen, header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    if rows:
        screen.line()
        screen.table(header, rows)


def _draw_flaky(screen: Screen, facts: Facts) -> None:
    state = _counted(facts["flakes"], "flake") if facts["flakes"] else "steady"
    screen.heading(f"{facts['id']}: {state}, flake rate below {facts['bound']:.2%} at 95 % confidence")
    rows = [
        (each["task"], each["program"], str(each["runs"]), str(len(each["flakes"])), f"{each['bound']:.2%}")
        for each in facts["programs"]
    ]
    screen.table(("task", "program", "runs", "flakes", "rate below"), rows)
    _table(
        screen,
        ("task", "program", "hash seed", "time zone", "locale", "order", "checks that changed"),
        [
            (
                each["task"],
                each["program"],
                *_perturbed(flake),
                ", ".join(flake["changed"]) or "observations only",
            )
            for each in facts["programs"]
            for flake in each["flakes"]
        ],
    )


def _perturbed(flake: Facts) -> tuple[str, str, str, str]:
    varied = flake["perturbation"]
    return str(varied["hash_seed"]), varied["tz"], varied["locale"], str(varied["order"])


def _draw_plan(screen: Screen, plan: Facts) -> None:
    screen.heading(f"Would repeat the programs of {_counted(len(plan['contracts']), 'contract')}")
    screen.facts(
        [
            ("contracts", ", ".join(plan["contracts"])),
            ("repeats", str(plan["repeats"])),
            ("runs", str(plan["runs"])),
            ("writes", ", ".join(plan["writes"])),
        ]
    )
