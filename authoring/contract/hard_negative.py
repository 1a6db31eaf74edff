"""The hard negative where no attempt was captured: the wrong program that comes closest to a repair."""

from collections.abc import Sequence

from authoring.contract.material import HardNegativeKind, WrongKind
from authoring.contract.trial import Wrong

__all__ = ["MADE", "kind_of", "synthesise"]

MADE: tuple[WrongKind, ...] = ("over-correction", "partial-fix", "mutant")
"""The kinds of programs that are made, not captured; of equals the first is the better hard negative."""


def synthesise(
    wrongs: Sequence[Wrong], broken_fails: frozenset[str], public: frozenset[str], hidden: frozenset[str]
) -> Wrong | None:
    """Return the one that passes most of the wrong programs that will do, or None where none will.

    It repairs something that broken fails, or passes all public inputs; it fails an input that hidden
    checks may hold; and it is neither the reference nor broken. Over-corrections, partial fixes and mutants around the
    fix are looked at; mutants elsewhere, which no repair would leave, only where none of those will do.
    """
    fit = [one for one in wrongs if _is_fit(one, broken_fails, public, hidden)]
    near = [one for one in fit if one.is_near_fix]
    return min(near or fit, key=lambda one: _order(one, broken_fails, public), default=None)


def _is_fit(one: Wrong, broken_fails: frozenset[str], public: frozenset[str], hidden: frozenset[str]) -> bool:
    repairs = bool(broken_fails - one.fails) or not one.fails & public
    return repairs and bool(one.fails & hidden) and one.fails != broken_fails


def _order(
    one: Wrong, broken_fails: frozenset[str], public: frozenset[str]
) -> tuple[int, bool, int, int, str]:
    """Rank by the inputs failed, fewest first; of equals by public ones, what is repaired, the kind and the name."""
    left = len(one.fails & broken_fails)
    return len(one.fails), bool(one.fails & public), left, MADE.index(one.kind), one.id


def kind_of(one: Wrong) -> HardNegativeKind:
    """Say what a synthesised hard negative is: a fix in part, one too many, or a slip beside it or elsewhere."""
    if one.kind in {"partial-fix", "over-correction"}:
        return one.kind
    return "near-fix" if one.is_near_fix else "far-mutant"
