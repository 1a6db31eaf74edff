"""Main of a fresh box: take the limits, drop the uid where we are root, and serve one run."""

import resource
import sys
from posix import close, dup, dup2, setgroups, setresgid, setresuid
from posix import open as open_file

from authoring.execution.driver import observe
from authoring.execution.driver.frames import Pipes


def settle() -> Pipes:
    """Apply the command line's ``REPLIES UID NAME=LIMIT…``, forget it, and return the pipes."""
    words = sys.argv[1:]
    observe.forget_origins()
    replies, uid = int(words[0]), int(words[1])
    pipes = Pipes(dup(0), dup(replies))
    close(replies)
    null = open_file("/dev/null", 0)
    dup2(null, 0)
    close(null)
    for word in words[2:]:
        name, _, limit = word.partition("=")
        resource.setrlimit(getattr(resource, "RLIMIT_" + name), (int(limit), int(limit)))
    if uid:
        setgroups([])
        setresgid(uid, uid, uid)
        setresuid(uid, uid, uid)
    return pipes


def main() -> None:
    """Serve the run of a program or package."""
    observe.serve(settle())
