"""The rules of a contract, each with checks in both tiers and a wrong program of its own, or merged until
it has.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from authoring.contract.classes import Features, assign
from authoring.contract.ledger import lacking, mending
from authoring.contract.select_checks import Candidate, choose_hidden, choose_public
from authoring.contract.sentences import Sentence

__all__ = ["Chosen", "choose"]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The rules' texts with the checks chosen for them."""

    texts: tuple[str, ...]
    public: tuple[Candidate, ...]
    hidden: tuple[Candidate, ...]
    merged: tuple[str, ...]
    """Sentences that say which rules were put together, and why."""


Build = Callable[[Mapping[str, int]], tuple[list[Candidate], list[Candidate]]]
"""Makes lifted and other candidates, given the rule of every input."""


def choose(
    sentences: Sequence[Sentence], features: Mapping[str, Features], build: Build, order: Sequence[str]
) -> Chosen:
    """Assign inputs to sentences and choose checks; put a rule together with the one before it while it
    lacks something.

    ``order`` lists the wrong programs, those that make the best witnesses first. The boundary's rule, for
    which failing inputs stand, comes first; rules for which no input stands lend their words to another.
    """
    by_input = assign(sentences, features)
    faults = {by_input[key] for key, feature in features.items() if feature.is_fault}
    classes = [one.faults for one in sentences if one.faults]
    groups = [[n] for n in sorted(range(len(sentences)), key=lambda n: (n not in faults, n))]
    merged: list[str] = []
    _drop_empty(groups, by_input, sentences, merged)
    while True:
        place = {n: index for index, group in enumerate(groups) for n in group}
        lifted, others = build({key: place[n] for key, n in by_input.items()})
        public, hidden = _checks(lifted, others, range(len(groups)), order, classes)
        missing = lacking(range(len(groups)), public, hidden, order)
        if not missing or len(groups) == 1:
            texts = tuple(" ".join(sentences[n].text for n in group) for group in groups)
            return Chosen(texts, tuple(public), tuple(hidden), tuple(merged))
        index = max(missing)
        _merge(groups, index, sentences, missing[index], merged)


def _drop_empty(
    groups: list[list[int]], by_input: Mapping[str, int], sentences: Sequence[Sentence], merged: list[str]
) -> None:
    used = set(by_input.values())
    for index in range(len(groups) - 1, -1, -1):
        if not used & set(groups[index]) and len(groups) > 1:
            _merge(groups, index, sentences, "no input of the domain stands for it", merged)


def _merge(
    groups: list[list[int]], index: int, sentences: Sequence[Sentence], reason: str, merged: list[str]
) -> None:
    first = sentences[groups[index][0]].text
    merged.append(f"The rule “{first}” is put together with its neighbour: {reason}.")
    into = index - 1 if index else 1
    groups[into] = sorted([*groups[into], *groups[index]])
    del groups[index]


def _checks(
    lifted: list[Candidate],
    others: list[Candidate],
    rules: Sequence[int],
    order: Sequence[str],
    classes: Sequence[frozenset[str]],
) -> tuple[list[Candidate], list[Candidate]]:
    public = choose_public(lifted, others, rules, classes)
    hidden = choose_hidden(others, public, rules)
    kills = Counter(kill for one in [*lifted, *others] for kill in one.kills)
    required: list[Candidate] = []
    for rule in lacking(rules, public, hidden, order):
        needed = mending(rule, [*public, *hidden], others, kills)
        if needed is not None:
            required.append(needed)
    return (public, choose_hidden(others, public, rules, required)) if required else (public, hidden)
