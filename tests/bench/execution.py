"""Figures of execution and grading beside the floor of this machine, measured in the same run.

``python tests/bench/execution.py [--only NAME] [--frames N]`` prints one JSON line a figure. CPU
counts the parent and everything in the boxes. The floors are the probes that lie beside the project, where they
are there: a bare fork server in a box, and a fresh box around a bare interpreter.
"""

import argparse
import ctypes
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PROBES = ROOT.parent / "shared" / "probes"

SOURCE = """\
def page_after(rows, cursor, limit):
    if limit < 1:
        raise ValueError("limit")
    return [r for r in rows if cursor is None or (r[0], r[1]) > (cursor[0], cursor[1])][:limit]
"""
SCENARIOS = 'def call(program, p, seen):\n    seen(program.page_after(p["rows"], p["cursor"], p["limit"]))\n'
PARAMS = {"rows": [[1, 1, "a"], [1, 2, "b"], [2, 1, "c"]], "cursor": [1, 1], "limit": 2}


def reap() -> None:
    """Take in the processes that were left to us, so that their CPU is counted."""
    time.sleep(0.2)
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def cpu_of(action: Callable[[], Any]) -> float:
    """Return the CPU seconds of an action, ours and those of all its processes.

    Processes that are killed together are not all taken in by anyone, so the kernel's own account of a control
    group is read where we may make one.
    """
    reap()
    before = _cpu()
    action()
    reap()
    return _cpu() - before


def own_group() -> Path | None:
    """Move this process into an accounting group of its own and return the group, or None where it cannot be."""
    for parent, file in (
        (Path("/sys/fs/cgroup/cpuacct"), "cpuacct.usage"),
        (Path("/sys/fs/cgroup"), "cpu.stat"),
    ):
        group = parent / f"authoring-bench-{os.getpid()}"
        if (parent / "cgroup.procs").exists() and os.access(parent, os.W_OK):
            group.mkdir()
            (group / "cgroup.procs").write_text(str(os.getpid()))
            return group / file
    return None


def leave_group(account: Path) -> None:
    """Go back to the group above and remove ours."""
    (account.parents[1] / "cgroup.procs").write_text(str(os.getpid()))
    reap()
    account.parent.rmdir()


ACCOUNT: list[Path] = []


@contextmanager
def accounted() -> Iterator[None]:
    """Have the CPU of this process and of all that it starts counted while the block runs."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # orphans of the boxes are ours to take in, with their CPU
    account = own_group()
    ACCOUNT[:] = [account] if account else []
    try:
        yield
    finally:
        ACCOUNT.clear()
        if account:
            leave_group(account)


def _cpu() -> float:
    if ACCOUNT:
        text = ACCOUNT[0].read_text()
        return int(text) / 1e9 if ACCOUNT[0].name == "cpuacct.usage" else int(text.split()[1]) / 1e6
    parts = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(part.ru_utime + part.ru_stime for part in parts)


def show(name: str, **figures: Any) -> None:
    """Print one line."""
    sys.stdout.write(json.dumps({"figure": name, **figures}) + "\n")
    sys.stdout.flush()


def probe(script: str, *words: str) -> list[dict[str, Any]]:
    """Run a probe and return its lines; none where the probes are not there."""
    from authoring.execution import find_interpreter
    from authoring.execution.box import bwrap_path

    path = PROBES / script
    if not path.is_file():
        return []
    command = [
        sys.executable,
        str(path),
        "--bwrap",
        str(bwrap_path()),
        "--python",
        str(find_interpreter().binary),
    ]
    done = subprocess.run([*command, *words], capture_output=True, text=True, check=True, timeout=600)
    return [json.loads(line) for line in done.stdout.splitlines()]


def observe(fresh: bool, runs: int, requests: int) -> Callable[[], None]:
    """Return an action that observes a small program so many times."""
    from authoring.execution import BoxRunner
    from authoring.model.execution import How, Limits, Observed, Program, Request
    from authoring.model.wire import encode

    subject = Program(SOURCE, "sample", SCENARIOS)
    asked = [Request("call", encode(PARAMS))] * requests
    how = How(limits=Limits() if fresh else Limits(call_cpu_s=0.1), fresh=fresh)

    def action() -> None:
        with BoxRunner() as runner:
            for _ in range(runs):
                if not all(isinstance(one, Observed) for one in runner.observe(subject, asked, how)):
                    raise SystemExit("a run failed")

    return action


def marginal_ms(fresh: bool, requests: int, runs: int = 100) -> float:
    """Return CPU milliseconds a run, without what starting costs once."""
    few = cpu_of(observe(fresh, 5, requests))
    many = cpu_of(observe(fresh, 5 + runs, requests))
    return (many - few) / runs * 1e3


def bench_runs() -> None:
    """A run through the warm server and in a fresh box against their floors; one more check."""
    for turn in range(3):
        measured = [(marginal_ms(False, 1), floor_ms("fork_server.py", ["--variant", FULL], 100))]
        show_ratio("warm run", measured, turn)
        show_ratio("fresh run", [(marginal_ms(True, 1, 20), cold_floor_ms(20)) for _ in range(4)], turn)
    for kind in (False, True):
        more = (marginal_ms(kind, 101, 20) - marginal_ms(kind, 1, 20)) / 100
        show("one more check", box="fresh" if kind else "warm", cpu_ms=round(more, 3), bound_ms=1.0)


def show_ratio(name: str, measured: list[tuple[float, float | None]], turn: int) -> None:
    """Print the means of runs and floors that were measured in turn, since the machine's speed wanders."""
    ours = sum(one for one, _ in measured) / len(measured)
    floors = [floor for _, floor in measured if floor is not None]
    floor = sum(floors) / len(floors) if floors else None
    shown = None if floor is None else round(floor, 2)
    show(name, cpu_ms=round(ours, 2), floor_ms=shown, ratio=ratio(ours, floor), turn=turn)


