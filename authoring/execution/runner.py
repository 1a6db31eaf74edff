"""The one door to untrusted code: runs subjects in boxes and returns outcomes (DESIGN.md section 7)."""

import os
import random
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from authoring.execution.bundle import driver_bundle
from authoring.execution.channel import Channel
from authoring.execution.conversation import Conversation, Failure
from authoring.execution.fresh import FreshRun, fresh_run
from authoring.execution.interpreter import Interpreter, find_interpreter
from authoring.execution.pool import ServerPool
from authoring.execution.setup import mounts_of, preloads_of, setup_of
from authoring.execution.warm import ServerLost
from authoring.model.errors import CannotJudgeError
from authoring.model.execution import Died, How, Hung, Outcome, Request, Subject

__all__ = ["BoxRunner"]

Numbered = tuple[int, Request]
_SERVER_TRIES = 3


class BoxRunner:
    """Runs untrusted code in boxes; a context manager, and safe to use from several threads."""

    def __init__(self, cache: Path | None = None, *, servers: int = 6) -> None:
        self._own_cache = cache is None
        self._cache = Path(tempfile.mkdtemp(prefix="authoring-driver-")) if cache is None else cache
        self._cache.mkdir(parents=True, exist_ok=True)
        self._pool = ServerPool(servers)

    def __enter__(self) -> "BoxRunner":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the servers and forget the compiled driver where it was ours alone."""
        self._pool.close()
        if self._own_cache:
            shutil.rmtree(self._cache, ignore_errors=True)

    @property
    def restarts(self) -> int:
        """How many warm servers were lost and replaced."""
        return self._pool.lost

    def interpreter(self, how: How) -> Interpreter:
        """Return the interpreter that a run uses; raise :class:`CannotJudgeError` where there is none."""
        return find_interpreter(how.python)

    def bundle(self, interpreter: Interpreter) -> Path:
        """Return the driver compiled for an interpreter."""
        return driver_bundle(interpreter, self._cache)

    def observe(self, subject: Subject, requests: Sequence[Request], how: How) -> list[Outcome]:
        """Run the requests and return one outcome each, in order; a request that ends its process ends it alone."""
        run = self._run_fresh if how.fresh else self._run_warm
        outcomes: dict[int, Outcome] = {}
        for group in _groups(requests, how):
            left = group
            while left:
                reached = run(subject, left, how)
                outcomes.update(reached)
                left = [numbered for numbered in left if numbered[0] not in outcomes]
        return [outcomes[at] for at in range(len(requests))]

    def _run_fresh(self, subject: Subject, requests: list[Numbered], how: How) -> dict[int, Outcome]:
        interpreter = self.interpreter(how)
        mounts = mounts_of(self.bundle(interpreter), subject, how)
        setup = setup_of(subject, [request for _, request in requests], how)

        def talk(channel: Channel, deadline: float) -> dict[int, Outcome]:
            conversation = Conversation(channel, how.limits, deadline)
            return _converse(conversation, setup, requests, how, conversation.ask_in_turn)

        outcomes, _ = fresh_run(interpreter, mounts, how, talk)
        return outcomes

    def _run_warm(self, subject: Subject, requests: list[Numbered], how: How) -> dict[int, Outcome]:
        interpreter = self.interpreter(how)
        mounts = mounts_of(self.bundle(interpreter), subject, how)
        setup = setup_of(subject, [request for _, request in requests], how)
        for _ in range(_SERVER_TRIES):
            try:
                with self._pool.borrow(interpreter, mounts, how.perturbation) as server:
                    server.preload(preloads_of(subject))
                    channel = server.begin(how.limits)
                    try:
                        conversation = Conversation(channel, how.limits, time.monotonic() + how.limits.run_s)
                        outcomes = _converse(conversation, setup, requests, how, conversation.ask_all)
                        ended = server.end()
                    finally:
                        channel.close()
                    return _explained(outcomes, conversation.failure, ended.status, ended.killed)
            except ServerLost:
                continue
        raise CannotJudgeError("EXE005", "The warm server was lost three times in a row.", "Run `authoring doctor`.")


def _groups(requests: Sequence[Request], how: How) -> list[list[Numbered]]:
    """Return the requests, numbered, in the order to run them, a group for each process."""
    numbered = list(enumerate(requests))
    if how.perturbation.order:
        random.Random(how.perturbation.order).shuffle(numbered)
    return [[one] for one in numbered] if how.fork_per_request else [numbered]


def _converse(
    conversation: Conversation,
    setup: dict[str, Any],
    requests: list[Numbered],
    how: How,
    ask: Callable[[list[Numbered], float | None], Iterator[tuple[int, Outcome]]],
) -> dict[int, Outcome]:
    """Bring the subject up and ask; a subject that does not come up gives every request the same outcome."""
    if not conversation.bring_up(setup):
        failure = conversation.failure
        assert failure is not None
        if failure.reason == "fault":
            raise CannotJudgeError("EXE005", f"The box cannot be closed: {failure.outcome}", "Run `authoring doctor`.")
        return {number: failure.outcome for number, _ in requests}
    return dict(ask(requests, how.limits.call_cpu_s))


_OUT_OF_TIME = (signal.SIGPROF, signal.SIGXCPU)


def _explained(
    outcomes: dict[int, Outcome], failure: Failure | None, status: int, killed: bool
) -> dict[int, Outcome]:
    """Say that a process that the kernel ended for its CPU budget hung."""
    if failure is None or killed or not os.WIFSIGNALED(status) or os.WTERMSIG(status) not in _OUT_OF_TIME:
        return outcomes
    if failure.reason != "closed":
        return outcomes
    late: Outcome = Died("import: late") if failure.outcome == Died("import: the process ended") else Hung()
    return {number: late if outcome == failure.outcome else outcome for number, outcome in outcomes.items()}
