"""Which rule an input stands for: the class of what the versions make of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from authoring.contract.bench import Expected
from authoring.contract.sentences import Sentence

__all__ = ["Features", "assign", "features_of"]


@dataclass(frozen=True, slots=True)
class Features:
    """What the versions make of one input."""

    is_fault: bool
    """Broken is wrong here: the failure shows."""
    is_over: bool
    """Broken is right and the hard negative is wrong: what a failed repair breaks."""
    is_raising: bool
    """The reference ends in an exception."""


def features_of(
    keys: Sequence[str], expected: Expected, broken_fails: frozenset[str], negative_fails: frozenset[str]
) -> dict[str, Features]:
    """Return the features of inputs by key."""
    return {
        key: Features(
            key in broken_fails,
            key in negative_fails and key not in broken_fails,
            any("raised" in observation for observation in expected[key]),
        )
        for key in keys
    }


def assign(sentences: Sequence[Sentence], features: Mapping[str, Features]) -> dict[str, int]:
    """Return for each input the index of the sentence that it stands for.

    Inputs on which broken is wrong stand for the first sentence, the boundary; but where the reference
    raises there, for the one about refusals, and where it does not, not for that one. Of the other inputs,
    those on which the reference raises go to the sentence about refusals, and the rest to one about what
    stays, else to the last that is not about refusals. Sentences that were drafted from inputs stand for those and for
    no others.
    """
    drafted = {key: n for n, sentence in enumerate(sentences) for key in sentence.faults}
    if drafted:
        return {
            key: drafted.get(key, 0) if feature.is_fault else len(sentences) - 1
            for key, feature in features.items()
        }
    count = range(len(sentences))
    refusing = next((n for n in count if sentences[n].is_about_refusal), None)
    speaking = [n for n in count if n != refusing] or [0]
    keeping = [n for n in speaking if sentences[n].is_about_keeping and n > 0]
    kept = keeping[-1] if keeping else speaking[-1]
    middle = next((n for n in speaking if n not in (0, kept)), kept)
    found = {}
    for key, feature in features.items():
        if feature.is_raising and refusing is not None:
            found[key] = refusing
        elif feature.is_fault:
            found[key] = speaking[0]
        else:
            found[key] = middle if feature.is_over else kept
    return found
