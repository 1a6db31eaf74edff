"""Proofs that the protections of a box hold here: each is attacked by a probe before anything is judged (R9)."""

import os
import secrets
import socket
import tempfile
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from authoring.execution.box import as_root
from authoring.execution.probes import PROBE_PROGRAM, PROBE_SCENARIOS
from authoring.execution.runner import BoxRunner
from authoring.model.errors import AuthoringError, CannotJudgeError
from authoring.model.execution import How, Limits, Observed, Outcome, Program, Request
from authoring.model.wire import decode, encode

__all__ = ["BOXES", "ProbeResult", "probe", "require_sound"]

_SUBJECT = Program(PROBE_PROGRAM, "probe", PROBE_SCENARIOS)
_MEMORY = 256 << 20
_FORKS = 24

BOXES = ("fresh", "forking", "warm")
"""The kinds of boxes: one for candidates that may not fork, one for those that may, and the warm server's."""


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What one attack came to."""

    name: str
    holds: bool
    detail: str
    """What was seen, in a few words."""
    mend: str = ""
    """What to do where it does not hold."""


@dataclass(frozen=True, slots=True)
class _Trap:
    """What the probes look for: a token in a file and in our environment, and sockets that must hear nothing."""

    token: str
    file: Path
    port: int
    name: str


@contextmanager
def _trap() -> Iterator[tuple[_Trap, list[socket.socket]]]:
    token = "PLANTED-" + secrets.token_hex(16)
    tcp = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    abstract = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with tempfile.TemporaryDirectory(prefix="authoring-doctor-") as folder, tcp, abstract:
        tcp.bind(("127.0.0.1", 0))
        abstract.bind("\0" + token)
        for listener in (tcp, abstract):
            listener.listen(4)
            listener.setblocking(False)
        file = Path(folder) / "planted.txt"
        file.write_text(token)
        Path(folder).chmod(0o755)
        os.environ["AUTHORING_PLANTED"] = token
        try:
            yield _Trap(token, file, tcp.getsockname()[1], token), [tcp, abstract]
        finally:
            del os.environ["AUTHORING_PLANTED"]


def _heard(listeners: list[socket.socket]) -> bool:
    for listener in listeners:
        try:
            listener.accept()[0].close()
        except BlockingIOError:
            continue
        return True
    return False


def probe(runner: BoxRunner, python: str = "", boxes: Collection[str] = BOXES) -> list[ProbeResult]:
    """Attack boxes of the given kinds, all of them by default; return what each attack came to."""
    results: list[ProbeResult] = []
    for where in boxes:
        fresh, processes = where != "warm", _FORKS if where == "forking" else 0
        limits = Limits(memory_bytes=_MEMORY, processes=processes, tmp_bytes=8 << 20, call_s=5.0, run_s=20.0)
        how = How(limits=limits, fresh=fresh, python=python)
        results += [replace(result, name=f"{where}: {result.name}") for result in _attack(runner, how)]
    return results


def _attack(runner: BoxRunner, how: How) -> list[ProbeResult]:
    with _trap() as (trap, listeners):
        facts = {
            "token": trap.token,
            "file": str(trap.file),
            "port": trap.port,
            "name": trap.name,
            "memory": 2 * how.limits.memory_bytes,
            "tmp": 2 * how.limits.tmp_bytes,
        }
        try:
            outcomes = dict(zip(_ATTACKS, _run(runner, facts, how), strict=True))
        except AuthoringError as error:
            return [ProbeResult("box", False, error.message, error.hint or _mend_start())]
        heard = _heard(listeners)
        survivors = _processes_named(trap.token[:15])
    return _judged(outcomes, heard, survivors, how)


_ATTACKS = ("identity", "write", "connect", "read", "powers", "fork", "memory", "disk")


def _run(runner: BoxRunner, facts: dict[str, object], how: How) -> list[Outcome]:
    return runner.observe(_SUBJECT, [Request(name, encode(facts)) for name in _ATTACKS], how)


def _seen(outcome: Outcome) -> object:
    """Return what a probe's scenario observed, or the outcome where there is no such thing."""
    if (
        isinstance(outcome, Observed)
        and len(outcome.observations) == 1
        and "value" in outcome.observations[0]
    ):
        return decode(outcome.observations[0]["value"])
    return outcome


def _judged(outcomes: dict[str, Outcome], heard: bool, survivors: list[int], how: How) -> list[ProbeResult]:
    seen = {name: _seen(outcome) for name, outcome in outcomes.items()}
    identity, forks = seen["identity"], seen["fork"]
    most = how.limits.processes + 1
    may_fork = how.limits.processes > 0
    return [
        _result("process namespace", type(identity) is tuple and identity[1] < 100, identity, _mend_start()),
        _result(
            "ordinary uid",
            not as_root() or (type(identity) is tuple and identity[0] != 0),
            identity,
            _MEND_UID,
        ),
        _result("nothing outside can be written", seen["write"] == [], seen["write"], _mend_start()),
        _result("no network", seen["connect"] == [] and not heard, seen["connect"], _mend_start()),
        _result("nothing outside can be read", seen["read"] == [], seen["read"], _mend_start()),
        _result("no powers", seen["powers"] == [], seen["powers"], _MEND_FILTER),
        _result(
            "processes are bounded" if may_fork else "no processes",
            type(forks) is int and (0 < forks <= most if may_fork else forks == 0),
            forks,
            _MEND_FILTER,
        ),
        _result("nothing outlives the end", not survivors, survivors, _mend_start()),
        _result("memory is bounded", seen["memory"] == "MemoryError", seen["memory"], _mend_start()),
        _result("disk is bounded", seen["disk"] == "OSError", seen["disk"], _mend_start()),
    ]


def _result(name: str, holds: bool, seen: object, mend: str) -> ProbeResult:
    return ProbeResult(name, holds, "holds" if holds else f"seen: {str(seen)[:200]}", "" if holds else mend)


_MEND_UID = "Give the container a user namespace with more than one uid, or run as an ordinary user."
_MEND_FILTER = "Run on a kernel with seccomp filters (CONFIG_SECCOMP_FILTER), on x86-64 or aarch64."


def _mend_start() -> str:
    """Say what is most likely missing where a box does not start or does not close."""
    if not as_root():
        for path in ("/proc/sys/kernel/unprivileged_userns_clone", "/proc/sys/user/max_user_namespaces"):
            file = Path(path)
            if file.exists() and file.read_text().strip() == "0":
                return f"User namespaces are off: set {path} to a value above 0, or run as root."
        restricted = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
        if restricted.exists() and restricted.read_text().strip() == "1":
            return "AppArmor restricts user namespaces: add a profile for bwrap, or set that sysctl to 0."
    return "Allow namespaces and mounts: in a container, give it SYS_ADMIN and an unconfined seccomp profile."


def _processes_named(name: str) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if (entry / "comm").read_text().strip() == name:
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


_lock = threading.Lock()
_sound: set[str] = set()


def require_sound(runner: BoxRunner, python: str = "") -> None:
    """Probe once a process and interpreter; raise :class:`CannotJudgeError` where a protection does not hold."""
    with _lock:
        if python in _sound:
            return
        failing = [result for result in probe(runner, python) if not result.holds]
        if failing:
            first = failing[0]
            raise CannotJudgeError(
                "EXE006", f"A protection does not hold ({first.name}): {first.detail}.", first.mend
            )
        _sound.add(python)
