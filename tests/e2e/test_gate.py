"""The gate on a real workspace, real repositories and real boxes."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from authoring.contract.document import contract_text
from authoring.execution import BoxRunner
from authoring.gate.check import check_tag
from authoring.gate.frozen import open_release
from authoring.gate.service import Gated, GateRun, gate_agent, gate_revision
from authoring.model.capture import Capture
from authoring.model.configuration import Policy
from authoring.model.errors import NothingJudgedError, RefusedError, UsageError
from authoring.model.execution import How
from authoring.model.progress import SilentProgress
from authoring.release import release
from authoring.system import git
from authoring.system.workspace import Workspace
from authoring.taskrepo.commit import RUN_CHECKS, Publication, commit
from authoring.validation.laboratory import make_laboratory
from authoring.validation.validate import Plan, validate
from authoring.variants.vary import vary
from tests.unit.variants.sample import KEY, PROGRAMS, material, tools

pytestmark = pytest.mark.slow
DATE = datetime(2026, 3, 2, tzinfo=UTC)
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
ORIGINAL = """import types


def bind(package):
    names = ("PageError", "Listing", "count_pages")
    return types.SimpleNamespace(**{name: getattr(package, name) for name in names})
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("home")
    (folder / ".gitconfig").write_text("[user]\n\tname = Some One\n\temail = one@example.org\n")
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("GIT_", "AUTHORING_"))]:
            patch.delenv(name)
        patch.setenv("HOME", str(folder))
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        yield folder


