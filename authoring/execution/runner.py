"""The one door to untrusted code: runs subjects in boxes and returns outcomes (DESIGN.md section 7)."""

import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from authoring.execution.box import Mounts
from authoring.execution.budget import budgeted
from authoring.execution.bundle import SCRIPT_FILES, driver_bundle
from authoring.execution.channel import Channel, Ended
from authoring.execution.compiler import Compiler
from authoring.execution.conversation import BoxFaultError, Conversation
from authoring.execution.fresh import fresh_run
from authoring.execution.generator import draw_talk, drawn, generator_mounts, shrink_talk
from authoring.execution.idle import PATIENCE_S
from authoring.execution.interpreter import Interpreter, find_interpreter
from authoring.execution.planted import PLACE, PlantedPool
from authoring.execution.pool import ServerPool
from authoring.execution.said import Answer, Run, Said, converse
from authoring.execution.script import script_run, script_talk
from authoring.execution.setup import folders_of, mounts_of, path_of, preloads_of, setup_of
from authoring.execution.trace import TracedConversation, traced_limits
from authoring.execution.warm import ChildEnd, ServerLostError, WarmServer
from authoring.model.errors import CannotJudgeError
from authoring.model.execution import (
    Died,
    How,
    Hung,
    Outcome,
    Perturbation,
    Program,
    Request,
    ScriptRun,
    Subject,
    Traced,
    Watched,
    Wire,
)

__all__ = ["BoxRunner", "Run"]

Result = TypeVar("Result")
Numbered = tuple[int, Request]
Talk = Callable[[Channel], dict[str, Any] | Ended]
_SERVER_TRIES = 3
_SLOTS = 256
_PAUSE_S = 0.2


