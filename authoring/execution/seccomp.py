"""The filter of system calls, written as a BPF program: no library for it is needed in the box or outside.

Refused are other namespaces, mounts, tracing of processes, kernel keys, sockets and whatever outlives a process;
threads are allowed. Where the task declares no processes, fork, vfork and clone without ``CLONE_THREAD`` fail with
EAGAIN and clone3 is absent, so that the C library falls back to clone, whose flags a filter can read.
"""

import platform
import struct
from functools import lru_cache

from authoring.model.errors import CannotJudgeError

__all__ = ["filter_program"]

_EPERM, _EAGAIN, _ENOSYS = 1, 11, 38
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_AT_NUMBER, _AT_ARCH, _AT_FIRST_ARG, _AT_SECOND_ARG = 0, 4, 16, 24
_CLONE_THREAD = 0x10000
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C

_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000

# name: (x86-64, aarch64); None where the machine has no such call
_REFUSED: dict[str, tuple[int | None, int | None]] = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "ioperm": (173, None),
    "iopl": (172, None),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "mknod": (133, None),
    "mknodat": (259, 33),
    "modify_ldt": (154, None),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "semget": (64, 190),
    "setdomainname": (171, 162),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "shmget": (29, 194),
    "socket": (41, 198),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
_CLONE, _CLONE3, _IOCTL = (56, 220), (435, 435), (16, 29)
_FORKS: tuple[tuple[int | None, int | None], ...] = ((57, None), (58, None))

_Instruction = tuple[int, int, int, int]


@lru_cache(maxsize=8)
def filter_program(allow_fork: bool, machine: str = "") -> bytes:
    """Return the BPF instructions for a machine (this one by default), 8 bytes each.

    Raise :class:`CannotJudgeError` for a machine whose call numbers are not known here.
    """
    machine = machine or platform.machine()
    if machine not in _ARCH:
        raise CannotJudgeError("EXE003", f"No system call filter is known for the machine {machine[:40]!a}.")
    column = list(_ARCH).index(machine)
    program: list[_Instruction] = [
        (_LOAD, 0, 0, _AT_ARCH),
        (_EQUAL, 1, 0, _ARCH[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _AT_NUMBER),
    ]
    if machine == "x86_64":
        program += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _KILL)]
    groups: list[tuple[list[int | None], int]] = [
        ([numbers[column] for numbers in _REFUSED.values()], _EPERM),
        ([_CLONE3[column]], _ENOSYS),
    ]
    if not allow_fork:
        groups.append(([numbers[column] for numbers in _FORKS], _EAGAIN))
    for numbers, error in groups:
        program += _refuse([number for number in numbers if number is not None], error)
    if not allow_fork:
        program += _refuse_unless_thread(_CLONE[column])
    program += _refuse_terminal_input(_IOCTL[column])
    program.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _refuse(numbers: list[int], error: int) -> list[_Instruction]:
    """Return one comparison a number, all of which jump to one refusal."""
    if not numbers:
        return []
    ordered = sorted(numbers)
    tests = [(_EQUAL, len(ordered) - at - 1, 0, number) for at, number in enumerate(ordered[:-1])]
    return [*tests, (_EQUAL, 0, 1, ordered[-1]), (_RETURN, 0, 0, _ERRNO | error)]


def _refuse_unless_thread(number: int) -> list[_Instruction]:
    return [
        (_EQUAL, 0, 4, number),
        (_LOAD, 0, 0, _AT_FIRST_ARG),
        (_ANY_BIT, 1, 0, _CLONE_THREAD),
        (_RETURN, 0, 0, _ERRNO | _EAGAIN),
        (_RETURN, 0, 0, _ALLOW),
    ]


def _refuse_terminal_input(number: int) -> list[_Instruction]:
    return [
        (_EQUAL, 0, 5, number),
        (_LOAD, 0, 0, _AT_SECOND_ARG),
        (_EQUAL, 2, 0, _TIOCSTI),
        (_EQUAL, 1, 0, _TIOCLINUX),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _ERRNO | _EPERM),
    ]
