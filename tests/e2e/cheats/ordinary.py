"""Run a command as an ordinary user, for tests that themselves run as root.

An interpreter that lies below a folder that only root may enter is shown to the command at its own path, in
mounts that nobody else sees.
"""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

__all__ = ["UID", "as_ordinary_user", "can_be_ordinary"]

UID = 43210

_SCRIPT = """\
set -e
aside=$(mktemp -d)
chmod 755 "$aside"
count=0
for shown in $SHOWN; do
    mkdir "$aside/$count"
    mount --bind "$shown" "$aside/$count"
    count=$((count + 1))
done
for closed in $CLOSED; do mount -t tmpfs -o mode=755 none "$closed"; done
count=0
for shown in $SHOWN; do
    mkdir -p "$shown"
    mount --bind "$aside/$count" "$shown"
    count=$((count + 1))
done
exec setpriv --reuid "$RUN_UID" --regid "$RUN_UID" --clear-groups "$@"
"""


def can_be_ordinary() -> bool:
    """Return whether a command can be run as an ordinary user here."""
    return os.geteuid() != 0 or all(shutil.which(tool) for tool in ("unshare", "setpriv", "mount"))


def as_ordinary_user(command: Sequence[str]) -> list[str]:
    """Return the command line that runs a command as an ordinary user, with interpreter and packages in reach."""
    if os.geteuid() != 0:
        return list(command)
    needed = [Path(sys.base_prefix), Path(sys.prefix), Path(__file__).parents[3]]
    closed = {blocked for path in needed if (blocked := _closed_ancestor(path)) is not None}
    shown = [path for path in needed if any(path.is_relative_to(blocked) for blocked in closed)]
    settings = [
        f"SHOWN={' '.join(map(str, shown))}",
        f"CLOSED={' '.join(sorted(map(str, closed)))}",
        f"RUN_UID={UID}",
    ]
    return ["unshare", "--mount", "env", *settings, "sh", "-c", _SCRIPT, "sh", *command]


def _closed_ancestor(path: Path) -> Path | None:
    """Return the outermost ancestor of a path that others may not enter."""
    for ancestor in reversed(path.parents):
        if not ancestor.stat().st_mode & 0o001:
            return ancestor
    return None