class BoxRunner:
    """Runs untrusted code in boxes; a context manager, and safe to use from several threads."""

    def __init__(self, cache: Path | None = None, *, servers: int = 6) -> None:
        self._own_cache = cache is None
        self._cache = Path(tempfile.mkdtemp(prefix="authoring-driver-")) if cache is None else cache
        self._cache.mkdir(parents=True, exist_ok=True)
        self._pool = ServerPool(servers)
        self._slots = count(1)
        self._bundles: dict[Interpreter, Path] = {}
        self._compilers: dict[Interpreter, Compiler] = {}
        self._planted = PlantedPool(self._cache)

    def __enter__(self) -> "BoxRunner":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the servers and forget the compiled driver where it was ours alone."""
        self._pool.close()
        for compiler in self._compilers.values():
            compiler.close()
        self._planted.close()
        if self._own_cache:
            shutil.rmtree(self._cache, ignore_errors=True)

    @property
    def restarts(self) -> int:
        """How many warm servers were lost and replaced."""
        return self._pool.lost

    @property
    def ended_cpu_s(self) -> float:
        """Seconds of CPU of servers that have ended, which no other process has reaped."""
        return self._pool.ended_cpu_s + sum(each.ended_cpu_s for each in self._compilers.values())

    def servers(self) -> tuple[WarmServer, ...]:
        """Return the warm servers that are up and idle."""
        return self._pool.idle()

    def interpreter(self, how: How) -> Interpreter:
        """Return the interpreter that a run uses; raise :class:`CannotJudgeError` where there is none."""
        return find_interpreter(how.python)

    def bundle(self, interpreter: Interpreter) -> Path:
        """Return the driver compiled for an interpreter."""
        if interpreter not in self._bundles:
            self._bundles[interpreter] = driver_bundle(interpreter, self._cache)
        return self._bundles[interpreter]

    def observe(self, subject: Subject, requests: Sequence[Request], how: How) -> list[Outcome]:
        """Run the requests and return one outcome each, in order; a request that ends its process ends it alone.

        Where calls have a CPU budget, an end that a stalled machine can cause too is believed when it comes twice.
        """

        def run(left: list[Numbered]) -> dict[int, Outcome]:
            return self.run(subject, left, how, _whole).outcomes

        found = dict(_believed(requests, how, run, _itself))
        return [found[at] for at in range(len(requests))]

    def first_unlike(
        self,
        subject: Subject,
        requests: Sequence[Request],
        how: How,
        is_like: Callable[[int, Outcome], bool],
    ) -> tuple[int, Outcome] | None:
        """Run the requests in order up to the first that is not like it should be; what follows is not waited for."""

        def is_unlike(number: int, outcome: Outcome) -> bool:
            return not is_like(number, outcome)

        def run(left: list[Numbered]) -> dict[int, Outcome]:
            return self.run(subject, left, how, _whole, is_unlike).outcomes

        believed = _believed(requests, how, run, _itself)
        return next(((number, outcome) for number, outcome in believed if is_unlike(number, outcome)), None)

    def run(
        self,
        subject: Subject,
        requests: Sequence[Numbered],
        how: How,
        reduce: Callable[[int, Outcome], Answer],
        is_enough: Callable[[int, Outcome], bool] | None = None,
    ) -> Run[Answer]:
        """Run numbered requests in one process until one ends it, and return all that came of it.

        Each outcome is handed to ``reduce`` as it comes, and only what that returns is kept: replies may be large.
        After an outcome that ``is_enough`` no more are waited for.
        """
        run = self._run_fresh if how.fresh else self._run_warm
        return run(subject, list(requests), how, reduce, is_enough)

    def _run_fresh(
        self,
        subject: Subject,
        requests: list[Numbered],
        how: How,
        reduce: Callable[[int, Outcome], Answer],
        is_enough: Callable[[int, Outcome], bool] | None,
    ) -> Run[Answer]:
        interpreter = self.interpreter(how)
        mounts = mounts_of(self.bundle(interpreter), subject, how)
        setup = setup_of(subject, [request for _, request in requests], how)
        how = budgeted(how, len(requests))

        def talk(channel: Channel) -> Said[Answer]:
            conversation = Conversation(channel, how.limits)
            return converse(conversation, setup, requests, how, conversation.ask_in_turn, reduce, is_enough)

        with self._planted.lend() if how.planted else nullcontext() as planted:
            if planted is not None:
                mounts = replace(mounts, folders=(*mounts.folders, (planted.folder, PLACE)))
            said, left = self._in_box(lambda slot: fresh_run(interpreter, mounts, how, talk, slot=slot))
            outputs = (left.stdout, left.stderr)
            touched = planted is not None and planted.was_touched(outputs)
        said.finish(left.signal, reduce)
        return said.run(outputs, left.exit, touched)

    def _in_box(self, start: Callable[[int], Result]) -> Result:
        """Start a box under a uid of its own; one that does not start is tried once more."""
        for last in (False, True):
            try:
                return start(next(self._slots) % _SLOTS)
            except BoxFaultError as fault:
                if last:
                    raise fault.as_error() from None
                time.sleep(_PAUSE_S)
        raise AssertionError("a loop that returns or raises")

    def _run_warm(
        self,
        subject: Subject,
        requests: list[Numbered],
        how: How,
        reduce: Callable[[int, Outcome], Answer],
        is_enough: Callable[[int, Outcome], bool] | None,
    ) -> Run[Answer]:
        interpreter = self.interpreter(how)
        setup = setup_of(subject, [request for _, request in requests], how)
        if isinstance(subject, Program):
            setup["codes"] = self._compiler(interpreter).codes(subject.source, path_of(subject))
        how = budgeted(how, len(requests))

        def talk(channel: Channel) -> Said[Answer]:
            conversation = Conversation(channel, how.limits)
            return converse(conversation, setup, requests, how, conversation.ask_all, reduce, is_enough)

        mounts = mounts_of(self.bundle(interpreter), subject, how)
        said, ended = self._in_child("observe", interpreter, mounts, how, preloads_of(subject), talk)
        said.finish(ended.signal, reduce)
        return said.run((said.conversation.channel.outputs()[0], b""), ended.status)

    def _compiler(self, interpreter: Interpreter) -> Compiler:
        made = Compiler(interpreter, Mounts(self.bundle(interpreter)))
        return self._compilers.setdefault(interpreter, made)  # at once, for several threads

    def _in_child(
        self,
        kind: str,
        interpreter: Interpreter,
        mounts: Mounts,
        how: How,
        preloads: set[str],
        talk: Callable[[Channel], Result],
    ) -> tuple[Result, ChildEnd]:
        """Talk with a child of a warm server; a server that is lost is replaced, up to three times."""
        for _ in range(_SERVER_TRIES):
            try:
                with self._pool.borrow(interpreter, mounts, how.perturbation) as server:
                    server.preload(preloads)
                    channel = server.begin(
                        how.limits, kind, _EXPECTED_S if how.believes_hangs else PATIENCE_S
                    )
                    try:
                        said = talk(channel)
                        return said, server.end()
                    finally:
                        channel.close()
            except (ServerLostError, BoxFaultError):
                continue
        raise CannotJudgeError(
            "EXE005", "The warm server was lost three times in a row.", "Run `authoring doctor`."
        )

    def trace(
        self,
        subject: Subject,
        requests: Sequence[Request],
        how: How,
        watched: Watched | None = None,
        *,
        with_frames: bool = False,
    ) -> list[Traced]:
        """Run the requests as :meth:`observe` does and return what ran for each; with ``watched`` of one function."""
        told = {
            "watched": None if watched is None else [watched.file, watched.line, watched.reads],
            "frames": with_frames or watched is not None,
        }

        def run(left: list[Numbered]) -> dict[int, Traced]:
            return self._run_traced(subject, left, how, told)

        found = dict(_believed(requests, how, run, lambda traced: traced.outcome))
        return [found[at] for at in range(len(requests))]

    def _run_traced(
        self, subject: Subject, requests: list[Numbered], how: How, told: dict[str, Any]
    ) -> dict[int, Traced]:
        how = budgeted(traced_limits(how), len(requests))
        setup = {**setup_of(subject, [request for _, request in requests], how), **told}

        def talk(channel: Channel) -> tuple[TracedConversation, Said[Outcome]]:
            conversation = TracedConversation(channel, how.limits)
            return conversation, converse(conversation, setup, requests, how, conversation.ask_all, _whole)

        interpreter = self.interpreter(how)
        mounts = mounts_of(self.bundle(interpreter), subject, how)
        (conversation, said), ended = self._in_child(
            "trace", interpreter, mounts, how, preloads_of(subject), talk
        )
        said.finish(ended.signal, _whole)
        return {number: conversation.traced(number, outcome) for number, outcome in said.answers.items()}

    def script(self, tree: Path, reproducer: str, how: How) -> ScriptRun:
        """Run a reproducer's text as ``__main__`` with the tree on ``sys.path``, in a fresh box without network."""
        interpreter = self.interpreter(how)
        mounts = Mounts(self.bundle(interpreter), folders_of(tree, how))
        talk = script_talk(tree, reproducer, how)
        said, left = self._in_box(
            lambda slot: fresh_run(interpreter, mounts, how, talk, parts=SCRIPT_FILES, slot=slot)
        )
        return script_run(said, left.signal)

    def draw(
        self, domain: str, scenario: str, n: int, seed: int, how: How, constants: Wire = None
    ) -> list[Wire]:
        """Draw at most ``n`` distinct parameter dicts from ``domain.py``'s strategy of that name.

        Runs in a generator box under the tool's own interpreter and Hypothesis. Raise :class:`RefusedError` where
        the domain fails.
        """
        order = {"do": "draw", "domain": domain, "scenario": scenario, "constants": constants}
        return drawn(self._generate({**order, "count": n, "seed": seed}, how, draw_talk), n)

    def mutate(
        self,
        values: Sequence[Wire],
        n: int,
        seed: int,
        how: How,
        *,
        domain: str = "",
        scenario: str = "",
        constants: Wire = None,
    ) -> list[Wire]:
        """Return at most ``n`` distinct parameter dicts that differ from ``values`` in one to three parameters each.

        Parameters are crossed between the values, taken from what the domain draws where there is one, or moved a
        little. Raise :class:`RefusedError` where the domain fails or a value exists in a box only.
        """
        order = {"do": "mutate", "domain": domain, "scenario": scenario, "constants": constants}
        given = {"values": list(values), "count": n if values else 0, "seed": seed}
        return drawn(self._generate({**order, **given}, how, draw_talk), n) if values else []

    def shrink(
        self,
        domain: str,
        scenario: str,
        is_wanted: Callable[[Wire], bool],
        tries: int,
        seed: int,
        how: How,
        constants: Wire = None,
    ) -> Wire | None:
        """Return the simplest parameters of a domain that ``is_wanted`` holds for, asked at most ``tries`` times.

        None where none was found. Whether they are wanted is answered here, outside the generator box. Raise
        :class:`RefusedError` where the domain fails.
        """
        order = {"do": "shrink", "domain": domain, "scenario": scenario, "constants": constants}
        talk = partial(shrink_talk, is_wanted=is_wanted)
        found = drawn(self._generate({**order, "count": tries, "seed": seed}, how, talk), 1)
        return found[0] if found else None

    def _generate(
        self, order: dict[str, Any], how: How, talk: Callable[[dict[str, Any], How], Talk]
    ) -> dict[str, Any] | Ended:
        """Have a child of the generator box carry out an order, under the tool's own interpreter."""
        interpreter = find_interpreter()
        mounts = generator_mounts(self.bundle(interpreter))
        how = replace(how, perturbation=Perturbation())
        return self._in_child("draw", interpreter, mounts, how, {"hypothesis"}, talk(order, how))[0]


