"""Read a contract's alternatives.json."""

from pathlib import Path

from authoring.model.alternatives import Alternatives
from authoring.model.errors import UsageError
from authoring.system.files import read_limited

__all__ = ["read_alternatives"]

_CAP = 4 << 20


def read_alternatives(path: Path) -> Alternatives:
    """Return the document; raise :class:`UsageError` CTR021 where the file is none."""
    try:
        return Alternatives.from_json(read_limited(path, _CAP))
    except ValueError as error:
        raise UsageError(
            "CTR021",
            f"{path} cannot be read: {str(error).splitlines()[0]}.",
            "Mend it, or delete it to have later releases listed anew.",
            stage="contract",
        ) from error
