"""A small app in the project's frame whose commands end in every way that a command can end."""

import errno
import os
import sys
import time
from typing import Annotated

import typer

from authoring.cli.answer import Answer, Trouble
from authoring.cli.frame import add_command, add_root, make_app
from authoring.cli.runner import run
from authoring.cli.session import Session
from authoring.model.errors import CannotJudgeError, ExitCode, NothingJudgedError, RefusedError, UsageError

app = make_app("Commands that end in every way.")
group = make_app("A group.")
app.add_typer(group, name="group")

ENDINGS = {
    "usage": UsageError("INC001", "The file is malformed.", "Mend line 3."),
    "refused": RefusedError("INC002", "The reproducer passes on broken.", proof="check_1"),
    "cannot": CannotJudgeError("EXE001", "There is no sandbox."),
    "nothing": NothingJudgedError("GTE001", "Nothing was judged."),
    "disk": OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "some/file"),
    "memory": MemoryError(),
    "rights": PermissionError(errno.EACCES, os.strerror(errno.EACCES), "some/file"),
    "bug": ZeroDivisionError("a secret in the text"),
    "exit": SystemExit(0),
    "pipe": BrokenPipeError(errno.EPIPE, "Broken pipe"),
    "ctrl-c": KeyboardInterrupt(),
}


@add_root(app)
def root(session: Session) -> None:
    """Do nothing before the command."""


@add_command(app, "flags", writes=True)
def flags(session: Session, number: Annotated[int, typer.Option("--number")] = 1) -> Answer:
    """Show the flags as they arrived."""
    sys.stdout.write("stray text of a library\n")
    given = session.flags
    seen = {
        "quiet": given.quiet,
        "verbose": given.verbose,
        "debug": given.debug,
        "dry_run": given.dry_run,
        "workspace": str(given.workspace),
        "number": number,
    }
    return Answer(
        data=seen, human=lambda screen: screen.line("seen"), warnings=("mind this",), next=("do that",)
    )


@add_command(app, "fail")
def fail(session: Session, ending: str) -> Answer:
    """Fail in the named way."""
    raise ENDINGS[ending]


@add_command(group, "closed")
def closed(session: Session) -> Answer:
    """Answer that a gate is closed."""
    return Answer(
        data={"judged": 3},
        human=lambda screen: screen.line("closed"),
        status="closed",
        exit_code=ExitCode.WANTING,
        troubles=(Trouble("GTE002", "Two of three checks failed."),),
    )


@add_command(app, "unplain")
def unplain(session: Session) -> Answer:
    """Answer with data that JSON cannot hold."""
    return Answer(data={"value": float("nan")})


@add_command(app, "escapes")
def escapes(session: Session) -> Answer:
    """Answer with text that would steer a terminal and text outside ASCII."""
    return Answer(data={"text": "\x1b[31m ⟦\udcff"}, human=lambda screen: screen.line("\x1b[31mred\r ⟦"))


@add_command(app, "long")
def long(session: Session) -> Answer:
    """Answer with more than a pipe holds."""
    return Answer(data={"text": "x" * 200_000}, human=lambda screen: screen.line("x" * 200_000))


@add_command(app, "wait")
def wait(session: Session) -> Answer:
    """Say so on standard error and wait to be stopped; tidy up on the way out."""
    try:
        sys.stderr.write("waiting\n")
        sys.stderr.flush()
        time.sleep(30)
    finally:
        sys.stderr.write("tidied\n")
    return Answer()


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], app))
