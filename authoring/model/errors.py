"""The one base error that the command layer turns into a sentence, a hint and an exit code."""

from enum import IntEnum
from typing import ClassVar, Literal

__all__ = [
    "AuthoringError",
    "CannotJudgeError",
    "ExitCode",
    "NothingJudgedError",
    "RefusedError",
    "Status",
    "UsageError",
]

Status = Literal["done", "committed", "refused", "closed", "cannot-judge", "error"]
"""How a command ended; the exit code says the same with less detail."""


class ExitCode(IntEnum):
    """The exit statuses of the command line (DESIGN.md section 6)."""

    DONE = 0
    WANTING = 1
    USAGE = 2
    CANNOT_JUDGE = 3
    NOTHING_JUDGED = 4
    BUG = 70
    INTERRUPTED = 130
    TERMINATED = 143


class AuthoringError(Exception):
    """Something that a person can mend: one sentence that says what is wrong with which thing, and a hint.

    ``code`` is an entry of :data:`authoring.model.codes.CODES`; ``proof`` is the smallest input that shows a
    refusal, as text that is safe to print (never anything hidden).
    """

    exit_code: ClassVar[ExitCode] = ExitCode.USAGE
    status: ClassVar[Status] = "error"

    def __init__(self, code: str, message: str, hint: str = "", *, stage: str = "", proof: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.stage = stage
        self.proof = proof


class UsageError(AuthoringError):
    """Bad usage, or input that cannot be started on."""


class RefusedError(AuthoringError):
    """Judged and found wanting: not an incident, no entry, gate closed."""

    exit_code = ExitCode.WANTING
    status = "refused"


class CannotJudgeError(AuthoringError):
    """The machine or the infrastructure does not allow a judgement."""

    exit_code = ExitCode.CANNOT_JUDGE
    status = "cannot-judge"


class NothingJudgedError(AuthoringError):
    """Nothing was judged where something was required."""

    exit_code = ExitCode.NOTHING_JUDGED
    status = "cannot-judge"
