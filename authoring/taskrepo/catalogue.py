"""What the public repository says of itself: catalogue, dataset card and licences, made from its tasks
alone."""

import csv
import io
from collections.abc import Mapping, Sequence

from authoring.model.digest import value_digest
from authoring.model.task import Task
from authoring.system.workspace import CATALOG_HEADER

__all__ = ["card", "catalogue", "licence_files", "public_documents", "tasks_in"]


def tasks_in(documents: Mapping[str, bytes]) -> list[Task]:
    """Return the tasks whose task.json is among the files (``tasks/<contract>/<variant>/task.json``), by id.

    Raises ``ValueError`` for a task.json that is none.
    """
    tasks = [Task.from_json(data) for path, data in documents.items() if is_task_document(path)]
    return sorted(tasks, key=lambda task: task.id)


def is_task_document(path: str) -> bool:
    """Tell whether a path of the public repository is a task's task.json."""
    parts = path.split("/")
    return len(parts) == 4 and parts[0] == "tasks" and parts[3] == "task.json"


def public_documents(tasks: Sequence[Task]) -> dict[str, bytes]:
    """Return the files that stand beside the tasks: catalog.csv, README.md and LICENSES/."""
    return {"README.md": card(tasks), "catalog.csv": catalogue(tasks), **licence_files(tasks)}


def catalogue(tasks: Sequence[Task]) -> bytes:
    """Return catalog.csv, one row a task, sorted by id."""
    buffer = io.StringIO(newline="")
    buffer.write(CATALOG_HEADER)
    writer = csv.writer(buffer, lineterminator="\n")
    for task in tasks:
        variant = task.id.partition("/")[2]
        counts = (task.checks.public, task.checks.hidden)
        kinds = (task.mechanism, task.group, task.category, task.difficulty)
        writer.writerow([task.id, task.contract, variant, *kinds, *counts, task.licence])
    return buffer.getvalue().encode()


def licence_files(tasks: Sequence[Task]) -> dict[str, bytes]:
    """Return LICENSES/: one file for each origin, with its releases, its licence and its notices."""
    files = {}
    for task in tasks:
        origin = task.origin
        name = "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in origin.package)
        digest = value_digest([origin.package, origin.licence, list(origin.releases), list(origin.notices)])
        lines = [
            f"Tasks here derive from {origin.package or 'code of the author'}.",
            f"Releases: {', '.join(origin.releases)}",
            f"Licence: {origin.licence}",
        ]
        text = "\n".join(lines) + "\n" + "".join(f"\n---\n\n{notice}" for notice in origin.notices)
        files[f"LICENSES/{name or 'own'}-{digest[:8]}.txt"] = text.encode()
    return dict(sorted(files.items()))


def card(tasks: Sequence[Task]) -> bytes:
    """Return README.md, the dataset card: what is here, how to run it, whose code it derives from."""
    if not tasks:
        return b"# Tasks from real failures\n\nNo task has been published yet.\n"
    licences = sorted({task.licence for task in tasks})
    rows = [
        f"| {_cell(task.id)} | {_cell(task.category)} | {_cell(task.mechanism)} | {task.difficulty} "
        f"| {task.checks.public} | {task.checks.hidden} |"
        for task in tasks
    ]
    lines = [
        "---",
        "pretty_name: Tasks from real failures",
        "task_categories: [text-generation]",
        "tags: [code, program-repair]",
        f"license: other  # {_cell('; '.join(licences))}",
        "---",
        "",
        "# Tasks from real failures",
        "",
        "Each task is a small program with a fault that once reached users. Read `prompt.md`, repair",
        "`program.py`, and run `python run_checks.py` in the task's folder to run its public checks. A",
        "repair is judged by hidden checks too, which are not here.",
        "",
        f"{len(tasks)} tasks, {len({task.contract for task in tasks})} families, "
        f"{len({task.mechanism for task in tasks})} mechanisms.",
        "",
        "| task | category | mechanism | difficulty (public checks) | public | hidden |",
        "| --- | --- | --- | --- | ---: | ---: |",
        *rows,
        "",
        "`catalog.csv` holds the same as a table. `hard_negative.py` is a wrong repair, kept for study.",
        "",
        "## Licences",
        "",
        "The programs derive from the packages that `task.json` names under `origin`; `LICENSES/` holds the",
        f"notices that travel with them. Licences: {'; '.join(licences)}.",
    ]
    return ("\n".join(lines) + "\n").encode()


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "/").split())
