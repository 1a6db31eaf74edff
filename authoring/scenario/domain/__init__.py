"""Domains: where a scenario's parameters come from, as a file that its author can read and edit."""

from authoring.scenario.domain.beside import Allowed, Annotated, allowed_in
from authoring.scenario.domain.changed import (
    ChangedCode,
    Constants,
    changed_code,
    changed_lines,
    constants_of,
    lines_around,
)
from authoring.scenario.domain.cut import DomainCut, cut_sentence, cuts_of
from authoring.scenario.domain.derive import derive_domain
from authoring.scenario.domain.input_class import (
    InputClass,
    Place,
    clause,
    expression,
    holds,
    is_met,
    phrase,
    place_words,
    values_at,
)
from authoring.scenario.domain.input_classes import classes_of, pieces_of, places_in
from authoring.scenario.domain.literal import literal
from authoring.scenario.domain.membership import Membership
from authoring.scenario.domain.narrowed_runner import narrowed
from authoring.scenario.domain.recorded import with_recorded

__all__ = [
    "Allowed",
    "Annotated",
    "ChangedCode",
    "Constants",
    "DomainCut",
    "InputClass",
    "Membership",
    "Place",
    "allowed_in",
    "changed_code",
    "changed_lines",
    "classes_of",
    "clause",
    "constants_of",
    "cut_sentence",
    "cuts_of",
    "derive_domain",
    "expression",
    "holds",
    "is_met",
    "lines_around",
    "literal",
    "narrowed",
    "phrase",
    "pieces_of",
    "place_words",
    "places_in",
    "values_at",
    "with_recorded",
]
