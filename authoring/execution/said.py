"""What was said in one run: an answer for each request that was reached, and why it ended."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from signal import SIGPROF, SIGXCPU
from typing import Any, Generic, TypeVar

from authoring.execution.conversation import Conversation, Failure
from authoring.model.execution import Died, How, Hung, Outcome, Request

__all__ = ["Answer", "Run", "Said", "converse"]

Answer = TypeVar("Answer")
Numbered = tuple[int, Request]
_OUT_OF_TIME = (SIGPROF, SIGXCPU)


@dataclass(frozen=True, slots=True)
class Run(Generic[Answer]):
    """What came of one process: answers as far as it went, why it ended early, and what it left."""

    outcomes: dict[int, Answer]
    failure: Failure | None
    stdout: bytes
    stderr: bytes
    exit: int
    longest_s: float
    """Wall time of the longest call, as the parent saw it."""
    total_s: float
    """Wall time of all calls."""
    touched: bool = False
    """Whether a planted file was opened."""


@dataclass(slots=True)
class Said(Generic[Answer]):
    """A conversation that is over; the requests that its end concerns have no answer until it is explained."""

    conversation: Conversation
    answers: dict[int, Answer] = field(default_factory=dict)
    open: list[int] = field(default_factory=list)

    def finish(self, by_signal: int, reduce: Callable[[int, Outcome], Answer]) -> None:
        """Answer the open requests; a process that the kernel ended for its CPU budget hung."""
        failure = self.conversation.failure
        if failure is None:
            return
        outcome = failure.outcome
        if failure.reason == "closed" and by_signal in _OUT_OF_TIME:
            late = outcome == Died("import: the process ended")
            outcome = Died("import: late") if late else Hung()
        for number in self.open:
            self.answers[number] = reduce(number, outcome)

    def run(self, outputs: tuple[bytes, bytes], status: int, touched: bool = False) -> Run[Answer]:
        """Return the run, with what the process wrote and its exit status."""
        said = self.conversation
        return Run(self.answers, said.failure, *outputs, status, said.longest_s, said.total_s, touched)


def converse(
    conversation: Conversation,
    setup: dict[str, Any],
    requests: list[Numbered],
    how: How,
    ask: Callable[[list[Numbered], float | None], Iterator[tuple[int, Outcome]]],
    reduce: Callable[[int, Outcome], Answer],
    is_enough: Callable[[int, Outcome], bool] | None = None,
) -> Said[Answer]:
    """Bring the subject up and ask, until ``is_enough`` says of an outcome that no more are wanted.

    A subject that does not come up leaves every request open.
    """
    said = Said[Answer](conversation)
    if not conversation.bring_up(setup):
        said.open = [number for number, _ in requests]
        return said
    for number, outcome in ask(requests, how.limits.call_cpu_s):
        if conversation.failure is None:
            said.answers[number] = reduce(number, outcome)
        else:
            said.open.append(number)
        if is_enough is not None and is_enough(number, outcome):
            break
    return said