def _whole(_number: int, outcome: Outcome) -> Outcome:
    return outcome


def _itself(outcome: Outcome) -> Outcome:
    return outcome


_EXPECTED_S = 0.5
"""How long a box sleeps before it hangs where a hang is no surprise."""
_DOUBTFUL = (Hung(), Died("import: late"), Died("the process ended"), Died("import: the process ended"))
"""Ends that a virtual machine that stood still, or one short of memory, can bring about as well as the subject."""
_CONVINCED = 5
"""After so many ends that were doubted, a subject is one that ends so, and is believed at once."""


def _believed(
    requests: Sequence[Request],
    how: How,
    run: Callable[[list[Numbered]], dict[int, Result]],
    outcome_of: Callable[[Result], Outcome],
) -> Iterator[tuple[int, Result]]:
    """Run a process after another and yield each request's result; ask once more where the end is doubtful."""
    doubted: set[int] = set()
    doubtful = tuple(
        one
        for one in (_DOUBTFUL if how.limits.call_cpu_s is not None else ())
        if not (how.believes_hangs and one == Hung())
    )
    for group in _groups(requests, how):
        left = group
        while left:
            got = run(left)
            if len(doubted) >= _CONVINCED:
                doubtful = ()
            fresh = {at for at, result in got.items() if outcome_of(result) in doubtful} - doubted
            doubted |= fresh
            believed = {at: result for at, result in got.items() if at not in fresh}
            yield from believed.items()
            left = [numbered for numbered in left if numbered[0] not in believed]


def _groups(requests: Sequence[Request], how: How) -> list[list[Numbered]]:
    """Return the requests, numbered, in the order to run them, a group for each process."""
    numbered = list(enumerate(requests))
    if how.perturbation.order:
        random.Random(how.perturbation.order).shuffle(numbered)
    return [[one] for one in numbered] if how.fork_per_request else [numbered]
