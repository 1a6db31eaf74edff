"""Verdicts of the reduction's trials in the journal, so that a reduction that was killed asks nothing twice.

Flat programs and the ways of reductions are kept too: a reduction with more requests goes on from them.
"""

import lzma
from base64 import b64decode, b64encode
from collections.abc import Iterator, MutableMapping

from authoring.system.journal import Journal

__all__ = ["Verdicts", "flats_of", "packed", "unpacked", "verdicts_of", "ways_of"]


def verdicts_of(journal: Journal, incident: str) -> "Verdicts":
    """Return the verdicts of an incident's trials; its next reduction, with more requests, uses them too."""
    return Verdicts(journal, f"verdicts:{incident}")


def flats_of(journal: Journal, incident: str) -> "Verdicts":
    """Return the flat programs of an incident, as JSON texts by the digest of what they were made for."""
    return Verdicts(journal, f"flats:{incident}")


def ways_of(journal: Journal, incident: str) -> "Verdicts":
    """Return how reductions of an incident went, as packed texts by the digest of what they began with."""
    return Verdicts(journal, f"ways:{incident}")


def packed(text: bytes) -> str:
    """Return a long text that repeats itself, such as many states of one program, as a short one."""
    return b64encode(lzma.compress(text, preset=1)).decode("ascii")


def unpacked(text: str) -> bytes:
    """Return what was packed."""
    return lzma.decompress(b64decode(text))


class Verdicts(MutableMapping[str, str]):
    """A mapping whose every change is durable; it is read once."""

    def __init__(self, journal: Journal, space: str) -> None:
        self._journal = journal
        self._space = space
        self._known: dict[str, str] = journal.facts(space)

    def __getitem__(self, key: str) -> str:
        return self._known[key]

    def __setitem__(self, key: str, verdict: str) -> None:
        self._known[key] = verdict
        self._journal.put(self._space, key, verdict)

    def __delitem__(self, key: str) -> None:
        del self._known[key]
        self._journal.forget(self._space, key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def clear(self) -> None:
        """Forget everything at once."""
        self._known.clear()
        self._journal.forget(self._space)
