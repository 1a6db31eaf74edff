"""Domains: where a scenario's parameters come from, as a file that its author can read and edit."""

from authoring.scenario.domain.changed import (
    ChangedCode,
    Constants,
    changed_code,
    changed_lines,
    constants_of,
)
from authoring.scenario.domain.derive import derive_domain
from authoring.scenario.domain.literal import literal
from authoring.scenario.domain.recorded import with_recorded

__all__ = [
    "ChangedCode",
    "Constants",
    "changed_code",
    "changed_lines",
    "constants_of",
    "derive_domain",
    "literal",
    "with_recorded",
]