FULL = "+ pid,mnt(tmpfs,proc),ipc,uts,seccomp"


def floor_ms(script: str, words: list[str], runs: int) -> float | None:
    """Return CPU milliseconds a run of a probe, counted as ours are, or None where there are no probes."""
    if not (PROBES / script).is_file():
        return None
    few = cpu_of(lambda: probe(script, *words, "--n", "10"))
    many = cpu_of(lambda: probe(script, *words, "--n", str(10 + runs)))
    return round((many - few) / runs * 1e3, 2)


def cold_floor_ms(runs: int) -> float | None:
    """Return CPU milliseconds of a fresh box around a bare interpreter, with the flags of the probe."""
    if not (PROBES / "cold_start.py").is_file():
        return None
    from authoring.execution import find_interpreter
    from authoring.execution.box import bwrap_path

    sys.path.insert(0, str(PROBES))
    cold_start: Any = __import__("cold_start")
    binary = find_interpreter().binary
    inside = "/py/bin/" + binary.name
    command = [
        str(bwrap_path()),
        *cold_start.base_flags(str(binary.parents[1])),
        inside,
        "-I",
        "-S",
        "-c",
        "pass",
    ]
    null = os.open(os.devnull, os.O_RDWR)
    cpu = cpu_of(lambda: [cold_start.run_once(command, null) for _ in range(runs)])
    os.close(null)
    return round(cpu / runs * 1e3, 2)


def ratio(ours: float, floor: float | None) -> float | None:
    return round(ours / floor, 2) if floor else None


def laid_task(place: Path) -> Any:
    from authoring.validation.grade import load_material
    from tests.e2e.cheats.corpus import lay_task

    lay_task(place / "task", place / "hidden", 0)
    return load_material(place / "task", place / "hidden")


def bench_task() -> None:
    """A task of 65 checks, graded: a right and a wrong candidate."""
    from authoring.execution import BoxRunner
    from authoring.validation.grade import Grader, Submission
    from tests.e2e.cheats.corpus import CORPUS

    with tempfile.TemporaryDirectory() as folder:
        material = laid_task(Path(folder))
        for name in ("honest-01-plain", "wrong-01-created-at-only"):
            source = (CORPUS / name / "candidate.py").read_bytes()

            def action(times: int, source: bytes = source) -> None:
                with BoxRunner() as runner:
                    grader = Grader(runner, material, b"k" * 32)
                    for _ in range(times):
                        grader.grade(Submission({"candidate.py": source}))

            began = time.monotonic()
            cpu = (cpu_of(lambda: action(11)) - cpu_of(lambda: action(1))) / 10
            wall = (time.monotonic() - began) / 12
            show("task of 65 checks", candidate=name, cpu_s=round(cpu, 3), wall_s=round(wall, 3), bound_s=0.5)


def bench_frames(count: int) -> None:
    """Mutated frames against the decoder: nothing but clean verdicts."""
    from tests.property.frames import corpus_of_frames, mutated, verdict_of

    rng = random.Random(7)
    seeds = corpus_of_frames()
    tally: dict[str, int] = {}
    began = time.process_time()
    for _ in range(count):
        verdict = verdict_of(mutated(rng.choice(seeds), rng))
        tally[verdict] = tally.get(verdict, 0) + 1
    show("frames", frames=count, verdicts=tally, cpu_s=round(time.process_time() - began, 1))


def main() -> None:
    """Run the benchmarks, or those whose name holds a word."""
    sys.path.insert(0, str(ROOT))
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--only", default="")
    words.add_argument("--frames", type=int, default=1_000_000)
    given, _ = words.parse_known_args()
    benches: dict[str, Callable[[], None]] = {
        "runs": bench_runs,
        "task": bench_task,
        "frames": lambda: bench_frames(given.frames),
    }
    with accounted():
        for name, bench in benches.items():
            if given.only in name:
                bench()


if __name__ == "__main__":
    main()
