"""Labels that people type on one line."""

from labels.line import labels

__all__ = ["labels"]
