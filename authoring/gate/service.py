"""Run a gate: open the release, judge the candidate, decide, and tag where the gate is open."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from authoring.execution import BoxRunner, driver_sha256
from authoring.execution.doctor import require_sound
from authoring.gate.agent import answers_digest, answers_from_command, answers_from_file, judge_answers
from authoring.gate.decide import Question, decide
from authoring.gate.frozen import Frozen, FrozenTask, open_release
from authoring.gate.repo import Bound, Candidate, bound_contracts, judge_candidate
from authoring.gate.tagging import require_free, write_tag
from authoring.model.configuration import Policy
from authoring.model.errors import NothingJudgedError, UsageError
from authoring.model.execution import How, Limits
from authoring.model.incident import Dependency
from authoring.model.manifest import Decision
from authoring.model.progress import Progress
from authoring.system import git
from authoring.system.packages import ObtainedTree, obtain_dependency, obtain_files, obtain_release
from authoring.system.packages.index import parse_pin
from authoring.system.workspace import Workspace
from authoring.validation.folder import EvidenceFolder
from authoring.validation.grade import Graded, Grader, Options, Submission, TaskMaterial
from authoring.validation.grade.record import isolation_facts
from authoring.validation.judge import Judge

__all__ = ["GateRun", "Gated", "gate_agent", "gate_package", "gate_revision"]

_RUN_S = 120.0


@dataclass(frozen=True, slots=True)
class GateRun:
    """What every gate takes."""

    workspace: Workspace
    release: str
    policy: Policy
    date: datetime
    """Of the commit and the tag."""
    tag: str = ""
    """Name of the tag that an open gate makes; empty: none."""


@dataclass(frozen=True, slots=True)
class Gated:
    """The decision, and the tag that it made."""

    decision: Decision
    tag: str = ""
    """Id of the tag object; empty where none was made."""
    repository: Path | None = None
    """Where the tag is."""


def gate_package(run: GateRun, pin: str, progress: Progress) -> Gated:
    """Judge a package's release, ``name==version``; the tag goes on the release commit."""
    name, version = parse_pin(pin)
    frozen = open_release(run.workspace, run.release)
    _require_free(run, run.workspace.root)
    python = _python_of(frozen)
    progress.phase("obtain")
    tree = obtain_release(name, version, run.workspace.cache, python)
    candidate = Candidate(tree.path, tree.sha256, tree.top_levels, f"{name}=={version}", name)
    return _gate_repo(run, frozen, [candidate], (run.workspace.root, frozen.commit), progress)


def gate_revision(run: GateRun, repo: Path, revision: str, progress: Progress) -> Gated:
    """Judge a revision of a repository; the tag goes on that revision, in that repository."""
    frozen = open_release(run.workspace, run.release)
    _require_free(run, repo)
    progress.phase("obtain")
    commit, files = git.revision_files(repo, revision)
    candidates = [
        Candidate(tree.path, tree.sha256, tree.top_levels, commit)
        for tree in _trees(files, frozen, run.workspace.cache, f"the revision {revision}")
    ]
    return _gate_repo(run, frozen, candidates, (repo, commit), progress)


def _trees(files: Mapping[str, bytes], frozen: Frozen, cache: Path, what: str) -> Iterator[ObtainedTree]:
    """Yield the tree of a revision for every import name of the release that it holds, each tree once."""
    seen = set()
    for name in sorted({_import_name(task) for task in frozen.tasks}):
        try:
            tree = obtain_files(files, cache, what, name)
        except UsageError as error:
            if error.code != "WSP037":
                raise
            continue
        if tree.sha256 not in seen:
            seen.add(tree.sha256)
            yield tree


def _import_name(task: FrozenTask) -> str:
    return task.variant.contract.entry.original.partition(":")[0].partition(".")[0]


def _python_of(frozen: Frozen) -> str:
    return next((task.variant.contract.environment.python for task in frozen.tasks), "")


