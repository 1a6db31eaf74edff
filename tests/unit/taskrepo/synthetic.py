"""Synthetic contracts with their variants and evidence, from which the tests of repositories and releases
start."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from authoring.model.contract import Contract, Entry, Environment, Origin, ScenarioSpec
from authoring.model.digest import keyed_digest, sha256_hex, value_digest
from authoring.model.evidence import IsolationFacts, PerturbationFacts, Record, Result, SubjectFacts
from authoring.model.task import Check, Checks, HiddenChecks, Pool, TaskLimits
from authoring.model.variants import VariantSpec
from authoring.model.wire import encode
from authoring.system.workspace import Workspace
from authoring.taskrepo.commit import Publication
from authoring.validation.judge import key_of
from authoring.validation.questions import questions_of
from authoring.variants.material import VariantTask

DATE = datetime(2026, 3, 4, tzinfo=UTC)
NAMES = {"base": "clip", "p2": "bound", "h1": "limited", "h2": "fenced", "h3": "capped"}
NOTICE = "Copyright (c) Example\n\nPermission is granted.\n"


def contract_of(number: int, name: str = "clip") -> Contract:
    return Contract(
        id=f"clip-{number:03d}",
        incident=f"incident-{number:03d}",
        mechanism=f"boundary-{number // 2:03d}",
        group=f"group-{number // 2:03d}",
        category="off-by-one",
        symptom="s",
        returns="r",
        domain="d",
        entry=Entry(name=name, kind="function", original=f"pkg:{name}"),
        environment=Environment(python="3.11"),
        raises=("ValueError",),
        origin=Origin(package="pkg", releases=("1.0", "1.1"), licence="MIT", notices=(NOTICE,)),
        reference_digest="0" * 64,
        rules=(),
        scenarios=(ScenarioSpec(id="once", function="once", level="both"),),
    )


def program_of(name: str, number: int, turn: int, condition: str) -> str:
    return (
        f"def {name}(value, top={number + 10 * turn + 5}):\n"
        f'    """Keep a value of family {number} in range."""\n'
        f"    if {condition}:\n"
        f"        return top - {number % 7}\n"
        f"    return value + {number}\n"
    )


def variant(number: int, turn: int, identity: str) -> VariantTask:
    name = f"{NAMES[identity]}_{number}"
    task_id = f"clip-{number:03d}/{identity}"
    digest = sha256_hex(task_id.encode())
    scenarios = f'def once(program, p, seen):\n    seen(program.{name}(p["value"]))\n'

    def check(prefix: str, index: int) -> Check:
        value = int(digest[index : index + 6], 16) + (1 << 24) * (prefix == "h")
        return Check(
            id=f"{prefix}{index:02d}",
            name=f"value {index}",
            scenario="once",
            rules=("range",),
            params=encode({"value": value}),
            expect=({"value": encode(number + 10 * turn + 5 - number % 7)},),
        )

    checks: dict[str, Any] = {"task": task_id, "scenarios_sha256": sha256_hex(scenarios.encode())}
    pool = Pool(
        scenario="once", inputs=(encode({"value": 1}),), expect_hmac=(keyed_digest(b"k", "pool", task_id),)
    )
    return VariantTask(
        spec=VariantSpec(id=identity, tier="public" if identity in ("base", "p2") else "hidden"),
        contract=contract_of(number, name),
        program=program_of(name, number, turn, "value > top + 1"),
        reference=program_of(name, number, turn, f"value >= top  # family {number} turn {turn}"),
        hard_negative=program_of(name, number, turn, "value > top and value"),
        scenarios=scenarios,
        prompt=f"Repair `{name}` of {task_id}: it must keep every value in range.\n",
        public=Checks(**checks, checks=tuple(check("p", index) for index in range(3))),
        hidden=HiddenChecks(**checks, checks=tuple(check("h", index) for index in range(4)), pools=(pool,)),
    )


def tasks_of(
    number: int = 1, identities: tuple[str, ...] = ("base", "p2", "h1", "h2", "h3")
) -> tuple[VariantTask, ...]:
    return tuple(variant(number, turn, identity) for turn, identity in enumerate(identities))


def record_of(
    task: VariantTask, source: str, verdict: str, hash_seed: int = 0, isolated: bool = True
) -> Record:
    questions = questions_of(task)
    subject = SubjectFacts(
        program=sha256_hex(source.encode()),
        scenarios=sha256_hex(task.scenarios.encode()),
        checks=value_digest([question.facts() for question in questions]),
        driver="d" * 64,
        python="3.11.7",
        isolation=IsolationFacts(
            **dict.fromkeys(["user", "pid", "net", "ipc", "uts", "mount", "seccomp", "cgroup"], isolated)
        ),
        limits=TaskLimits(),
        perturbation=PerturbationFacts(hash_seed=hash_seed, tz="UTC", locale="C.UTF-8", order=0),
    )
    checks = tuple(sorted((question.id, verdict) for question in questions))
    return Record(
        key=key_of(subject),
        subject=subject,
        result=Result.model_validate(
            {
                "verdict": verdict,
                "checks": checks,
                "observations_hmac": "0" * 64,
                "stdout_sha256": "0" * 64,
                "stderr_sha256": "0" * 64,
                "exit": 0,
            }
        ),
    )


def records_of(tasks: tuple[VariantTask, ...]) -> list[Record]:
    return [
        record
        for task in tasks
        for record in (
            record_of(task, task.reference, "pass"),
            record_of(task, task.reference, "pass", hash_seed=1),
            record_of(task, task.program, "wrong"),
        )
    ]


def publication(workspace: Workspace, number: int = 1, tasks: tuple[VariantTask, ...] = ()) -> Publication:
    """Write the evidence of a contract into the workspace and return what is to be committed."""
    tasks = tasks or tasks_of(number)
    records = records_of(tasks)
    for record in records:
        path = workspace.path("evidence", record.key[:2], f"{record.key}.json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(record.model_dump_json(indent=1) + "\n")
    contract = tasks[0].contract
    return Publication(
        incident=contract.incident,
        tasks=tasks,
        evidence=tuple(record.key for record in records),
        files={
            f"incidents/{contract.incident}/incident.toml": b'id = "x"\n',
            f"contracts/{contract.id}/program/reference.py": tasks[0].reference.encode(),
        },
        date=DATE,
    )


def changed(tasks: tuple[VariantTask, ...], index: int = 0, **changes: Any) -> tuple[VariantTask, ...]:
    """Return the variants with one of them changed."""
    return (*tasks[:index], replace(tasks[index], **changes), *tasks[index + 1 :])


def workspace_in(folder: Path) -> Workspace:
    key = folder.parent / "key"
    key.write_bytes(b"k" * 32)
    return Workspace.create(folder, key_file=key, date=DATE)
