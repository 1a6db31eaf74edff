"""What is varied between repeats: hash seed, time zone, locale, order and interpreter."""

from authoring.model.execution import Perturbation

__all__ = ["Repeat", "repeats"]

_ZONES = ("UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Chatham", "Etc/GMT+12")
_LOCALES = ("C.UTF-8", "C", "POSIX")

Repeat = tuple[str, Perturbation]
"""Interpreter (a version such as ``3.12``) and perturbation."""


def repeats(n: int, pythons: tuple[str, ...]) -> list[Repeat]:
    """Return ``n`` repeats, the same for the same arguments; the first is unperturbed, on the first
    interpreter.

    Every value of each kind comes up as early as it can; the periods have no common divisor, so that the
    combinations spread.
    """
    return [(pythons[index % len(pythons)], _perturbation(index)) for index in range(n)]


def _perturbation(index: int) -> Perturbation:
    if index == 0:
        return Perturbation()
    return Perturbation(
        hash_seed=(index * 2654435761) % 4294967296,
        tz=_ZONES[index % len(_ZONES)],
        locale=_LOCALES[index % len(_LOCALES)],
        order=index,
    )
