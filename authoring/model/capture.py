"""capture.json: what the reproducer showed on every tree (DESIGN.md 4.1)."""

from pydantic import Field

from authoring.model.document import Document, Part
from authoring.model.execution import Wire
from authoring.model.incident import Dependency

__all__ = [
    "AND_CALLS",
    "AND_RESULT",
    "Binding",
    "Capture",
    "CapturedTree",
    "LiftedCheck",
    "Pattern",
    "Recorded",
    "RecordedInput",
]


class CapturedTree(Part):
    """One side as it was obtained."""

    side: str
    """``broken``, ``attempt`` or ``fixed``."""
    label: str
    """Version, revision or path as the author gave it."""
    sha256: str
    """Digest of the unpacked tree (``tree_digest`` of its Python and data files)."""
    archive_sha256: str = ""
    """Digest of the wheel or sdist; empty for revisions and folders."""


AND_RESULT = " and result"
"""Ends the words of a view that observes the whole result beside what the assertion compares."""

AND_CALLS = " and calls"
"""Ends the words of a view that observes too how functions that were handed over are called."""


class LiftedCheck(Part):
    """One assertion of the reproducer, or one statement that has only to end."""

    id: str
    """``check_2``, or ``check_2.1`` where a function holds several."""
    function: str
    """The reproducer's function that holds it; ``""`` at top level."""
    line: int
    script: str
    """The reproducer cut down to this check alone: its set-up and this one assertion."""
    scenario: str
    """The scenario (function of scenarios.py) that observes it; ``""`` where it could not be lifted."""
    params: Wire
    """The wire dict of the literals lifted from it."""
    view: str
    """What is observed, in words for people: ``value``, ``truth``, ``membership and result``, ``raises``, ``ends``."""
    line_events: int | None = Field(default=None, exclude_if=lambda bound: bound is None)
    """How many line events a call may take, where that is what tells the versions apart; found by reduction."""

    @property
    def is_whole(self) -> bool:
        """Whether the full result is observed."""
        view = self.view.removesuffix(AND_CALLS)
        return view == "value" or view.endswith(AND_RESULT)

    @property
    def has_calls(self) -> bool:
        """Whether it is observed how functions that are handed to the package are called."""
        return self.view.endswith(AND_CALLS)


class Pattern(Part):
    """Pass (1) and fail (0) of one side over the lifted checks, in their order."""

    side: str
    bits: str
    failures: tuple[str, ...]
    """For each failed check: exception type and origin, ``IndexError in orders/pages.py:page``."""


class Binding(Part):
    """One name that scenarios read from ``program``, and where the package has it."""

    name: str
    """Canonical name."""
    original: str
    """``orders.pages:page``: module, colon, dotted name."""


class RecordedInput(Part):
    """An input that a call made by the project's own tests gives a scenario."""

    scenario: str
    params: Wire


class Recorded(Part):
    """What was recorded while the project's own tests ran on the fixed side."""

    tests: int
    """How many ran."""
    calls: int
    """How many of their calls were watched."""
    inputs: tuple[RecordedInput, ...]
    """Those that every side answers with data, each taking its own way through the package first."""


class Capture(Document):
    """What capture found out, and the gate of every later stage."""

    incident: str
    import_name: str
    modules: tuple[str, ...]
    """Dotted modules that are imported before ``bind``; the first is ``import_name``."""
    python: str
    """The task's Python, ``3.12``."""
    trees: tuple[CapturedTree, ...]
    dependencies: tuple[Dependency, ...]
    checks: tuple[LiftedCheck, ...]
    patterns: tuple[Pattern, ...]
    bindings: tuple[Binding, ...]
    raises: tuple[str, ...]
    """Canonical names of exceptions that the reproducer expects or that the fixed tree raised."""
    failure: str
    """The failure's identity on the broken tree, in words."""
    repeats: int
    fork_per_check: bool
    """Whether state leaked between checks, so that each needs a process of its own."""
    reproducer_sha256: str
    processes: int = 0
    """Processes that the package needs while it is imported or called; 0: it runs where fork is denied."""
    source_sha256: str = ""
    """Digest of all that the incident's author gave: what tells the same command from another one."""
    recorded: Recorded | None = Field(default=None, exclude_if=lambda recorded: recorded is None)
    """None: no tests were given."""
