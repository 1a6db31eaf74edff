"""Boxes for untrusted code, and the one door to them."""

from authoring.execution.interpreter import Interpreter, available_interpreters, find_interpreter
from authoring.execution.runner import BoxRunner, Run

__all__ = ["BoxRunner", "Interpreter", "Run", "available_interpreters", "find_interpreter"]
