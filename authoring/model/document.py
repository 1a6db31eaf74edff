"""What every document on disk shares: frozen, strict, closed, and written one way."""

import json
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

__all__ = ["Document", "Part"]

_WIDTH = 100


class Part(BaseModel):
    """A frozen value that is part of a document; unknown keys and coerced types are errors."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", use_attribute_docstrings=True)


class Document(Part):
    """A whole file: a part with a schema version."""

    schema_version: int = 1
    """The version of the file's form; raised when a reader of the old form would misread the new one."""

    def to_json(self) -> bytes:
        """Return the file's bytes: ASCII JSON, fields in their order, short parts on one line."""
        return (_laid_out(self.model_dump(), "") + "\n").encode("ascii")

    @classmethod
    def from_json(cls, data: bytes) -> Self:
        """Read what :meth:`to_json` wrote, or what a person wrote in that form.

        Raises ``ValueError`` with the first thing that is wrong, in one line.
        """
        try:
            return cls.model_validate_json(data)
        except ValidationError as error:
            read = cls._with_lone_surrogates(data)
            if read is not None:
                return read
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"]) or "the document"
            raise ValueError(f"{place}: {first['msg']}") from error

    @classmethod
    def _with_lone_surrogates(cls, data: bytes) -> Self | None:
        """Read text with escapes that pydantic's parser refuses, as strictly: nothing may have been
        coerced."""
        try:
            loaded = json.loads(data)
            read = cls.model_validate(loaded, strict=False)
        except (ValueError, RecursionError):
            return None
        return read if json.loads(read.to_json()) == loaded else None


def _laid_out(value: Any, indent: str) -> str:
    compact = json.dumps(value, allow_nan=False)
    if len(indent) + len(compact) <= _WIDTH or not isinstance(value, dict | list | tuple) or not value:
        return compact
    inner = indent + " "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {_laid_out(item, inner)}" for key, item in value.items()]
        opening, closing = "{", "}"
    else:
        parts = [_laid_out(item, inner) for item in value]
        opening, closing = "[", "]"
    return opening + "\n" + inner + f",\n{inner}".join(parts) + "\n" + indent + closing
