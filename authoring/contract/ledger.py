"""The ledger: behind every rule stand checks in both tiers, and a wrong program that only they reject."""

from collections.abc import Mapping, Sequence

from authoring.contract.select_checks import Candidate

__all__ = ["lacking", "mending", "witness_of"]


def witness_of(rule: int, chosen: Sequence[Candidate], order: Sequence[str]) -> str | None:
    """Return the first wrong program (in ``order``) that the rule's checks reject and no other check does."""
    ours = frozenset().union(*(one.kills for one in chosen if one.rule == rule))
    others = frozenset().union(*(one.kills for one in chosen if one.rule != rule))
    return next((wrong for wrong in order if wrong in ours - others), None)


def lacking(
    rules: Sequence[int], public: Sequence[Candidate], hidden: Sequence[Candidate], order: Sequence[str]
) -> dict[int, str]:
    """Return the rules behind which something is missing, with a sentence that says what."""
    missing = {}
    for rule in rules:
        if not any(one.rule == rule for one in public):
            missing[rule] = "no public check stands for it"
        elif not any(one.rule == rule for one in hidden):
            missing[rule] = "no hidden check stands for it"
        elif witness_of(rule, [*public, *hidden], order) is None:
            missing[rule] = "no wrong program is rejected by its checks alone"
    return missing


def mending(
    rule: int, chosen: Sequence[Candidate], candidates: Sequence[Candidate], kills: Mapping[str, int]
) -> Candidate | None:
    """Return a candidate of the rule that rejects a wrong program which no check of another rule rejects.

    ``kills`` says how many candidates reject each wrong program: one that many reject makes the firmer
    witness.
    """
    others = frozenset().union(*(one.kills for one in chosen if one.rule != rule))
    taken = {one.input.key for one in chosen}
    free = [
        one for one in candidates if one.rule == rule and one.input.key not in taken and one.kills - others
    ]
    return min(
        free,
        key=lambda one: (-max(kills[k] for k in one.kills - others), one.size, one.input.key),
        default=None,
    )
