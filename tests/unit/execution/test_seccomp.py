"""The call filter, run by an interpreter of its instructions: what is refused, and how."""

import struct

import pytest

from authoring.execution.seccomp import filter_program
from authoring.model.errors import CannotJudgeError

ALLOW, KILL = 0x7FFF0000, 0x80000000
EPERM, EAGAIN, ENOSYS = 0x50001, 0x5000B, 0x50026
ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def run(machine: str, allow_fork: bool, number: int, args: tuple[int, int] = (0, 0), arch: int = 0) -> int:
    """Return what the filter answers to a call."""
    data = struct.pack("<iIQQQ", number, arch or ARCH[machine], 0, *args)
    code = list(struct.iter_unpack("<HBBI", filter_program(allow_fork, machine)))
    value, at = 0, 0
    while True:
        kind, yes, no, operand = code[at]
        at += 1
        if kind == 0x06:
            return int(operand)
        if kind == 0x20:
            (value,) = struct.unpack_from("<I", data, operand)
        elif kind == 0x15:
            at += yes if value == operand else no
        elif kind == 0x35:
            at += yes if value >= operand else no
        elif kind == 0x45:
            at += yes if value & operand else no
        else:
            raise AssertionError(kind)


CALLS = {
    "x86_64": {
        "read": 0,
        "mmap": 9,
        "socketpair": 53,
        "execve": 59,
        "futex": 202,
        "openat": 257,
        "prlimit": 302,
    },
    "aarch64": {
        "read": 63,
        "mmap": 222,
        "socketpair": 199,
        "execve": 221,
        "futex": 98,
        "openat": 56,
        "prlimit": 261,
    },
}
REFUSED = {
    "x86_64": {
        "socket": 41,
        "ptrace": 101,
        "mount": 165,
        "unshare": 272,
        "bpf": 321,
        "keyctl": 250,
        "shmget": 29,
    },
    "aarch64": {
        "socket": 198,
        "ptrace": 117,
        "mount": 40,
        "unshare": 97,
        "bpf": 280,
        "keyctl": 219,
        "shmget": 194,
    },
}
CLONE = {"x86_64": 56, "aarch64": 220}
IOCTL = {"x86_64": 16, "aarch64": 29}
MACHINES = pytest.mark.parametrize("machine", sorted(ARCH))


@MACHINES
@pytest.mark.parametrize("allow_fork", [True, False])
def test_ordinary_calls_pass_and_powers_are_refused(machine: str, allow_fork: bool) -> None:
    assert {run(machine, allow_fork, number) for number in CALLS[machine].values()} == {ALLOW}
    assert {run(machine, allow_fork, number) for number in REFUSED[machine].values()} == {EPERM}
    assert run(machine, allow_fork, 435) == ENOSYS


@MACHINES
def test_threads_may_start_and_processes_only_where_forks_are_allowed(machine: str) -> None:
    thread, child = (0x3D0F00, 0), (0x1200011, 0)
    assert run(machine, False, CLONE[machine], thread) == ALLOW
    assert run(machine, False, CLONE[machine], child) == EAGAIN
    assert run(machine, True, CLONE[machine], child) == ALLOW
    if machine == "x86_64":
        assert run(machine, False, 57) == run(machine, False, 58) == EAGAIN
        assert run(machine, True, 57) == ALLOW


@MACHINES
def test_input_cannot_be_pushed_into_a_terminal(machine: str) -> None:
    assert run(machine, True, IOCTL[machine], (0, 0x5412)) == EPERM
    assert run(machine, True, IOCTL[machine], (0, 0x541C)) == EPERM
    assert run(machine, True, IOCTL[machine], (0, 0x5401)) == ALLOW


@MACHINES
def test_calls_of_another_machine_end_the_process(machine: str) -> None:
    assert run(machine, True, 0, arch=0x40000003) == KILL
    if machine == "x86_64":
        assert run(machine, True, 0x40000000 + 41) == KILL


def test_an_unknown_machine_is_refused() -> None:
    with pytest.raises(CannotJudgeError):
        filter_program(True, "vax")
