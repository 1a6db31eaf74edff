"""The journal: what a run has done so far, so that the next one goes on where it stopped.

Two kinds of rows: facts (a JSON value by space and key, for the state of stages) and work (items with a
payload, and a result once they are done). Everything in it can be made again; measures live here and in no
digest.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from authoring.model.errors import CannotJudgeError
from authoring.system.files import storage

__all__ = ["Journal"]

_TABLES = """
CREATE TABLE IF NOT EXISTS facts (
    space TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (space, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS work (
    batch TEXT NOT NULL, key TEXT NOT NULL, payload TEXT NOT NULL, result TEXT, measure TEXT,
    PRIMARY KEY (batch, key)
) WITHOUT ROWID;
"""


class Journal:
    """A journal in a file; one writer at a time, readers at any time; every call is durable when it
    returns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with storage(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        with self._coded():
            self._database = sqlite3.connect(
                path, timeout=30.0, isolation_level=None, check_same_thread=False
            )
        try:
            with self._coded():
                self._database.execute("PRAGMA journal_mode = WAL")
                self._database.execute("PRAGMA synchronous = NORMAL")
                self._database.executescript(_TABLES)
        except CannotJudgeError:
            self._database.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    @contextmanager
    def _coded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_FULL:
                message = f"There is no space left for the journal {self.path}."
                raise CannotJudgeError("WSP008", message, "Free some space.") from error
            message = f"The journal {self.path} cannot be used: {error}."
            raise CannotJudgeError(
                "WSP043",
                message,
                "Make its folder writable; where the file is damaged, remove it and run the command again.",
            ) from error

    def put(self, space: str, key: str, value: Any) -> None:
        """Set a fact; the value is JSON data."""
        with self._coded():
            self._database.execute(
                "INSERT OR REPLACE INTO facts VALUES (?, ?, ?)",
                (space, key, json.dumps(value, sort_keys=True)),
            )

    def get(self, space: str, key: str) -> Any:
        """Return a fact, or None where there is none."""
        with self._coded():
            row = self._database.execute(
                "SELECT value FROM facts WHERE space = ? AND key = ?", (space, key)
            ).fetchone()
        return None if row is None else json.loads(row[0])

    def facts(self, space: str) -> dict[str, Any]:
        """Return all facts of a space by key, sorted."""
        with self._coded():
            rows = self._database.execute(
                "SELECT key, value FROM facts WHERE space = ? ORDER BY key", (space,)
            )
            return {key: json.loads(value) for key, value in rows}

    def forget(self, space: str, key: str | None = None) -> None:
        """Remove a fact, or all of a space; a missing one is fine."""
        with self._coded():
            if key is None:
                self._database.execute("DELETE FROM facts WHERE space = ?", (space,))
            else:
                self._database.execute("DELETE FROM facts WHERE space = ? AND key = ?", (space, key))

    def plan(self, batch: str, items: Iterable[tuple[str, Any]]) -> None:
        """Add items (key, payload as JSON data) to a batch, all or none; those that it holds already stay."""
        rows = [(batch, key, json.dumps(payload, sort_keys=True)) for key, payload in items]
        with self._coded():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                self._database.executemany(
                    "INSERT OR IGNORE INTO work (batch, key, payload) VALUES (?, ?, ?)", rows
                )
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")

    def pending(self, batch: str) -> list[tuple[str, Any]]:
        """Return the items of a batch that have no result, sorted by key."""
        with self._coded():
            rows = self._database.execute(
                "SELECT key, payload FROM work WHERE batch = ? AND result IS NULL ORDER BY key", (batch,)
            ).fetchall()
        return [(key, json.loads(payload)) for key, payload in rows]

    def finish(self, batch: str, key: str, result: Any, measure: Any = None) -> None:
        """Give an item its result, and what was measured (times, sizes), which no digest may include."""
        with self._coded():
            done = self._database.execute(
                "UPDATE work SET result = ?, measure = ? WHERE batch = ? AND key = ?",
                (json.dumps(result, sort_keys=True), json.dumps(measure, sort_keys=True), batch, key),
            )
        if done.rowcount != 1:
            raise KeyError(key)

    def results(self, batch: str) -> dict[str, Any]:
        """Return the results of a batch by key, sorted."""
        return {key: result for key, (result, _) in self._done(batch).items()}

    def measures(self, batch: str) -> dict[str, Any]:
        """Return what was measured in a batch by key, sorted."""
        return {key: measure for key, (_, measure) in self._done(batch).items()}

    def _done(self, batch: str) -> dict[str, tuple[Any, Any]]:
        with self._coded():
            rows = self._database.execute(
                "SELECT key, result, measure FROM work WHERE batch = ? AND result IS NOT NULL ORDER BY key",
                (batch,),
            ).fetchall()
        return {key: (json.loads(result), json.loads(measure)) for key, result, measure in rows}

    def drop(self, batch: str) -> None:
        """Remove a batch with its items."""
        with self._coded():
            self._database.execute("DELETE FROM work WHERE batch = ?", (batch,))
