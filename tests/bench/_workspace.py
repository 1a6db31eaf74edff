"""The workspace whose contracts a benchmark measures: one that is named, else one made of five small incidents."""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from authoring.model.progress import SilentProgress
from authoring.taskrepo.stages.opened import opened
from authoring.taskrepo.stages.work import Work

__all__ = ["INCIDENTS", "command", "measured_workspace", "wanted_ids"]

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data" / "incidents"
INCIDENTS = (
    "boltons-bytes2human-power",
    "dnspython-empty-ttl",
    "humanize-intword-rollover",
    "humanize-naturalsize-carry",
    "jinja2-xmlattr-keys",
)
VARIABLE = "BENCH_WORKSPACE"


def _given() -> argparse.Namespace:
    words = argparse.ArgumentParser(add_help=False)
    words.add_argument("--workspace", default=os.environ.get(VARIABLE, ""))
    words.add_argument("--ids", default="")
    return words.parse_known_args()[0]


def wanted_ids() -> tuple[str, ...]:
    """Return the contracts of ``--ids ID,ID``; none: all."""
    return tuple(word for word in _given().ids.split(",") if word)


@contextmanager
def measured_workspace() -> Iterator[Work]:
    """Open the workspace of ``--workspace DIR`` or ``BENCH_WORKSPACE``, else a new one in a folder that goes away."""
    named = _given().workspace
    if named:
        with opened(Path(named), SilentProgress()) as work:
            yield work
        return
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "workspace"
        command("init", place)
        for incident in wanted_ids() or INCIDENTS:
            command("new", incident, "--incident", DATA / incident / "incident.toml", "--workspace", place)
        with opened(place, SilentProgress()) as work:
            yield work


def command(*words: object, env: dict[str, str] | None = None) -> None:
    """Run one command of the tool; what it says goes to standard error."""
    identity = {
        f"GIT_{who}_{what}": "bench@example.org"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    done = subprocess.run(
        [sys.executable, "-m", "authoring", *map(str, words), "--quiet"],
        cwd=ROOT, env={**os.environ, **identity, **(env or {})}, stdout=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"authoring {' '.join(map(str, words))} ended with {done.returncode}")
