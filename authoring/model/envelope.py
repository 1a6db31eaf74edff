"""The one JSON document that every command writes with ``--json``, on success and on failure."""

import json
from typing import Any, Literal

from pydantic import ConfigDict, Field

from authoring.model.document import Part
from authoring.model.errors import Status

__all__ = ["Envelope", "Problem"]


class Problem(Part):
    """One coded reason why a command did not end well."""

    code: str
    """An entry of the table of codes, for example ``INC004``; ``authoring explain`` says more."""
    stage: str
    """The stage that raised it; empty where the command line itself did."""
    message: str
    """One sentence: what is wrong with which thing."""
    hint: str
    """What to do next; empty where there is nothing to do."""


class Envelope(Part):
    """The document; ``data`` depends on the command."""

    model_config = ConfigDict(populate_by_name=True)

    schema_: Literal[1] = Field(default=1, alias="schema")
    """The version of this form."""
    command: str
    """The command's words, for example ``gate repo``; empty where none was recognised."""
    status: Status
    """How the command ended."""
    data: dict[str, Any]
    """What the command found or did; an empty object where it did nothing."""
    errors: tuple[Problem, ...] = Field(default=(), strict=False)
    """Why the command did not end well."""
    warnings: tuple[str, ...] = Field(default=(), strict=False)
    """Sentences that a person should read although the command went on."""
    next: tuple[str, ...] = Field(default=(), strict=False)
    """Commands that usually follow."""

    def text(self) -> str:
        """Return the document as one line of ASCII JSON, which every output encoding can carry."""
        return json.dumps(self.model_dump(by_alias=True), ensure_ascii=True, allow_nan=False)
