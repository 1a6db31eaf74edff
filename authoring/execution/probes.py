"""The program that attacks its box, and the scenarios that report what it could do."""

__all__ = ["PROBE_PROGRAM", "PROBE_SCENARIOS"]

PROBE_PROGRAM = """\
import ctypes
import errno
import os
import time

_libc = ctypes.CDLL(None, use_errno=True)


def identity(facts):
    return os.getuid(), os.getpid()


def write(facts):
    wrote = []
    folder = os.path.dirname(facts["file"])
    for place in ("/", "/usr", "/usr/lib", "/py", "/py/lib", "/dev", "/dev/shm", "/etc", "/root", "/home", folder):
        path = os.path.join(place, "probe-" + facts["token"])
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
            wrote.append(place)
            os.unlink(path)
        except OSError:
            pass
    return wrote


def connect(facts):
    import socket

    reached = []
    for family, address in ((socket.AF_INET, ("127.0.0.1", facts["port"])), (socket.AF_UNIX, "\\0" + facts["name"])):
        try:
            with socket.socket(family, socket.SOCK_STREAM) as one:
                one.settimeout(0.5)
                one.connect(address)
                reached.append(str(address))
        except OSError:
            pass
    return reached


def read(facts):
    found = []
    places = [facts["file"], "/proc/self/environ", "/proc/1/environ", "/proc/%d/environ" % os.getppid()]
    places += ["/proc/1/root" + facts["file"], "/proc/self/cwd/../" + facts["file"]]
    for place in places:
        try:
            with open(place, "rb") as file:
                if facts["token"].encode() in file.read(1 << 20):
                    found.append(place)
        except OSError:
            pass
    if facts["token"] in os.environ.values():
        found.append("environ")
    for descriptor in range(3, 64):
        try:
            if facts["token"].encode() in os.pread(descriptor, 1 << 20, 0):
                found.append("descriptor")
        except OSError:
            pass
    return found


def powers(facts):
    gained = []
    if _libc.unshare(0x10000000) == 0:
        gained.append("user namespace")
    if _libc.unshare(0x20000) == 0:
        gained.append("mount namespace")
    if _libc.mount(None, b"/", None, 32 | 4096, None) == 0:
        gained.append("remount")
    if _libc.ptrace(0x4206, os.getppid(), None, None) == 0:
        gained.append("trace")
    for name, call in (("chroot", lambda: os.chroot("/tmp")), ("root", lambda: os.setuid(0))):
        try:
            call()
            gained.append(name)
        except OSError:
            pass
    return [] if gained == ["root"] and os.getuid() == 0 else gained


def fork(facts):
    started = 0
    while started < 60:
        try:
            child = os.fork()
        except OSError:
            break
        if child == 0:
            os.setsid()
            _libc.prctl(15, facts["token"][:15].encode(), 0, 0, 0)
            time.sleep(30)
            os._exit(0)
        started += 1
    return started


def memory(facts):
    try:
        held = bytearray(facts["memory"])
        return "allocated %d" % len(held)
    except MemoryError:
        return "MemoryError"


def disk(facts):
    block = b"x" * (1 << 20)
    try:
        for at in range(facts["tmp"] >> 20):
            with open("/tmp/block-%d" % at, "wb") as file:
                file.write(block)
    except OSError:
        return "OSError"
    return "written"
"""

_NAMES = ("identity", "write", "connect", "read", "powers", "fork", "memory", "disk")

PROBE_SCENARIOS = "\n\n".join(
    f"def {name}(program, p, seen):\n    seen(program.{name}(p))" for name in _NAMES
)
