"""Judge an agent: its answers to every task of a release, by a command or from a file of predictions."""

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from authoring.gate.decide import Outcome
from authoring.gate.frozen import FrozenTask
from authoring.model.digest import value_digest
from authoring.model.errors import UsageError
from authoring.model.evidence import Record
from authoring.model.progress import Progress
from authoring.system.files import read_limited, write_tree
from authoring.validation.grade import Graded, Submission, read_submission
from authoring.validation.grade.patch import apply_patch

__all__ = ["Answer", "answers_digest", "answers_from_command", "answers_from_file", "judge_answers"]

_FILE_CAP = 64 << 20
_NOT_RUN = (126, 127)
_BY_PRODUCTS = frozenset({"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis"})


@dataclass(frozen=True, slots=True)
class Answer:
    """What an agent handed in for one task, or why it handed in nothing."""

    task: str
    submission: Submission | None
    reason: str = ""


def answers_from_command(
    tasks: Sequence[FrozenTask], command: str, timeout_s: float, progress: Progress
) -> Iterator[Answer]:
    """Run the agent's command once for every task, in a fresh folder that holds the visible files and nothing
    else.

    The command is the user's own and runs as they would run it, with a shell; ``AUTHORING_TASK`` names the
    task. What it prints is not kept. A command that fails or does not end has still handed in what lies in
    the folder.
    """
    progress.phase("agent", total=len(tasks))
    for task in tasks:
        # a process that left the command's group may still write there, which must not end the gate
        with tempfile.TemporaryDirectory(prefix="task-", ignore_cleanup_errors=True) as name:
            folder = Path(name) / "task"
            visible = {path: task.stored.files[path] for path in task.stored.task.visible}
            write_tree(folder, visible)
            _run(command, folder, task.variant.id, timeout_s)
            yield Answer(task.variant.id, _handed_in(folder, task))
        progress.step(task.variant.id)


def _run(command: str, folder: Path, task: str, timeout_s: float) -> None:
    process = subprocess.Popen(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env={**os.environ, "AUTHORING_TASK": task},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout_s)
    finally:
        _end(process)
    if process.returncode in _NOT_RUN:
        raise UsageError(
            "GTE006",
            "the agent's command cannot be run: the shell does not find it",
            "Check it.",
            stage="gate",
        )


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the command's whole group, so that nothing goes on writing while the folder is read."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _handed_in(folder: Path, task: FrozenTask) -> Submission:
    """Return what lies in the folder, without the by-products of running Python; no folder is no program."""
    if not folder.is_dir() or folder.is_symlink():
        return Submission({}, ("the command removed its folder",))
    found = read_submission(folder, task.stored.task.program, task.stored.files)
    kept = {path: data for path, data in found.files.items() if not _BY_PRODUCTS & set(path.split("/"))}
    return Submission(kept, found.odd)


def answers_from_file(tasks: Sequence[FrozenTask], path: Path) -> Iterator[Answer]:
    """Read predictions, a JSON object a line: ``task``, and ``files`` (text by path) or ``patch`` (a unified
    diff).

    Raise ``UsageError`` GTE005 for a line that is none, and for a task that the release does not hold or that
    comes twice.
    """
    known = {task.variant.id: task for task in tasks}
    given: dict[str, Answer] = {}
    for number, line in enumerate(read_limited(path, _FILE_CAP).split(b"\n"), 1):
        if line.strip():
            answer = _prediction(known, line, number)
            if answer.task in given:
                raise _malformed(number, f"the task {answer.task} comes twice")
            given[answer.task] = answer
    for task in known:
        yield given.get(task) or Answer(task, None, "the predictions hold no answer")


def _prediction(known: Mapping[str, FrozenTask], line: bytes, number: int) -> Answer:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _malformed(number, "it is not JSON") from error
    if not isinstance(row, dict) or not isinstance(row.get("task"), str):
        raise _malformed(number, "it is no object with a task")
    if row["task"] not in known:
        raise _malformed(number, f"the release holds no task {row['task'][:80]!a}")
    files, patch = row.get("files"), row.get("patch")
    if isinstance(files, dict) and all(isinstance(text, str) for text in files.values()) and patch is None:
        data = {path: text.encode("utf-8", "surrogatepass") for path, text in files.items()}
        return Answer(row["task"], Submission(data))
    if isinstance(patch, str) and files is None:
        return Answer(row["task"], _patched(patch, known[row["task"]]))
    raise _malformed(number, "it holds neither files (text by path) nor a patch")


def _patched(patch: str, task: FrozenTask) -> Submission:
    """Return the files that a patch changes; an empty patch hands in the program as it was."""
    program = task.stored.task.program
    if not patch.strip():
        return Submission({program: task.stored.files[program]})
    try:
        return Submission(apply_patch(patch.encode("utf-8", "surrogatepass"), task.stored.files))
    except ValueError as error:
        return Submission({}, (f"the patch does not apply: {error}",))


def _malformed(number: int, reason: str) -> UsageError:
    return UsageError(
        "GTE005",
        f"line {number} of the predictions cannot be used: {reason}",
        'Write lines such as {"task": "ID/base", "files": {"program.py": "..."}}, or with "patch".',
        stage="gate",
    )


def answers_digest(answers: Sequence[Answer]) -> str:
    """Return the digest that stands for an agent's answers as a whole."""
    return value_digest(
        {each.task: None if each.submission is None else each.submission.sha256 for each in answers}
    )


def judge_answers(
    tasks: Sequence[FrozenTask],
    answers: Sequence[Answer],
    grade: Callable[[FrozenTask, Submission], Graded],
    keep: Callable[[Record], None],
    progress: Progress,
) -> Iterator[Outcome]:
    """Yield what each task makes of its answer, in fresh boxes behind the integrity gate."""
    progress.phase("judge", total=len(answers))
    for task, answer in zip(tasks, answers, strict=True):
        if answer.submission is None:
            yield _unanswered(task, answer.reason)
            continue
        graded = grade(task, answer.submission)
        keep(graded.record)
        progress.step(answer.task)
        failed = sum(verdict != "pass" for verdict in graded.checks.values())
        yield Outcome(
            task=answer.task,
            group=task.variant.contract.group,
            verdict=graded.verdict,
            failed=(failed, len(graded.checks)),
            flake_bound=task.flake_bound,
            evidence=(graded.record.key,),
        )


def _unanswered(task: FrozenTask, reason: str) -> Outcome:
    group = task.variant.contract.group
    return Outcome(task.variant.id, group, None, (0, 0), task.flake_bound, reason=reason)
