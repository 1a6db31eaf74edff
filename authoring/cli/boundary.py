"""The edge of the tool: whatever leaves a command becomes one outcome with an exit code.

It is a context manager because it is the only place that may look at every exception: a person's mistake
becomes a sentence and a hint, a limit of the machine says so, and a bug keeps its traceback.
"""

import errno
import traceback
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import TracebackType

import typer

from authoring.cli.answer import Answer, Trouble
from authoring.cli.session import Session
from authoring.model.errors import AuthoringError, ExitCode, Status

__all__ = ["Boundary", "Failure", "Terminated"]

_DISK_FULL = {errno.ENOSPC, errno.EDQUOT}
_MACHINE = {
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOMEM,
    errno.EIO,
    errno.EAGAIN,
}


class Terminated(KeyboardInterrupt):
    """The process was asked to end; it unwinds as on Ctrl-C, so that state is saved alike."""


@dataclass(frozen=True, slots=True)
class Failure:
    """How a command failed: the answer to give, the traceback, and the command's words, where known."""

    answer: Answer
    traceback: str = ""
    command: str = ""
    is_bug: bool = False


class Boundary(AbstractContextManager["Boundary"]):
    """Hold what left the block: nothing, the parser's own exit status, or a failure."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.failure: Failure | None = None
        self.exit_status: int | None = None
        """Set when the parser ended the run itself: help, version, completion."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """Take the exception in; nothing is raised again."""
        if error is None:
            return False
        match error:
            case typer.Exit() if not self._session.started:
                self.exit_status = error.exit_code
            case BrokenPipeError() if not self._session.started:
                self.exit_status = ExitCode.DONE
            case SystemExit(__context__=BrokenPipeError()) if not self._session.started:
                self.exit_status = ExitCode.DONE
            case SystemExit() if not self._session.started:
                self.exit_status = error.code if isinstance(error.code, int) else int(error.code is not None)
            case _:
                self.failure = _failure(error)
        return True


def _failure(error: BaseException) -> Failure:
    match error:
        case AuthoringError():
            trouble = Trouble(error.code, _sentence(error.message), error.hint, error.stage, error.proof)
            return _known(error, error.status, error.exit_code, trouble)
        case typer.TyperException():
            return _usage(error)
        case Terminated():
            return _stopped(error, ExitCode.TERMINATED, "USE143", "terminated")
        case KeyboardInterrupt() | typer.Abort():
            return _stopped(error, ExitCode.INTERRUPTED, "USE130", "interrupted")
        case MemoryError() | OSError() if _is_the_machines(error):
            return _machine(error)
        case _:
            return _bug(error)


def _stopped(error: BaseException, exit_code: ExitCode, code: str, how: str) -> Failure:
    trouble = Trouble(code, f"The run was {how}.", "Run the same command again: it goes on where it stopped.")
    return _known(error, "error", exit_code, trouble)


def _is_the_machines(error: MemoryError | OSError) -> bool:
    return isinstance(error, MemoryError) or error.errno in _DISK_FULL | _MACHINE


def _machine(error: MemoryError | OSError) -> Failure:
    number, words, place = (
        (errno.ENOMEM, "no memory is left", "")
        if isinstance(error, MemoryError)
        else (error.errno, error.strerror, error.filename)
    )
    where = f" ({place})" if place else ""
    if number in _DISK_FULL:
        trouble = Trouble("USE003", f"The disk is full{where}.", "Free some space and run the command again.")
    else:
        trouble = Trouble("USE004", f"The machine refused: {words}{where}.", "Run `authoring doctor`.")
    return _known(error, "cannot-judge", ExitCode.CANNOT_JUDGE, trouble)


def _known(error: BaseException, status: Status, exit_code: ExitCode, trouble: Trouble) -> Failure:
    data = {"proof": trouble.proof} if trouble.proof else {}
    answer = Answer(data=data, status=status, exit_code=exit_code, troubles=(trouble,))
    return Failure(answer, _traceback(error))


def _bug(error: BaseException) -> Failure:
    message = f"The tool failed with {type(error).__name__}; this is a bug of the tool."
    trouble = Trouble("USE070", message, "Report it with the traceback above.")
    answer = Answer(status="error", exit_code=ExitCode.BUG, troubles=(trouble,))
    return Failure(answer, _traceback(error), is_bug=True)


def _usage(error: typer.TyperException) -> Failure:
    message = _sentence(" ".join(error.format_message().split()))
    path = getattr(getattr(error, "ctx", None), "command_path", "authoring")
    trouble = Trouble("USE001", message, f"See `{path} --help`.")
    answer = Answer(status="error", exit_code=ExitCode.USAGE, troubles=(trouble,))
    return Failure(answer, _traceback(error), command=" ".join(path.split()[1:]))


def _sentence(message: str) -> str:
    return message if message.endswith((".", "?")) else f"{message}."


def _traceback(error: BaseException) -> str:
    """Return the traceback as text, never with the values of locals: they may be hidden."""
    return "".join(traceback.format_exception(error))
