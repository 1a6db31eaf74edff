"""Thousands of programs graded in one call of the command, killed twice and resumed, beside each kind alone.

``./dev bench batch [--programs N] [--kills N]`` prints JSON lines; 10,000 programs take about a quarter of an
hour on two cores. CPU counts the parent and everything in the boxes. The single run is measured on programs of the
same kinds, before and after each part, and weighted by how many of each kind the batch holds.
"""

import argparse
import hashlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from tests.bench.execution import ROOT, accounted, cpu_of, laid_task, show

HEAD = 'def page_after(rows, cursor, limit):\n    if limit < 1:\n        raise ValueError("limit")\n'
BODIES = {
    "right": "    return [r for r in rows if cursor is None or (r[0], r[1]) > (cursor[0], cursor[1])][:limit]\n",
    "wrong": "    return [r for r in rows if cursor is None or r[0] > cursor[0]][:limit]\n",
    "raising": "    raise KeyError(limit)\n",
    "looping": "    while True: pass\n",
    "hungry": "    return bytearray(1 << 34)\n",
}
WEIGHTS = {"right": 30, "wrong": 30, "raising": 30, "looping": 0.2, "hungry": 9.8}
VERDICTS = {"right": "pass", "wrong": "wrong", "raising": "error", "looping": "timeout", "hungry": "resource"}
ALONE = {"right": 12, "wrong": 20, "raising": 20, "looping": 2, "hungry": 20}
POLL_S = 4.0


def write_programs(place: Path, count: int) -> list[Path]:
    """Write so many programs, all different, of every kind; loops are rare, since each takes seconds by its nature."""
    rng = random.Random(1)
    place.mkdir()
    kinds = [*BODIES, *rng.choices(list(WEIGHTS), weights=list(WEIGHTS.values()), k=count - len(BODIES))]
    rng.shuffle(kinds)
    paths = []
    for at, kind in enumerate(kinds):
        path = place / f"{at:05}-{kind}.py"
        path.write_text(f"# {at}\n{HEAD}{BODIES[kind]}")
        paths.append(path)
    return paths


def kind_of(path: Path) -> str:
    """Return what a program does, from its name."""
    return path.stem.partition("-")[2]


def alone_ms(place: Path) -> dict[str, float]:
    """Return CPU milliseconds of judging one program of each kind, one after another in a process that is up."""
    from authoring.execution import BoxRunner
    from authoring.validation.grade import Grader, Submission

    material = laid_task(place)
    result = {}
    with BoxRunner() as runner:
        grader = Grader(runner, material, b"k" * 32)

        def judge(kind: str, times: int, tag: str) -> None:
            for at in range(times):
                source = f"# {tag} {at}\n{HEAD}{BODIES[kind]}"
                graded = grader.grade(Submission({"candidate.py": source.encode()}))
                if graded.verdict != VERDICTS[kind]:
                    raise SystemExit(f"a {kind} program was judged {graded.verdict}")

        judge("wrong", 2, "first")
        for kind, times in ALONE.items():
            result[kind] = cpu_of(partial(judge, kind, times, "alone")) / times * 1e3
    return result


def grading(workspace: Path, programs: list[Path]) -> subprocess.Popen[bytes]:
    """Start the real command on all programs; its document goes to a file beside the workspace."""
    words = [sys.executable, "-m", "authoring", "--json", "--workspace", str(workspace), "grade", "page/base"]
    with (workspace.parent / "document.json").open("wb") as document:
        return subprocess.Popen(
            [*words, *map(str, programs)], cwd=ROOT, stdout=document, stderr=subprocess.DEVNULL
        )


def journalled(workspace: Path) -> dict[str, str]:
    """Return the digests of the verdicts that are durable, with all that was measured, by submission."""
    path = workspace / ".authoring/journal.sqlite"
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        rows = database.execute("SELECT key, value FROM facts WHERE space LIKE 'grade:%'")
        return {key: hashlib.sha256(value.encode()).hexdigest() for key, value in rows}


def how_many(workspace: Path) -> int:
    """Return how many verdicts are durable."""
    path = workspace / ".authoring/journal.sqlite"
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        try:
            return int(
                database.execute("SELECT COUNT(*) FROM facts WHERE space LIKE 'grade:%'").fetchone()[0]
            )
        except sqlite3.OperationalError:
            return 0


