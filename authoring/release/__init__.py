"""Freeze tasks as releases, and verify them."""

from authoring.release.findings import Finding
from authoring.release.manifest import Earlier, commitment_of, digest_of
from authoring.release.proof import Proof, Unproven, prove
from authoring.release.release import Released, release, releases_of
from authoring.release.splits import SPLITS, split_of
from authoring.release.state import State, head_state, tag_state
from authoring.release.verify import Report, verify, verify_clone

__all__ = [
    "SPLITS",
    "Earlier",
    "Finding",
    "Proof",
    "Released",
    "Report",
    "State",
    "Unproven",
    "commitment_of",
    "digest_of",
    "head_state",
    "prove",
    "release",
    "releases_of",
    "split_of",
    "tag_state",
    "verify",
    "verify_clone",
]
