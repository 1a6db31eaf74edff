"""Writing an answer: the result to standard output, all else to standard error, read by somebody or not."""

import os
import sys
from typing import TextIO

from authoring.cli.answer import Answer, Trouble
from authoring.cli.screen import Screen, clean
from authoring.cli.session import Flags
from authoring.model.errors import ExitCode

__all__ = ["as_json", "remarks", "write_error", "write_result"]


def as_json(command: str, answer: Answer) -> str:
    """Return the envelope of an answer as one line with its newline."""
    from authoring.model.envelope import Envelope, Problem

    envelope = Envelope(
        command=command,
        status=answer.status,
        data=dict(answer.data),
        errors=tuple(
            Problem(code=item.code, stage=item.stage, message=item.message, hint=item.hint)
            for item in answer.troubles
        ),
        warnings=answer.warnings,
        next=answer.next,
    )
    return envelope.text() + "\n"


def as_text(answer: Answer) -> str:
    """Return what a person reads on standard output."""
    if answer.human is None:
        return ""
    screen = Screen(sys.stdout)
    answer.human(screen)
    return screen.text()


def remarks(answer: Answer, flags: Flags) -> str:
    """Return what goes to standard error: troubles always, warnings and next steps unless quiet."""
    lines = [line for trouble in answer.troubles for line in _trouble_lines(answer, trouble)]
    if not flags.quiet:
        lines += [f"warning: {text}" for text in answer.warnings]
        if not flags.json:
            lines += [f"next: {text}" for text in answer.next]
    return "".join(f"{clean(line)}\n" for line in lines)


def _trouble_lines(answer: Answer, trouble: Trouble) -> list[str]:
    word = "error" if answer.status in ("error", "done", "committed") else answer.status
    lines = [f"{word}[{trouble.code}]: {trouble.message}"]
    if trouble.proof:
        lines.append(f"  proof: {trouble.proof}")
    if trouble.hint:
        lines.append(f"  hint: {trouble.hint}")
    return lines


def write_result(text: str) -> ExitCode | None:
    """Write the result; return None when it was taken or its reader has gone, else the failure's exit code.

    A closed pipe is no failure: the work was done. A full disk is one: the result is lost.
    """
    if sys.stdout is None:
        return None
    try:
        _tolerant(sys.stdout)
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon(sys.stdout)
    except OSError as error:
        _abandon(sys.stdout)
        lost = Trouble(
            "USE005",
            f"The result could not be written to standard output: {error.strerror}.",
            "Free some space, or send the output elsewhere, and run the command again.",
        )
        write_error(remarks(Answer(status="error", troubles=(lost,)), Flags()))
        return ExitCode.CANNOT_JUDGE
    return None


def write_error(text: str) -> None:
    """Write to standard error, if anyone can read it."""
    if sys.stderr is None or not text:
        return
    try:
        _tolerant(sys.stderr)
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        _abandon(sys.stderr)


def _tolerant(stream: TextIO) -> None:
    """Spell out characters that the stream's encoding lacks instead of failing on them."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def _abandon(stream: TextIO) -> None:
    """Point the stream's descriptor at nothing, so that the interpreter's last flush cannot fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
