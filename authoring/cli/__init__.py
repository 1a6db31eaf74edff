"""The command line: every command parses, calls one service, draws the answer and returns an exit code."""

from authoring.cli.entry import main

__all__ = ["main"]
