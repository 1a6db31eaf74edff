"""Release manifests and gate decisions (DESIGN.md 4.7, 4.8, 5.5)."""

from typing import Literal

from pydantic import Field

from authoring.model.document import Document, Part

__all__ = ["Claim", "Commitment", "Counts", "Decision", "Interval", "Manifest", "Previous", "TaskEntry"]

Claim = Literal[
    "executable", "fixture-correct", "held-out robust", "held-out robust, integrated", "production-relevant"
]


class Previous(Part):
    """The release before this one."""

    version: str
    sha256: str
    """Digest of its private manifest's canonical JSON."""


class TaskEntry(Part):
    """One task of a release."""

    id: str
    group: str
    split: str
    tier: Literal["public", "hidden"]
    tree_sha256: str
    evidence: tuple[str, ...]
    """Keys of the records that prove it."""
    claim: Claim
    since_previous: Literal["new", "reuse", "regrade", "rerun"]


class Commitment(Part):
    """A promise of a hidden task: sha256(salt + tree_sha256)."""

    commitment: str


class Counts(Part):
    """How much a release holds."""

    mechanisms: int
    families: int
    groups: int
    variants: int
    categories: int


class Manifest(Document):
    """A release; the public one is a projection (hidden cases only as a count and sorted commitments)."""

    version: str
    previous: Previous | None
    tool: str
    date: str
    """Of the newest task commit."""
    tasks: tuple[TaskEntry, ...]
    hidden: tuple[Commitment, ...]
    counts: Counts
    environment: dict[str, str] = Field(default_factory=dict)
    exports: dict[str, str] = Field(default_factory=dict)


class Interval(Part):
    """A rate with its interval, clustered by evaluation group."""

    rate: float
    low: float
    high: float
    level: float
    clusters: int


class Decision(Document):
    """gates/<tag>.json: whether a candidate may carry a tag, from which evidence."""

    release: str
    manifest_sha256: str
    kind: Literal["repo", "agent"]
    subject: str
    """Commit id, ``package==version``, or a digest of the agent's answers."""
    open: bool
    reasons: tuple[str, ...]
    """Why it is closed, in sentences without anything hidden."""
    judged: int
    passed: int
    policy: dict[str, float]
    interval: Interval | None = None
    claim: Claim | None
    evidence: tuple[str, ...]
