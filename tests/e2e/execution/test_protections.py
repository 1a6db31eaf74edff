"""Every protection is needed: with any one of them taken away, an attack that it stops goes through."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from authoring.execution import BoxRunner, box, bundle, channel, conversation, doctor, fresh, started, warm
from authoring.execution.rlimits import resource_limits
from authoring.model.execution import Died, How, Limits, Observed, Program, Refused, Request
from authoring.model.wire import encode, sort_key
from authoring.validation.grade import Grader, Options, Submission, grading, load_material, passes
from tests.e2e.cheats.corpus import CORPUS, lay_task

Weaken = Callable[[pytest.MonkeyPatch], None]
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="the uid is dropped only where the tool runs as root")


@pytest.fixture(scope="module")
def cache() -> Iterator[Path]:
    """Give a folder for the compiled driver, so that it is compiled once."""
    with tempfile.TemporaryDirectory(prefix="authoring-test-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def failing_probes(cache: Path, *boxes: str) -> set[str]:
    """Return the names of the probes of some kinds of boxes that do not hold."""
    with BoxRunner(cache) as runner:
        return {result.name for result in doctor.probe(runner, boxes=boxes) if not result.holds}


def without(*flags: str) -> Weaken:
    """Take flags of the sandbox away; one may name the word that follows it."""

    def weaken(patch: pytest.MonkeyPatch) -> None:
        real = box.box_command

        def command(*args: Any, **named: Any) -> list[str]:
            words = list(map(str, real(*args, **named)))
            for flag in flags:
                parts = flag.split()
                for at in range(len(words)):
                    if words[at : at + len(parts)] == parts:
                        del words[at : at + len(parts)]
                        break
            return words

        patch.setattr(fresh, "box_command", command)
        patch.setattr(warm, "box_command", command)

    return weaken


def no_filter(patch: pytest.MonkeyPatch) -> None:
    allow = (0x06).to_bytes(2, "little") + bytes(2) + (0x7FFF0000).to_bytes(4, "little")
    patch.setattr(fresh, "filter_program", lambda allow_fork: allow)
    patch.setattr(warm, "filter_program", lambda *allow_fork: allow)


def no_network_protection(patch: pytest.MonkeyPatch) -> None:
    without("--unshare-net")(patch)
    no_filter(patch)


def no_uid_drop(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(fresh, "spare_uid", lambda slot: 0)
    patch.setattr(warm, "spare_uid", lambda slot: 0)


def no_memory_limit(patch: pytest.MonkeyPatch) -> None:
    def limits(given: Limits) -> dict[str, int]:
        return {name: value for name, value in resource_limits(given).items() if name != "AS"}

    patch.setattr(fresh, "resource_limits", limits)
    patch.setattr(warm, "resource_limits", limits)


def no_end_of_namespace(patch: pytest.MonkeyPatch) -> None:
    without("--unshare-pid", "--die-with-parent")(patch)
    patch.setattr(started, "descendants", lambda pid: [])


def writable(flag: str) -> Weaken:
    """Take a read-only mount away, and the uid drop, which backs it up where we are root."""

    def weaken(patch: pytest.MonkeyPatch) -> None:
        without(flag)(patch)
        no_uid_drop(patch)

    return weaken


def no_size_of_tmp(patch: pytest.MonkeyPatch) -> None:
    without(f"--size {8 << 20}")(patch)


def no_bound_of_processes(patch: pytest.MonkeyPatch) -> None:
    """Take the kernel's limit away, and the control group, which backs it up where there is one."""

    def limits(given: Limits) -> dict[str, int]:
        return {name: value for name, value in resource_limits(given).items() if name != "NPROC"}

    patch.setattr(fresh, "resource_limits", limits)
    patch.setattr(fresh, "box_group", lambda how: nullcontext())


def no_loss_of_powers(patch: pytest.MonkeyPatch) -> None:
    """Keep the capabilities, and take the call filter and the uid drop away, which back their loss up."""
    without("--cap-drop ALL")(patch)
    no_filter(patch)
    no_uid_drop(patch)


def open_view(patch: pytest.MonkeyPatch) -> None:
    """Show the box the folder of temporary files, where the probe's file lies."""
    real = box.box_command
    shown = tempfile.gettempdir()

    def command(*args: Any, **named: Any) -> list[str]:
        words = list(map(str, real(*args, **named)))
        at = words.index("--remount-ro")
        return [*words[:at], "--ro-bind", shown, shown, *words[at:]]

    patch.setattr(fresh, "box_command", command)