def _gate_repo(
    run: GateRun,
    frozen: Frozen,
    candidates: Sequence[Candidate],
    target: tuple[Path, str],
    progress: Progress,
) -> Gated:
    label = candidates[0].label if candidates else "this revision"
    pairs: dict[str, tuple[Candidate, Bound]] = {}
    for candidate in candidates:
        for bound in bound_contracts(frozen, candidate):
            pairs.setdefault(bound.task.variant.id, (candidate, bound))
    if not pairs:
        raise NothingJudgedError(
            "GTE001",
            f"no contract of the release {run.release} is about {label}",
            "Give a release that holds contracts of this package.",
            stage="gate",
        )
    with BoxRunner(run.workspace.cache / "driver") as runner:
        require_sound(runner, _python_of(frozen))
        outcomes = [
            outcome
            for candidate, bound in pairs.values()
            for outcome in judge_candidate(
                [bound], candidate, lambda task: _judge(run, runner, task), progress
            )
        ]
    question = Question(run.release, frozen.manifest_sha256, "repo", label, "held-out robust, integrated")
    return _concluded(run, decide(question, outcomes, run.policy), target)


def _judge(run: GateRun, runner: BoxRunner, task: FrozenTask) -> Judge:
    environment = task.variant.contract.environment
    how = How(
        limits=Limits(run_s=_RUN_S),
        python=environment.python,
        dependencies=_dependencies(environment.dependencies, run.workspace.cache, environment.python),
        fresh=True,
    )
    return Judge(
        runner=runner,
        how=how,
        key=run.workspace.key,
        evidence=EvidenceFolder(run.workspace.path("evidence")),
        driver_sha256=driver_sha256(),
        isolation=isolation_facts(how),
        full_version=lambda python: runner.interpreter(How(python=python)).version,
    )


def _dependencies(pins: Sequence[Dependency], cache: Path, python: str) -> tuple[Path, ...]:
    return tuple(obtain_dependency(f"{pin.name}=={pin.version}", cache, python).path for pin in pins)


def gate_agent(
    run: GateRun,
    progress: Progress,
    *,
    command: str = "",
    predictions: Path | None = None,
    timeout_s: float = 3600.0,
) -> Gated:
    """Judge an agent by its answers to all tasks of a release; the tag goes on the release commit.

    Give either a ``command``, which runs once for every task, or a file of ``predictions``.
    """
    frozen = open_release(run.workspace, run.release)
    _require_free(run, run.workspace.root)
    key = run.workspace.key
    evidence = EvidenceFolder(run.workspace.path("evidence"))
    given = (
        answers_from_file(frozen.tasks, predictions)
        if predictions is not None
        else answers_from_command(frozen.tasks, command, timeout_s, progress)
    )
    answers = list(given)
    with BoxRunner(run.workspace.cache / "driver") as runner:
        require_sound(runner, _python_of(frozen))

        def grade(task: FrozenTask, submission: Submission) -> Graded:
            material = _material(task, run.workspace.cache)
            return Grader(runner, material, key).grade(submission, Options(fresh=True))

        outcomes = list(judge_answers(frozen.tasks, answers, grade, evidence.keep, progress))
    subject = answers_digest(answers)
    question = Question(run.release, frozen.manifest_sha256, "agent", subject, "held-out robust")
    return _concluded(run, decide(question, outcomes, run.policy), (run.workspace.root, frozen.commit))


def _material(task: FrozenTask, cache: Path) -> TaskMaterial:
    variant, environment = task.variant, task.variant.contract.environment
    return TaskMaterial(
        task=task.stored.task,
        pristine=task.stored.files,
        scenarios=variant.scenarios,
        public=variant.public,
        hidden=variant.hidden,
        reference=variant.reference,
        dependencies=_dependencies(environment.dependencies, cache, environment.python),
    )


def _require_free(run: GateRun, root: Path) -> None:
    if run.tag:
        require_free(root, run.tag)


def _concluded(run: GateRun, decision: Decision, target: tuple[Path, str]) -> Gated:
    if not decision.open or not run.tag:
        return Gated(decision)
    return Gated(decision, write_tag(run.workspace, decision, run.tag, target, date=run.date), target[0])
