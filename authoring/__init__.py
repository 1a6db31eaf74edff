"""Turn a real production failure into a small, proven, versioned task."""

__version__ = "0.1.0"