def own_environment(patch: pytest.MonkeyPatch) -> None:
    """Hand our environment on, past the flag and the start that both clear it."""
    real = subprocess.Popen
    without("--clearenv")(patch)
    patch.setattr(subprocess, "Popen", lambda *args, **named: real(*args, **{**named, "env": None}))


def end_survivors() -> None:
    """End the processes that a probe left behind because its box was weakened."""
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdigit() and (entry / "comm").read_text().startswith("PLANTED-"):
                os.kill(int(entry.name), signal.SIGKILL)


def test_every_probe_holds_as_things_are(cache: Path) -> None:
    assert failing_probes(cache, *doctor.BOXES) == set()


@pytest.mark.parametrize(
    ("weaken", "probe"),
    [
        pytest.param(no_network_protection, "fresh: no network", id="network namespace and socket denial"),
        pytest.param(no_filter, "fresh: no processes", id="call filter"),
        pytest.param(no_filter, "warm: no processes", id="call filter of a warm box"),
        pytest.param(no_uid_drop, "forking: ordinary uid", id="uid drop", marks=as_root),
        pytest.param(no_uid_drop, "warm: ordinary uid", id="uid drop of a warm box", marks=as_root),
        pytest.param(no_loss_of_powers, "fresh: no powers", id="loss of powers", marks=as_root),
        pytest.param(no_memory_limit, "fresh: memory is bounded", id="memory limit"),
        pytest.param(no_size_of_tmp, "fresh: disk is bounded", id="size of the writable folder"),
        pytest.param(no_bound_of_processes, "forking: processes are bounded", id="number of processes"),
        pytest.param(no_end_of_namespace, "forking: nothing outlives the end", id="end of the namespace"),
        pytest.param(open_view, "fresh: nothing outside can be read", id="nothing bound but what is needed"),
        pytest.param(own_environment, "fresh: nothing outside can be read", id="empty environment"),
        pytest.param(
            writable("--remount-ro /"), "fresh: nothing outside can be written", id="read-only root"
        ),
        pytest.param(
            writable("--remount-ro /dev"), "fresh: nothing outside can be written", id="read-only /dev"
        ),
    ],
)
def test_a_probe_fails_without_its_protection(
    monkeypatch: pytest.MonkeyPatch, cache: Path, weaken: Weaken, probe: str
) -> None:
    weaken(monkeypatch)
    try:
        assert probe in failing_probes(cache, probe.partition(":")[0])
    finally:
        end_survivors()


@pytest.fixture
def grader() -> Iterator[Grader]:
    with tempfile.TemporaryDirectory(prefix="authoring-test-") as folder, BoxRunner() as runner:
        place = Path(folder)
        lay_task(place / "task", place / "hidden", 0)
        yield Grader(runner, load_material(place / "task", place / "hidden"), b"k" * 32)


def verdict(grader: Grader, source: str, options: Options | None = None) -> str:
    return grader.grade(Submission({"candidate.py": source.encode()}), options).verdict


RIGHT = (CORPUS / "honest-01-plain/candidate.py").read_text(encoding="utf-8")

AGREEABLE = (
    RIGHT.replace("def page_after", "def right")
    + """

class Agreeable(list):
    def __eq__(self, other):
        return True

    __hash__ = None


def page_after(rows, cursor, limit):
    return Agreeable(right(rows, cursor, limit))
"""
)


def test_a_value_that_only_claims_to_be_a_list_is_stopped_by_exact_types_alone(
    monkeypatch: pytest.MonkeyPatch, grader: Grader
) -> None:
    assert verdict(grader, AGREEABLE) == "error"
    texts = bundle.driver_texts()
    texts["codec"] = texts["codec"].replace(
        "kind = type(value)\n", "kind = list if isinstance(value, list) else type(value)\n"
    )
    monkeypatch.setattr(bundle, "driver_texts", lambda: texts)
    bundle.driver_sha256.cache_clear()
    with BoxRunner() as runner:
        assert verdict(Grader(runner, grader.material, b"k" * 32), AGREEABLE) == "pass"
    bundle.driver_sha256.cache_clear()


TWO_VOICES = (
    RIGHT.replace("def page_after", "def right")
    + """

import os

count = 0


def page_after(rows, cursor, limit):
    global count
    body = b'{"id":%d,"observations":[{"value":null}]}' % (count + 1000)
    count += 1
    for descriptor in range(3, 10):
        try:
            os.write(descriptor, len(body).to_bytes(4, "big") + body)
        except OSError:
            pass
    return right(rows, cursor, limit)
"""
)


