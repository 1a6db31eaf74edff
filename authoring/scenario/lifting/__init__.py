"""Lift a reproducer into checks, scenarios, and their binding to the package; pure, on its text."""

from authoring.scenario.lifting.conftests import with_fixtures
from authoring.scenario.lifting.lift import lift, program_names
from authoring.scenario.lifting.lifted import (
    Lifted,
    LiftedCase,
    LiftedScenario,
    LiftingError,
    Option,
    Reason,
)
from authoring.scenario.lifting.original import original_text
from authoring.scenario.lifting.results import asked_of_result, with_result

__all__ = [
    "Lifted",
    "LiftedCase",
    "LiftedScenario",
    "LiftingError",
    "Option",
    "Reason",
    "asked_of_result",
    "lift",
    "original_text",
    "program_names",
    "with_fixtures",
    "with_result",
]
