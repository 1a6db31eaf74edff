"""Main of a fresh box: take the limits, drop the uid where we are root, and serve one run."""

import sys
from posix import close, dup, dup2, open as open_file, setgroups, setresgid, setresuid
from resource import setrlimit

from authoring.execution.driver import observe
from authoring.execution.driver.frames import Pipes

RLIMITS = {"CPU": 0, "FSIZE": 1, "DATA": 2, "STACK": 3, "CORE": 4, "NPROC": 6, "NOFILE": 7, "MEMLOCK": 8, "AS": 9, "MSGQUEUE": 12}


def settle(words: "list[str]") -> "tuple[Pipes, str]":
    """Apply ``REPLIES UID KIND NAME=LIMIT…`` and return the pipes and the kind of run."""
    replies, uid, kind = int(words[0]), int(words[1]), words[2]
    pipes = Pipes(dup(0), dup(replies))
    close(replies)
    null = open_file("/dev/null", 0)
    dup2(null, 0)
    close(null)
    for word in words[3:]:
        name, _, limit = word.partition("=")
        setrlimit(RLIMITS[name], (int(limit), int(limit)))
    if uid:
        setgroups([])
        setresgid(uid, uid, uid)
        setresuid(uid, uid, uid)
    return pipes, kind


def main() -> None:
    """Serve the run that the command line describes."""
    pipes, kind = settle(sys.argv[1:])
    observe.forget_origins()
    observe.serve(pipes)