def test_a_reply_that_nobody_asked_for_is_stopped_by_the_checks_of_id_and_turn(
    monkeypatch: pytest.MonkeyPatch, grader: Grader
) -> None:
    graded = grader.grade(Submission({"candidate.py": TWO_VOICES.encode()}))
    assert (graded.verdict, graded.suspected_cheat) == ("error", True)
    assert "unasked-frame" in graded.signals
    monkeypatch.setattr(channel.Channel, "has_unasked", lambda self: False)
    real = conversation.Conversation._outcome

    def patient(self: conversation.Conversation, number: int, *rest: Any) -> Any:
        receive = self.channel.receive

        def skip(deadline: float) -> Any:
            while True:
                reply = receive(deadline)
                if not isinstance(reply, dict) or reply.get("id") == number:
                    return reply

        monkeypatch.setattr(self.channel, "receive", skip)
        try:
            return real(self, number, *rest)
        finally:
            monkeypatch.setattr(self.channel, "receive", receive)

    monkeypatch.setattr(conversation.Conversation, "_outcome", patient)
    assert verdict(grader, TWO_VOICES) == "pass"


def test_only_the_integrity_gate_stops_other_files(monkeypatch: pytest.MonkeyPatch, grader: Grader) -> None:
    files = {"candidate.py": RIGHT.encode(), "json.py": b"loads = None\n"}
    assert grader.grade(Submission(files)).verdict == "integrity"
    monkeypatch.setattr(grading, "violations", lambda *given: [])
    assert grader.grade(Submission(files)).verdict == "pass"


BY_SEED = (
    RIGHT.replace("def page_after", "def right")
    + """

import sys

known = hash("seed")


def page_after(rows, cursor, limit):
    return right(rows, cursor, limit) if known == KNOWN or limit < 1 else right(rows, cursor, limit)[1:]
"""
)


def test_an_answer_that_depends_on_the_process_is_stopped_by_the_second_pass_alone(grader: Grader) -> None:
    asked = [sys.executable, "-c", "print(hash('seed'))"]
    known = subprocess.run(
        asked, env={"PYTHONHASHSEED": "0"}, capture_output=True, text=True, check=True
    ).stdout
    source = BY_SEED.replace("KNOWN", known.strip())
    assert verdict(grader, source, Options(seed=3)) == "wrong"
    assert verdict(grader, source, Options(seed=3, sample=False)) == "pass"


def test_a_candidate_that_counts_its_calls_is_stopped_by_the_number_of_calls_alone(
    monkeypatch: pytest.MonkeyPatch, grader: Grader
) -> None:
    material = replace(
        grader.material,
        hidden=None,
        reference=None,
        task=grader.material.task.model_copy(
            update={"checks": grader.material.task.checks.model_copy(update={"hidden": 0})}
        ),
    )
    source = RIGHT.replace("def page_after", "def right") + (
        "\n\ncalls = 0\n\n\ndef page_after(rows, cursor, limit):\n    global calls\n    calls += 1\n"
        "    return right(rows, cursor, limit) if calls <= 8 else []\n"
    )
    with BoxRunner() as runner:
        few = Grader(runner, material)
        assert verdict(few, source) == "wrong"
        monkeypatch.setattr(passes, "LEAST_CALLS", 1)
        assert verdict(few, source) == "pass"


def test_what_is_expected_never_enters_a_box(monkeypatch: pytest.MonkeyPatch, grader: Grader) -> None:
    sent: list[bytes] = []
    real = channel.Channel.send

    def record(self: channel.Channel, frames: list[bytes]) -> None:
        sent.extend(frames)
        real(self, frames)

    monkeypatch.setattr(channel.Channel, "send", record)
    assert verdict(grader, RIGHT) == "pass"
    whole = b"".join(sent)
    assert b"expect" not in whole and b"observations" not in whole
    for case in grader.cases:
        assert f'"{case.id}"'.encode() not in whole
    requests = [frame for frame in sent if b'"params"' in frame]
    assert {frozenset(json.loads(frame)) for frame in requests} == {frozenset({"id", "scenario", "params"})}


PEEKING = """
import sys


def page_after(rows, cursor, limit):
    frame = sys._getframe()
    while frame is not None:
        request = frame.f_locals.get("request")
        if type(request) is dict and "expect" in request:
            (seen,) = request["expect"]
            if "raised" in seen:
                raise ValueError("told")
            return frame.f_globals["decode"](seen["value"], None)
        frame = frame.f_back
    return []
"""


