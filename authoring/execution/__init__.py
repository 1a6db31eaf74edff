"""Boxes for untrusted code, and the one door to them."""

from authoring.execution.box import as_root
from authoring.execution.bundle import driver_sha256
from authoring.execution.cgroup import has_cgroup
from authoring.execution.interpreter import Interpreter, available_interpreters, find_interpreter
from authoring.execution.runner import BoxRunner
from authoring.execution.said import Run

__all__ = [
    "BoxRunner",
    "Interpreter",
    "Run",
    "as_root",
    "available_interpreters",
    "driver_sha256",
    "find_interpreter",
    "has_cgroup",
]
