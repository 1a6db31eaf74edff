"""alternatives.json: the later releases of an incident's package, and what became of each."""

from typing import Literal

from authoring.model.document import Document, Part
from authoring.model.execution import Wire

__all__ = ["Alternatives", "Dispute", "LaterRelease", "ReleaseVerdict"]

ReleaseVerdict = Literal["unjudged", "alternative", "fails", "skipped", "outside"]
"""``alternative``: it must be accepted; ``fails``: the reproducer fails on it; ``skipped``: it could not be tried;
``outside``: the reproducer passes, yet it changed what a rule says; ``unjudged``: nothing was asked yet."""


class Dispute(Part):
    """The smallest input on which a release observes something else than the reference."""

    scenario: str
    params: Wire


class LaterRelease(Part):
    """One later release."""

    version: str
    sha256: str = ""
    """Digest of its unpacked tree; empty where it could not be obtained."""
    verdict: ReleaseVerdict = "unjudged"
    reason: str = ""
    """Why it was skipped, which check fails, or how much it disputes."""
    asked: int = 0
    """Inputs that it was asked about."""
    disputed: int = 0
    """Inputs on which it observes something else than the reference, as the scenarios were compared at first."""
    dispute: Dispute | None = None


class Alternatives(Document):
    """The later releases of a contract's package.

    Its list of versions is frozen: it is used again as it stands here, whatever the index lists later.
    """

    package: str
    after: str
    """The fixed release."""
    most: int
    """How many releases were asked for at most."""
    unlisted: str = ""
    """Why no index listed any, in words; empty where one answered."""
    releases: tuple[LaterRelease, ...] = ()
    """Oldest first."""
    relaxed: tuple[tuple[str, str], ...] = ()
    """Scenario and what of its comparison was relaxed: ``order``, ``floats``, ``args``, ``nothing`` (which of
    the empty values it is), ``exception`` (the message), or ``exception LookupError`` (all of that class
    are the same)."""
    dropped: int = 0
    """Inputs that no check and no pool holds since a release disputes them."""
