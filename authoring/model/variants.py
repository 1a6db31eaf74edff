"""variants.toml: the renderings of one contract (DESIGN.md 4.5, 5.1)."""

from typing import Any, Literal

from pydantic import Field

from authoring.model.document import Document, Part

__all__ = ["VariantSpec", "Variants", "VersionName"]

VersionName = Literal["broken", "hard_negative", "reference"]
"""The programs that are made of the trees broken, attempt and fixed."""


class VariantSpec(Part):
    """One variant: how it differs from ``base``."""

    id: str
    """``base``, ``p2``, ``h1``…"""
    tier: Literal["public", "hidden"]
    vocabulary: dict[str, str] = Field(default_factory=dict)
    """Identifiers of the base program by their name in this variant."""
    constants: dict[str, Any] = Field(default_factory=dict)
    """Values of the template's constant slots that differ from the base's."""
    shapes: tuple[str, ...] = ()
    """Behaviour-preserving rewrites applied, in order."""
    fault: str = ""
    """Which wrong version stands as ``program.py``: empty for broken, else a named mutant of the reference."""
    patterns: dict[str, str] = Field(default_factory=dict)
    """By version: pass and fail over this variant's public and hidden checks, ``10110/0011``."""


class Variants(Document):
    """variants.toml."""

    variants: tuple[VariantSpec, ...]
