"""Many candidates of one task, judged side by side and journalled, so that a run that was cut off goes on."""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from authoring.execution import driver_sha256
from authoring.model.digest import value_digest
from authoring.model.evidence import Record
from authoring.system.journal import Journal
from authoring.validation.grade.grading import Graded, Grader, Measure, Options
from authoring.validation.grade.submission import read_submission

__all__ = ["Item", "grade_many"]


_REMEMBERED = 256


@dataclass(frozen=True, slots=True)
class Item:
    """One candidate of a batch and its verdict."""

    path: Path
    submission_sha256: str
    graded: Graded
    resumed: bool
    """Whether the verdict was found in the journal."""


def grade_many(
    grader: Grader,
    candidates: Iterable[Path],
    journal: Journal | None = None,
    options: Options | None = None,
    *,
    workers: int = 0,
    done: Callable[[Item], None] = lambda _: None,
) -> Iterator[Item]:
    """Judge candidates and yield them in the order given; equal submissions are judged once.

    With a journal every verdict is durable as soon as it is known, and a verdict that it holds is not made again.
    """
    options = options or Options()
    batch = _batch(grader, options)
    material = grader.material
    most = workers or os.cpu_count() or 1
    waiting: list[tuple[Path, str]] = []
    running: dict[str, Future[Graded]] = {}
    known: dict[str, tuple[Graded, bool]] = {}
    with ThreadPoolExecutor(most) as pool:
        for path in candidates:
            submission = read_submission(path, material.task.program, material.pristine)
            key = submission.sha256
            waiting.append((path, key))
            if key not in running and key not in known:
                found = _found(journal, batch, key)
                if found is not None:
                    known[key] = (found, True)
                else:
                    running[key] = pool.submit(grader.grade, submission, options)
            while len(running) >= 2 * most:
                _collect(running, known, journal, batch)
            yield from _ready(waiting, known, done)
        while running:
            _collect(running, known, journal, batch)
            yield from _ready(waiting, known, done)
        yield from _ready(waiting, known, done)


def _batch(grader: Grader, options: Options) -> str:
    material = grader.material
    facts = [material.task.model_dump(mode="json"), material.checks_sha256, repr(options), driver_sha256()]
    return "grade:" + value_digest(facts)


def _found(journal: Journal | None, batch: str, key: str) -> Graded | None:
    stored = None if journal is None else journal.get(batch, key)
    return None if stored is None else _restored(stored)


def _collect(
    running: dict[str, Future[Graded]],
    known: dict[str, tuple[Graded, bool]],
    journal: Journal | None,
    batch: str,
) -> None:
    """Wait for at least one verdict and make those that are there durable."""
    wait(running.values(), return_when=FIRST_COMPLETED)
    for key in [key for key, future in running.items() if future.done()]:
        graded = running.pop(key).result()
        if journal is not None:
            journal.put(batch, key, _stored(graded))
        known[key] = (graded, False)


def _ready(
    waiting: list[tuple[Path, str]],
    known: dict[str, tuple[Graded, bool]],
    done: Callable[[Item], None],
) -> Iterator[Item]:
    """Yield the candidates at the head of the line whose verdicts are known, and forget verdicts nobody waits for."""
    while waiting and waiting[0][1] in known:
        path, key = waiting.pop(0)
        item = Item(path, key, *known[key])
        done(item)
        yield item
    needed = {key for _, key in waiting}
    for key in [key for key in known if key not in needed and len(known) > _REMEMBERED]:
        del known[key]


def _stored(graded: Graded) -> dict[str, Any]:
    return {
        "record": graded.record.model_dump(mode="json"),
        "rules": graded.rules,
        "counts": graded.counts,
        "suspected_cheat": graded.suspected_cheat,
        "reasons": list(graded.reasons),
        "measure": asdict(graded.measure),
    }


def _restored(stored: dict[str, Any]) -> Graded:
    record = Record.model_validate_json(json.dumps(stored["record"]))
    return Graded(
        record.result.verdict,
        dict(record.result.checks),
        stored["rules"],
        stored["counts"],
        record.result.signals,
        stored["suspected_cheat"],
        tuple(stored["reasons"]),
        record,
        _measure(stored["measure"]),
    )


def _measure(stored: dict[str, Any]) -> Measure:
    reruns = tuple((case, first, second) for case, first, second in stored["reruns"])
    return Measure(**{**stored, "reruns": reruns})
