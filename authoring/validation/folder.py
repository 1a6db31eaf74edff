"""Keep evidence as files, ``<xx>/<key>.json``, append-only."""

from pathlib import Path

from authoring.model.errors import UsageError
from authoring.model.evidence import Record
from authoring.system.files import read_limited, write_atomic
from authoring.validation.judge import key_of

__all__ = ["EvidenceFolder"]

_SIZE_CAP = 4 << 20


class EvidenceFolder:
    """The evidence of a workspace; a record that is there is never written again."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def path(self, key: str) -> Path:
        """Return where a record lies."""
        return self._root / key[:2] / f"{key}.json"

    def find(self, key: str) -> Record | None:
        """Return the record of a key, or None; raise ``UsageError`` (VAL012) for a file that is not what it
        should be.
        """
        path = self.path(key)
        if not path.is_file():
            return None
        try:
            record = Record.from_json(read_limited(path, _SIZE_CAP))
        except ValueError as error:
            raise _damaged(key) from error
        if record.key != key or key_of(record.subject) != key:
            raise _damaged(key)
        return record

    def add(self, record: Record) -> None:
        """Keep a record; raise ``ValueError`` where its key is not its subject's."""
        if key_of(record.subject) != record.key:
            raise ValueError("the key of a record is the digest of its subject")
        path = self.path(record.key)
        if not path.exists():
            write_atomic(path, record.to_json())

    def keep(self, record: Record) -> None:
        """Keep a record unless one of its subject is there: what was judged once is not judged again."""
        if self.find(record.key) is None:
            self.add(record)


def _damaged(key: str) -> UsageError:
    return UsageError(
        "VAL012",
        f"the evidence {key[:12]} is damaged or was edited",
        "Restore it from the repository's history: evidence is append-only.",
        stage="validate",
    )
