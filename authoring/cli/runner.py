"""Run one command line: parse, call the command, write its answer, and return the exit status."""

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from types import FrameType

import typer
from typer.main import get_command

from authoring.cli.answer import Answer
from authoring.cli.boundary import Boundary, Terminated
from authoring.cli.output import as_json, as_text, remarks, write_error, write_result
from authoring.cli.progress import close
from authoring.cli.session import Flags, Session

__all__ = ["run"]

_PROGRAM = "authoring"
_ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


def run(arguments: Sequence[str], app: typer.Typer | None = None) -> int:
    """Run the command line and return its exit status; with ``--json`` standard output gets one document."""
    wants_json = "--json" in _before_separator(arguments)
    session = Session(
        flags=Flags(json=wants_json, debug=os.environ.get("AUTHORING_DEBUG", "") not in ("", "0"))
    )
    stray = StringIO()
    boundary = Boundary(session)
    answer, text = Answer(), ""
    with boundary, _ending_signals():
        with redirect_stdout(stray if wants_json else sys.stdout):
            answer = _invoke(app or _whole_app(), list(arguments), session)
        text = as_json(session.command, answer) if wants_json else as_text(answer)
    close(session.progress)
    if boundary.exit_status is not None:
        ended = Answer(data={"text": stray.getvalue()})
        return write_result(as_json("", ended) if wants_json else "") or boundary.exit_status
    write_error(stray.getvalue())
    if boundary.failure is not None:
        answer = boundary.failure.answer
        command = session.command or boundary.failure.command
        text = as_json(command, answer) if wants_json else ""
        if boundary.failure.is_bug or session.flags.debug:
            write_error(boundary.failure.traceback)
    lost = write_result(text)
    write_error(remarks(answer, session.flags))
    return lost or answer.exit_code


def _before_separator(arguments: Sequence[str]) -> Sequence[str]:
    return arguments[: arguments.index("--")] if "--" in arguments else arguments


def _whole_app() -> typer.Typer:
    from authoring.cli.app import app

    return app


def _invoke(app: typer.Typer, arguments: list[str], session: Session) -> Answer:
    """Parse the line and call the command; completion requests of a shell are answered by Typer itself."""
    command = get_command(app)
    if f"_{_PROGRAM.upper()}_COMPLETE" in os.environ:
        command.main(arguments, prog_name=_PROGRAM)
    with command.make_context(_PROGRAM, arguments, obj=session) as context:
        answer = command.invoke(context)
    if not isinstance(answer, Answer):
        raise TypeError(f"the command {session.command!r} gave {type(answer).__name__} instead of an answer")
    return answer


@contextmanager
def _ending_signals() -> Iterator[None]:
    """While the block runs, a request to terminate unwinds it as Ctrl-C does, once."""

    def terminate(number: int, frame: FrameType | None) -> None:
        for each in _ENDING_SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        raise Terminated

    before = {number: signal.getsignal(number) for number in _ENDING_SIGNALS}
    wanted = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    for number in wanted:
        signal.signal(number, terminate)
    try:
        yield
    finally:
        for number in wanted:
            signal.signal(number, before[number])
