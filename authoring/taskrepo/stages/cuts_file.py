"""Read a contract's cuts.json."""

from pathlib import Path

from authoring.model.cuts import Cuts
from authoring.model.errors import UsageError
from authoring.system.files import read_limited

__all__ = ["read_cuts"]

_CAP = 1 << 20


def read_cuts(path: Path) -> Cuts:
    """Return the document; raise :class:`UsageError` RED070 where the file is none."""
    try:
        return Cuts.from_json(read_limited(path, _CAP))
    except ValueError as error:
        raise UsageError(
            "RED070",
            f"{path} cannot be read: {str(error).splitlines()[0]}.",
            "Delete it and run `authoring reduce` again.",
            stage="reduce",
        ) from error
