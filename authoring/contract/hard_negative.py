"""The hard negative where no attempt was captured: the wrong program that comes closest to a repair."""

from collections.abc import Sequence

from authoring.contract.material import HardNegativeKind
from authoring.contract.trial import Wrong

__all__ = ["kind_of", "synthesise"]


def synthesise(
    wrongs: Sequence[Wrong], broken_fails: frozenset[str], public: frozenset[str], hidden: frozenset[str]
) -> Wrong | None:
    """Return the best of the wrong programs, or None where none will do.

    It repairs something that broken fails, or passes all public inputs; it fails an input that hidden
    checks may hold; and it is neither the reference nor broken. Those that differ from the reference where
    the fix is come first (a repair goes wrong there), then those that pass all public inputs, then those
    that pass most.
    """
    fit = [one for one in wrongs if _is_fit(one, broken_fails, public, hidden)]
    return min(fit, key=lambda one: _order(one, broken_fails, public), default=None)


def _is_fit(one: Wrong, broken_fails: frozenset[str], public: frozenset[str], hidden: frozenset[str]) -> bool:
    repairs = bool(broken_fails - one.fails) or not one.fails & public
    return repairs and bool(one.fails & hidden) and one.fails != broken_fails


def _order(
    one: Wrong, broken_fails: frozenset[str], public: frozenset[str]
) -> tuple[bool, bool, bool, int, str]:
    repairs_something = bool(broken_fails - one.fails)
    return not one.is_near_fix, bool(one.fails & public), not repairs_something, len(one.fails), one.id


def kind_of(one: Wrong, broken_fails: frozenset[str]) -> HardNegativeKind:
    """Say what a synthesised hard negative is: a fix in part, one too many, or a slip beside it."""
    if one.kind == "partial-fix":
        return "partial-fix"
    if not one.is_near_fix:
        return "far-mutant"
    return "over-correction" if not one.fails & broken_fails else "near-fix"