def memory_mib(pid: int, field: str) -> int:
    """Return a memory figure of a process from the kernel, or 0 where it is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) // 1024 for line in lines if line.startswith(field)), 0)


def watched(workspace: Path, programs: list[Path], stop: int | None, memory: list[int]) -> None:
    """Run the command to its end, or kill it once so many verdicts are durable; add its memory over time, MiB."""
    process = grading(workspace, programs)
    while process.poll() is None:
        time.sleep(POLL_S if stop is None or stop > 2000 else 0.5)
        memory += [figure for figure in (memory_mib(process.pid, "VmRSS"),) if figure]
        if stop is not None and how_many(workspace) >= stop:
            process.send_signal(signal.SIGKILL)
            process.wait()


def killed_and_resumed(workspace: Path, programs: list[Path], kills: int) -> Iterator[dict[str, Any]]:
    """Grade all programs, killing the command so often; yield the figures of each part, then what became of all."""
    count = len(programs)
    snapshots: list[dict[str, str]] = []
    memory: list[int] = []  # of all parts, one after another
    for turn in range(kills + 1):
        stop = None if turn == kills else (turn + 1) * count // (kills + 1)
        own = time.process_time()
        cpu_s = cpu_of(partial(watched, workspace, programs, stop, memory))
        yield {"cpu_s": cpu_s - (time.process_time() - own)}
        snapshots.append(journalled(workspace))
    final = snapshots[-1]
    document = json.loads((workspace.parent / "document.json").read_text())
    told = document["data"]["candidates"]
    verdicts = {Path(one["path"]): one["verdict"] for one in told}
    yield {
        "programs": count,
        "durable_at_kills": [len(one) for one in snapshots[:-1]],
        "verdicts": len(told),
        "lost": len(set(programs) - set(verdicts)),
        "told_twice": len(told) - len(verdicts),
        "judged_twice": sum(final.get(key) != value for one in snapshots[:-1] for key, value in one.items()),
        "resumed": sum(one["resumed"] for one in told),
        "unsound": sum(VERDICTS[kind_of(path)] != verdict for path, verdict in verdicts.items()),
        "by_verdict": dict(sorted(Counter(verdicts.values()).items())),
        "parent_mib": memory[:: max(1, len(memory) // 8)],
        "parent_mib_most": max(memory, default=0),
    }


def bench_batch(count: int, kills: int) -> None:
    """Print the figures of one batch beside those of single programs."""
    from tests.e2e.cheats.corpus import lay_task

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        workspace = place / "workspace"
        identity = {
            f"GIT_{who}_{what}": "a@example.org"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        }
        subprocess.run(
            [sys.executable, "-m", "authoring", "init", str(workspace)],
            cwd=ROOT, env={**os.environ, **identity}, check=True, capture_output=True,
        )  # fmt: skip
        lay_task(workspace / "public/tasks/page/base", workspace / "hidden/page/base", 0)
        programs = write_programs(place / "programs", count)
        kinds = Counter(map(kind_of, programs))
        command_ms = cpu_of(lambda: grading(workspace, programs[:1]).wait()) * 1e3
        singles = [alone_ms(place / "alone-0")]
        facts: dict[str, Any] = {}
        began = time.monotonic()
        cpu_s = 0.0
        for part in killed_and_resumed(workspace, programs, kills):
            if "cpu_s" in part:
                cpu_s += part["cpu_s"]
                singles.append(alone_ms(place / f"alone-{len(singles)}"))
            facts = part
        alone = [sum(kinds[kind] * single[kind] for kind in kinds) / count for single in singles]
        show("batch", **facts, kills=kills, wall_s=round(time.monotonic() - began, 1))
        show(
            "batch cost",
            cpu_ms_each=round(cpu_s / count * 1e3, 1),
            alone_ms_each=[round(one, 1) for one in alone],
            ratio=round(cpu_s * 1e3 / count / (sum(alone) / len(alone)), 3),
            command_with_one_ms=round(command_ms, 1),
            alone_by_kind_ms={kind: [round(one[kind], 1) for one in singles] for kind in BODIES},
        )


def main() -> None:
    """Run the benchmark."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--programs", type=int, default=300)
    words.add_argument("--kills", type=int, default=2)
    given, _ = words.parse_known_args()
    with accounted():
        bench_batch(given.programs, given.kills)


if __name__ == "__main__":
    main()
