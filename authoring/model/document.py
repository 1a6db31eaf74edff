"""What every document on disk shares: frozen, strict, closed, and written one way."""

from pydantic import BaseModel, ConfigDict

__all__ = ["Document", "Part"]


class Part(BaseModel):
    """A frozen value that is part of a document; unknown keys and coerced types are errors."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", use_attribute_docstrings=True)


class Document(Part):
    """A whole file: a part with a schema version."""

    schema_version: int = 1
    """The version of the file's form; raised when a reader of the old form would misread the new one."""