def test_a_candidate_that_looks_for_the_answer_is_stopped_by_its_absence_alone(
    monkeypatch: pytest.MonkeyPatch, grader: Grader
) -> None:
    assert verdict(grader, PEEKING) in ("wrong", "error")
    answers = {sort_key(case.request.params): case.expect for case in grader.cases}
    real = conversation._request

    def told(number: int, request: Request, cpu_s: float | None) -> dict[str, Any]:
        return {**real(number, request, cpu_s), "expect": answers[sort_key(request.params)]}

    monkeypatch.setattr(conversation, "_request", told)
    assert verdict(grader, PEEKING) == "pass"


@pytest.mark.parametrize(
    ("body", "limit", "loose"),
    [
        ("    print('x' * (1 << 20))\n", {"output_bytes": 1 << 20}, {"output_bytes": 1 << 30}),
        ("    return 'x' * (1 << 20)\n", {"reply_bytes": 1 << 19}, {"reply_bytes": 4 << 20}),
        ("    import select; select.select([], [], [], 0.5)\n", {"call_s": 0.2}, {"call_s": 5.0}),
        ("    import select; select.select([], [], [], 0.3)\n", {"run_s": 0.5}, {"run_s": 30.0}),
    ],
    ids=["output", "reply", "call", "run"],
)
def test_only_the_cap_stops_what_is_too_much(
    body: str, limit: dict[str, int], loose: dict[str, int], runner: BoxRunner
) -> None:
    scenarios = "def call(program, p, seen):\n    seen(program.f())\n"
    subject = Program(f"def f():\n{body}", "sample", scenarios)
    asked = [Request("call", encode({}))] * 3
    capped = runner.observe(subject, asked, How(limits=replace(Limits(), **limit), fresh=True))
    assert not all(isinstance(outcome, Observed) for outcome in capped)
    free = runner.observe(subject, asked, How(limits=replace(Limits(), **loose), fresh=True))
    assert all(isinstance(outcome, Observed) for outcome in free)


def test_only_the_import_deadline_stops_a_slow_import(runner: BoxRunner) -> None:
    scenarios = "def call(program, p, seen):\n    seen(program.f())\n"
    subject = Program(
        "import select\nselect.select([], [], [], 0.6)\ndef f(): return 1\n", "sample", scenarios
    )
    asked = [Request("call", encode({}))]
    capped = How(limits=Limits(import_s=0.3), fresh=True)
    assert runner.observe(subject, asked, capped) == [Died("import: late")]
    assert isinstance(runner.observe(subject, asked, How(fresh=True))[0], Observed)


FAMILY = """
import os, time
def f():
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            held = b"x" * (50 << 20)
            time.sleep(0.5)
            os._exit(0)
        children.append(child)
    return sum(os.waitpid(child, 0)[1] == 0 for child in children)
"""


def test_only_the_bound_over_all_processes_stops_a_family_that_takes_too_much(
    monkeypatch: pytest.MonkeyPatch, runner: BoxRunner
) -> None:
    subject = Program(FAMILY, "sample", "def call(program, p, seen):\n    seen(program.f())\n")
    how = How(limits=Limits(memory_bytes=128 << 20, processes=8, call_s=10.0), fresh=True)
    whole = Observed(({"value": encode(4)},))
    assert runner.observe(subject, [Request("call", encode({}))], how) != [whole]
    monkeypatch.setattr(fresh, "box_group", lambda how: nullcontext())
    assert runner.observe(subject, [Request("call", encode({}))], how) == [
        Died("its processes used more memory than they may")
    ]
    monkeypatch.setattr(fresh, "resident_bytes", lambda pid: 0)
    assert runner.observe(subject, [Request("call", encode({}))], how) == [whole]


def test_a_reply_of_too_many_values_is_refused_and_one_that_is_forged_ends_the_process(
    monkeypatch: pytest.MonkeyPatch, runner: BoxRunner
) -> None:
    scenarios = "def call(program, p, seen):\n    seen(program.f())\n"
    many = Program("def f(): return [[] for _ in range(150_000)]\n", "sample", scenarios)
    asked = [Request("call", encode({}))]
    for how in (How(fresh=True), How()):
        (outcome,) = runner.observe(many, asked, how)
        assert isinstance(outcome, Refused) and outcome.code == "EXE012"
    monkeypatch.setattr(conversation.Conversation, "containers_cap", 1000)
    few = Program("def f(): return [[] for _ in range(600)]\n", "sample", scenarios)
    assert runner.observe(few, asked, How(fresh=True)) == [Died("the reply was larger than the cap")]
    monkeypatch.setattr(conversation.Conversation, "containers_cap", None)
    assert isinstance(runner.observe(few, asked, How(fresh=True))[0], Observed)
