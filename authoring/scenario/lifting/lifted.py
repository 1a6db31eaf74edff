"""What lifting gives: the checks of a reproducer, and the scenarios that could observe them."""

from dataclasses import dataclass

from authoring.model.capture import Binding
from authoring.model.execution import Wire

__all__ = ["Lifted", "LiftedCase", "LiftedScenario", "LiftingError", "Option", "Reason"]


class LiftingError(ValueError):
    """The reproducer cannot be lifted at all: a code and a sentence."""

    def __init__(self, code: str, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.line = line


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a check has no scenario."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Option:
    """One way to observe a check: a view of its scenario."""

    words: str
    text: str
    """The whole function of the scenario under this view; the same text for all checks of one shape."""
    only_bool: bool = False
    """Whether it may be taken only where every observed value is True or False."""


@dataclass(frozen=True, slots=True)
class LiftedCase:
    """One check: a script of its own, and the scenario whose call observes what it asserts."""

    id: str
    function: str
    line: int
    script: str
    kind: str
    """``assert``, ``raises``, ``ends`` or ``inner``."""
    scenario: str
    """Name of the scenario; ``""`` where there is none, then :attr:`reason` says why."""
    params: Wire
    options: tuple[Option, ...] = ()
    """Views in the order of preference."""
    reason: Reason | None = None
    has_steps: bool = False
    """Whether operations on an object became a parameter; :func:`lift` can leave them as they are."""


@dataclass(frozen=True, slots=True)
class LiftedScenario:
    """A scenario and the checks that call it."""

    name: str
    checks: tuple[str, ...]
    texts: tuple[str, ...]
    """The texts of its views, preferred first; each a whole function of the scenario's name."""


@dataclass(frozen=True, slots=True)
class Lifted:
    """The whole reproducer, lifted."""

    checks: tuple[LiftedCase, ...]
    scenarios: tuple[LiftedScenario, ...]
    bindings: tuple[Binding, ...]
    """Every canonical name that some scenario reads from ``program``."""
    modules: tuple[str, ...]
    """Modules of the package that the reproducer imports, the import name first."""
    foreign: tuple[str, ...]
    """Top-level modules that are neither the package's nor the standard library's."""
    raises: tuple[str, ...]
    """Canonical names of the exceptions of the package that the reproducer names."""
    before_import: str
    """Statements that must run before the package is imported; ``""`` if there are none."""
    unfit: tuple[tuple[str, int, str], ...] = ()
    """Tests that could not be taken: id, line, why."""

    def case(self, check: str) -> LiftedCase:
        """Return a check by its id."""
        return next(case for case in self.checks if case.id == check)
