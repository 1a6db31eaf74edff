"""Figures of execution and grading beside the floor of this machine, measured in the same run.

``python tests/bench/execution.py [--only NAME] [--programs N] [--frames N]`` prints one JSON line a figure. CPU
counts the parent and everything in the boxes. The floors are the probes that lie beside the project, where they
are there: a bare fork server in a box, and a fresh box around a bare interpreter.
"""

import argparse
import ctypes
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
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
        floor = floor_ms("fork_server.py", ["--variant", FULL], 100)
        warm = marginal_ms(False, 1)
        show("warm run", cpu_ms=round(warm, 2), floor_ms=floor, ratio=_ratio(warm, floor), turn=turn)
        floor = cold_floor_ms(40)
        fresh = marginal_ms(True, 1, 40)
        show("fresh run", cpu_ms=round(fresh, 2), floor_ms=floor, ratio=_ratio(fresh, floor), turn=turn)
    for kind in (False, True):
        more = (marginal_ms(kind, 101, 20) - marginal_ms(kind, 1, 20)) / 100
        show("one more check", box="fresh" if kind else "warm", cpu_ms=round(more, 3), bound_ms=1.0)


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


def _ratio(ours: float, floor: float | None) -> float | None:
    return round(ours / floor, 2) if floor else None


def _task(place: Path) -> Any:
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
        material = _task(Path(folder))
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


KINDS = {
    "right": "    return [r for r in rows if cursor is None or (r[0], r[1]) > (cursor[0], cursor[1])][:limit]\n",
    "wrong": "    return [r for r in rows if cursor is None or r[0] > cursor[0]][:limit]\n",
    "raising": "    raise KeyError(limit)\n",
    "looping": "    while True: pass\n",
    "hungry": "    return bytearray(1 << 34)\n",
}
VERDICTS = {"right": "pass", "wrong": "wrong", "raising": "error", "looping": "timeout", "hungry": "resource"}


def _programs(place: Path, count: int) -> list[Path]:
    """Write so many programs, all different, of every kind; loops are rare, since each costs seconds by its nature."""
    rng = random.Random(1)
    place.mkdir()
    paths = []
    for at in range(count):
        kind = rng.choices(list(KINDS), weights=[30, 30, 30, 1, 9])[0]
        path = place / f"{at:05}-{kind}.py"
        head = 'def page_after(rows, cursor, limit):\n    if limit < 1:\n        raise ValueError("limit")\n'
        path.write_text(f"# {at}\n{head}{KINDS[kind]}")
        paths.append(path)
    return paths


_BATCH = """\
import json, resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from authoring.execution import BoxRunner
from authoring.system.journal import Journal
from authoring.validation.grade import Grader, grade_many, load_material
place = Path(sys.argv[2])
material = load_material(place / "task", place / "hidden")
with BoxRunner() as runner, Journal(place / "journal.sqlite") as journal:
    grader = Grader(runner, material, b"k" * 32)
    for item in grade_many(grader, sorted((place / "programs").iterdir()), journal):
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(json.dumps([item.path.name, item.graded.verdict, item.resumed, memory]), flush=True)
"""


def bench_batch(count: int) -> None:
    """Many programs in one call, killed twice and resumed, against each alone."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        material = _task(place)
        programs = _programs(place / "programs", count)
        alone = cpu_of(lambda: _alone(material, programs[: min(100, count)])) / min(100, count)
        lines: list[list[Any]] = []
        began = time.monotonic()
        cpu = cpu_of(lambda: lines.extend(_killed_twice(place, count)))
        last = {name: verdict for name, verdict, _, _ in lines}
        graded = [name for name, _, resumed, _ in lines if not resumed]
        wrong = [name for name, verdict in last.items() if VERDICTS[name[6:-3]] != verdict]
        memory = [memory for *_, memory in lines[-count:]]
        show(
            "batch",
            programs=count,
            lost=count - len(last),
            judged_twice=len(graded) - len(set(graded)),
            unsound=len(wrong),
            cpu_ms_each=round(cpu / count * 1e3, 1),
            alone_ms_each=round(alone * 1e3, 1),
            ratio=round(cpu / count / alone, 2),
            memory_mib=[memory[0], memory[len(memory) // 2], memory[-1]],
            wall_s=round(time.monotonic() - began, 1),
        )


def _alone(material: Any, programs: list[Path]) -> None:
    from authoring.execution import BoxRunner
    from authoring.validation.grade import Grader, read_submission

    with BoxRunner() as runner:
        grader = Grader(runner, material, b"k" * 32)
        for path in programs:
            grader.grade(read_submission(path, "candidate.py", material.pristine))


def _killed_twice(place: Path, count: int) -> Iterator[list[Any]]:
    command = [sys.executable, "-c", _BATCH, str(ROOT), str(place)]
    for stop in (count // 3, 2 * count // 3, None):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        for at, line in enumerate(process.stdout, 1):
            yield json.loads(line)
            if at == stop:
                process.send_signal(signal.SIGKILL)
        process.wait()


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
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # orphans of the boxes are ours to take in, with their CPU
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--only", default="")
    words.add_argument("--programs", type=int, default=300)
    words.add_argument("--frames", type=int, default=1_000_000)
    given, _ = words.parse_known_args()
    benches: dict[str, Callable[[], None]] = {
        "runs": bench_runs,
        "task": bench_task,
        "batch": lambda: bench_batch(given.programs),
        "frames": lambda: bench_frames(given.frames),
    }
    account = own_group()
    ACCOUNT[:] = [account] if account else []
    try:
        for name, bench in benches.items():
            if given.only in name:
                bench()
    finally:
        if account:
            leave_group(account)


if __name__ == "__main__":
    main()
