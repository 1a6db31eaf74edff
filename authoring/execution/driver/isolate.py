"""What the warm server and its children ask of the kernel: namespaces, mounts, limits, powers, the call filter."""

import resource
from ctypes import (
    CDLL,
    POINTER,
    Structure,
    byref,
    c_ubyte,
    c_ulong,
    c_ushort,
    cast,
    create_string_buffer,
    get_errno,
)
from posix import setgroups, setresgid, setresuid

NEWNS, NEWUTS, NEWIPC, NEWPID = 0x20000, 0x4000000, 0x8000000, 0x20000000
_REC_PRIVATE = 16384 | 1 << 18
_NOSUID_NODEV = 2 | 4
_PDEATHSIG, _SECCOMP, _DUMPABLE, _NO_NEW_PRIVS = 1, 22, 4, 38
_libc = CDLL(None, use_errno=True)


class _Program(Structure):
    _fields_ = [("length", c_ushort), ("instructions", POINTER(c_ubyte))]


def _must(result: int, what: str) -> None:
    if result != 0:
        raise OSError(get_errno(), what)


def new_pid_namespace(own: int) -> None:
    """Have the next fork begin a process namespace; ``own`` is a descriptor of this process."""
    _must(_libc.setns(own, NEWPID), "setns")
    _must(_libc.unshare(NEWPID), "unshare pid")


def leave_shared(tmp_bytes: int) -> None:
    """Take mounts, System V objects and the host's name for oneself, with a new and empty /tmp."""
    _must(_libc.unshare(NEWNS | NEWIPC | NEWUTS), "unshare")
    _must(_libc.mount(None, b"/", None, _REC_PRIVATE, None), "private mounts")
    options = b"mode=1777,nr_inodes=16384,size=%d" % tmp_bytes
    _must(_libc.mount(b"tmpfs", b"/tmp", b"tmpfs", _NOSUID_NODEV, options), "tmpfs")


def limit(limits: dict[str, int]) -> None:
    """Set hard limits by name."""
    for name, value in limits.items():
        resource.setrlimit(getattr(resource, "RLIMIT_" + name), (value, value))


def become(uid: int) -> None:
    """Drop to an ordinary uid, for good."""
    if uid:
        setgroups([])
        setresgid(uid, uid, uid)
        setresuid(uid, uid, uid)


def give_up_powers(instructions: bytes) -> None:
    """Drop every capability, gain none again, and install the filter of system calls."""
    header = create_string_buffer((0x20080522).to_bytes(4, "little") + bytes(4), 8)
    _must(_libc.capset(header, create_string_buffer(24)), "capset")
    _must(_libc.prctl(_NO_NEW_PRIVS, c_ulong(1), c_ulong(0), c_ulong(0), c_ulong(0)), "no new privileges")
    _must(_libc.prctl(_PDEATHSIG, c_ulong(9), c_ulong(0), c_ulong(0), c_ulong(0)), "death signal")
    buffer = create_string_buffer(instructions, len(instructions))
    program = _Program(len(instructions) // 8, cast(buffer, POINTER(c_ubyte)))
    _must(_libc.prctl(_SECCOMP, c_ulong(2), byref(program), c_ulong(0), c_ulong(0)), "seccomp")
