"""Rewrites: programs that do the same in another shape, which right checks must accept."""

from authoring.scenario.rewrites.rewrites_of import Rewriting, rewrite, rewrites_of, steps_of
from authoring.scenario.rewrites.shapes import REWRITES

__all__ = ["REWRITES", "Rewriting", "rewrite", "rewrites_of", "steps_of"]