@pytest.fixture(scope="module")
def workspace(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace with one contract, two of its variants, and a release v1."""
    folder = tmp_path_factory.mktemp("ws")
    (folder / "key").write_bytes(KEY)
    made = Workspace.create(folder / "w", key_file=folder / "key", date=DATE)
    sample = material()
    origin = sample.contract.origin.model_copy(update={"notices": ("MIT licence",)})
    environment = sample.contract.environment.model_copy(update={"python": PYTHON})
    sample = replace(
        sample, contract=sample.contract.model_copy(update={"origin": origin, "environment": environment})
    )
    with BoxRunner() as runner:
        varied = vary(sample, tools(runner, key=made.key, how=How(python=PYTHON)), SilentProgress())
        tasks = tuple(task for task in varied.tasks if task.spec.id in ("base", "h1"))
        laboratory = make_laboratory(runner, How(python=PYTHON), made.key, made.path("evidence"), RUN_CHECKS)
        plan = Plan(alternatives=0, alternatives_elsewhere=0, attacks=(), pythons=(PYTHON,))
        found = validate(tasks, laboratory.judge, laboratory.outside, plan, SilentProgress())
    assert found.complaints == ()
    capture = Capture(
        incident="pages-lost",
        import_name="paging",
        modules=("paging",),
        python=PYTHON,
        trees=(),
        dependencies=(),
        checks=(),
        patterns=(),
        bindings=(),
        raises=("PageError",),
        failure="",
        repeats=1,
        fork_per_check=False,
        reproducer_sha256="",
    )
    files = {
        "contracts/pages-lost/original.py": ORIGINAL.encode(),
        "contracts/pages-lost/contract.toml": contract_text(sample.contract).encode(),
        "incidents/pages-lost/capture.json": capture.to_json(),
    }
    evidence = tuple(key for keys in found.records.values() for key in keys)
    commit(made, Publication("pages-lost", tasks, evidence, files, DATE))
    release(made, "v1")
    return made


def add(root: Path, files: dict[str, bytes]) -> str:
    who = git.identity(root)
    with git.opened(root) as session:
        old = git.head_in(session)
        tree = git.store_tree(session, {**git.list_tree(session, old), **git.store_files(session, files)})
        new = git.commit_tree(session, tree, (old,) if old else (), "m\n", who=who, date=DATE)
        git.move_branch(session, new, old, "test")
        git.follow(session, old, new)
    return new


@pytest.fixture(scope="module")
def service(home: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A repository of the package, with its revisions by version."""
    root = tmp_path_factory.mktemp("service") / "paging"
    root.mkdir()
    git.init(root)
    revisions: dict[str, str] = {
        version: add(root, {"paging/__init__.py": source.encode()}) for version, source in PROGRAMS.items()
    }
    revisions["other"] = add(root, {"paging/__init__.py": b"import missing_module\n"})
    return root, revisions


def gate(workspace: Workspace, tag: str = "", policy: Policy | None = None) -> GateRun:
    return GateRun(workspace, "v1", policy or Policy(), DATE, tag)


def revision(
    workspace: Workspace, service: tuple[Path, dict[str, str]], version: str, tag: str = ""
) -> Gated:
    return gate_revision(gate(workspace, tag), service[0], service[1][version], SilentProgress())


@pytest.mark.parametrize("version", ["broken", "hard_negative", "other"])
def test_a_wrong_revision_gets_no_tag_and_nothing_hidden_is_told(
    workspace: Workspace, service: tuple[Path, dict[str, str]], version: str
) -> None:
    gated = revision(workspace, service, version, f"gate-{version}")
    assert not gated.decision.open
    assert gated.tag == ""
    assert git.read_tag(service[0], f"gate-{version}") is None
    told = " ".join(gated.decision.reasons)
    assert "0x" not in told
    assert "{" not in told


def test_the_fixed_revision_is_tagged_and_the_tag_is_verified_in_other_clones(
    workspace: Workspace, service: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    gated = revision(workspace, service, "reference", "safe-1")
    assert gated.decision.open
    assert gated.decision.claim == "held-out robust, integrated"
    tag = git.read_tag(service[0], "safe-1")
    assert tag is not None
    assert tag.commit == service[1]["reference"]
    assert [line.split(":")[0] for line in tag.message.strip().splitlines()[-4:]] == [
        "Release",
        "Manifest",
        "Decision",
        "Claim",
    ]
    for source, name in ((service[0], "code"), (workspace.root, "suite")):
        subprocess.run(["git", "clone", "-q", str(source), str(tmp_path / name)], check=True)
    checked = check_tag(tmp_path / "suite", "safe-1", tmp_path / "code")
    assert checked.decision == gated.decision
    assert (workspace.public / "gates" / "safe-1.json").read_bytes() == gated.decision.to_json()
    with pytest.raises(UsageError) as caught:
        revision(workspace, service, "reference", "safe-1")
    assert caught.value.code == "GTE008"
    moved = tmp_path / "code"
    subprocess.run(["git", "-C", str(moved), "config", "user.name", "X"], check=True)
    subprocess.run(["git", "-C", str(moved), "config", "user.email", "x@example.org"], check=True)
    message = tmp_path / "message"
    message.write_text(tag.message)
    words = ["git", "-C", str(moved), "tag", "-f", "-a", "-F", str(message), "safe-1", service[1]["broken"]]
    subprocess.run(words, check=True, capture_output=True)
    with pytest.raises(RefusedError) as refused:
        check_tag(tmp_path / "suite", "safe-1", moved)
    assert "another commit" in refused.value.message


def test_a_decision_that_was_edited_does_not_verify(
    workspace: Workspace, service: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    revision(workspace, service, "reference", "safe-2")
    clone = tmp_path / "suite"
    subprocess.run(["git", "clone", "-q", str(workspace.root), str(clone)], check=True)
    data = (clone / "gates" / "safe-2.json").read_bytes()
    add(clone, {"gates/safe-2.json": data.replace(b'"judged": 1', b'"judged": 9')})
    with pytest.raises(RefusedError) as caught:
        check_tag(clone, "safe-2", service[0])
    assert caught.value.code == "GTE010"


def test_a_revision_that_no_contract_is_about_is_never_open(
    workspace: Workspace, home: Path, tmp_path: Path
) -> None:
    root = tmp_path / "elsewhere"
    root.mkdir()
    git.init(root)
    new = add(root, {"elsewhere/__init__.py": b"x = 1\n"})
    with pytest.raises(NothingJudgedError):
        gate_revision(gate(workspace), root, new, SilentProgress())


def test_an_agent_that_does_nothing_scores_0(workspace: Workspace) -> None:
    gated = gate_agent(gate(workspace, "agent-0"), SilentProgress(), command="true")
    assert (gated.decision.passed, gated.decision.judged) == (0, 2)
    assert not gated.decision.open
    assert git.read_tag(workspace.root, "agent-0") is None


@pytest.mark.parametrize(
    "command",
    ['rm -rf "$PWD"', "setsid sh -c 'for i in $(seq 3000); do mkdir -p d/$i; done' & sleep 0.1"],
    ids=["removes its folder", "leaves a process that goes on writing"],
)
def test_an_agent_that_spoils_its_folder_scores_0(workspace: Workspace, command: str) -> None:
    gated = gate_agent(gate(workspace), SilentProgress(), command=command)
    assert (gated.decision.open, gated.decision.judged, gated.decision.passed) == (False, 2, 0)


def test_an_agent_sees_the_visible_files_only_and_may_change_the_program_only(workspace: Workspace) -> None:
    look = "test ! -e .git && test ! -e hard_negative.py && test ! -e task.json && echo ok > seen.txt"
    gated = gate_agent(gate(workspace), SilentProgress(), command=look)
    assert all("integrity" in reason for reason in gated.decision.reasons if reason.startswith("pages-lost"))


def predictions(workspace: Workspace, path: Path, keep: int = 2) -> Path:
    tasks = open_release(workspace, "v1").tasks[:keep]
    rows = [{"task": task.variant.id, "files": {"program.py": task.variant.reference}} for task in tasks]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_an_agent_that_returns_the_reference_scores_1_and_is_tagged_on_the_release(
    workspace: Workspace, tmp_path: Path
) -> None:
    path = predictions(workspace, tmp_path / "answers.jsonl")
    gated = gate_agent(gate(workspace, "agent-1"), SilentProgress(), predictions=path)
    assert (gated.decision.passed, gated.decision.judged) == (2, 2)
    assert gated.decision.open
    assert gated.decision.claim == "held-out robust"
    tag = git.read_tag(workspace.root, "agent-1")
    released = git.read_tag(workspace.root, "v1")
    assert tag is not None
    assert released is not None
    assert tag.commit == released.commit
    assert check_tag(workspace.root, "agent-1").decision == gated.decision


def test_a_task_without_a_prediction_closes_the_gate(workspace: Workspace, tmp_path: Path) -> None:
    path = predictions(workspace, tmp_path / "answers.jsonl", keep=1)
    gated = gate_agent(gate(workspace, policy=Policy(min_pass_rate=0.1)), SilentProgress(), predictions=path)
    assert not gated.decision.open
    assert "was not judged" in gated.decision.reasons[0]


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"task": 3}',
        '{"task": "none/base", "patch": ""}',
        '{"task": "pages-lost/base"}',
        '{"task": "pages-lost/base", "files": {"program.py": 3}}',
    ],
)
def test_a_line_that_is_no_prediction_is_refused_with_its_number(
    workspace: Workspace, tmp_path: Path, line: str
) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text("\n" + line + "\n")
    with pytest.raises(UsageError) as caught:
        gate_agent(gate(workspace), SilentProgress(), predictions=path)
    assert caught.value.code == "GTE005"
    assert "line 2" in caught.value.message


def test_an_empty_patch_is_the_answer_of_one_who_does_nothing(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    tasks = open_release(workspace, "v1").tasks
    path.write_text("".join(json.dumps({"task": task.variant.id, "patch": ""}) + "\n" for task in tasks))
    gated = gate_agent(gate(workspace), SilentProgress(), predictions=path)
    assert (gated.decision.passed, gated.decision.judged) == (0, 2)


def test_an_unknown_release_and_a_command_that_is_not_there_are_said(workspace: Workspace) -> None:
    with pytest.raises(UsageError) as caught:
        gate_agent(replace(gate(workspace), release="v9"), SilentProgress(), command="true")
    assert caught.value.code == "REL005"
    with pytest.raises(UsageError) as caught:
        gate_agent(gate(workspace), SilentProgress(), command="/no/such/agent")
    assert caught.value.code == "GTE006"
