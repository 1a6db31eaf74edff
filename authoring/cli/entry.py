"""The console script."""

import sys

from authoring.cli.runner import run

__all__ = ["main"]


def main() -> None:
    """Run the command line of this process and exit with its status."""
    sys.exit(run(sys.argv[1:]))
