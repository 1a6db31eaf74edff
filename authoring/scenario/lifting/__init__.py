"""Lift a reproducer into checks, scenarios, and their binding to the package; pure, on its text."""

from authoring.scenario.lifting.calls import weaker_calls, with_calls, without_calls
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
from authoring.scenario.lifting.timers import is_timed
from authoring.scenario.lifting.weaker import WeakerView, function_of, weaker_views, with_function

__all__ = [
    "Lifted",
    "LiftedCase",
    "LiftedScenario",
    "LiftingError",
    "Option",
    "Reason",
    "WeakerView",
    "asked_of_result",
    "function_of",
    "is_timed",
    "lift",
    "original_text",
    "program_names",
    "weaker_calls",
    "weaker_views",
    "with_calls",
    "with_fixtures",
    "with_function",
    "with_result",
    "without_calls",
]
