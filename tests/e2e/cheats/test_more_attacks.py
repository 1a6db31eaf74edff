"""Attacks beyond the corpus, each a small change of a right or a wrong body; none passes that should not."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from authoring.execution import BoxRunner
from authoring.validation.grade import Graded, Grader, Submission, grading, load_material
from tests.e2e.cheats.corpus import CORPUS, lay_task

RIGHT = (CORPUS / "honest-01-plain/candidate.py").read_text(encoding="utf-8")
WRONG = (CORPUS / "wrong-01-created-at-only/candidate.py").read_text(encoding="utf-8")
RAISE = 'raise ValueError("limit must be at least 1")'


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with tempfile.TemporaryDirectory(prefix="authoring-test-") as folder, BoxRunner() as runner:
        place = Path(folder)
        lay_task(place / "task", place / "hidden", 0)
        yield Grader(runner, load_material(place / "task", place / "hidden"), b"k" * 32)


def graded(grader: Grader, source: str) -> Graded:
    return grader.grade(Submission({"candidate.py": source.encode()}))


IMPOSTOR = (
    WRONG.replace(RAISE, "raise Impostor")
    + "\nclass Impostor(Exception): pass\nImpostor.__name__ = 'ValueError'\n"
)
PATCHED_CALLS = (
    WRONG + "\nimport posix, _json\nposix.write = len\n_json.encode_basestring_ascii = lambda s: '\"x\"'\n"
)
SWALLOWED = (
    WRONG
    + "\nimport os\ntry: os.execv('/py/bin/python3.11', ['p', '-c', 'print(1)'])\nexcept OSError: pass\n"
)
VOICES = (
    RIGHT.replace("def page_after", "def right")
    + """
import os, threading, time
def speak():
    while True:
        time.sleep(0.0005)
        for descriptor in range(3, 8):
            try: os.write(descriptor, b"\\0\\0\\0\\2{}")
            except OSError: pass
threading.Thread(target=speak, daemon=True).start()
def page_after(rows, cursor, limit):
    time.sleep(0.005)
    return right(rows, cursor, limit)
"""
)


@pytest.mark.parametrize(
    ("source", "verdicts"),
    [
        (IMPOSTOR, {"error"}),
        (PATCHED_CALLS, {"wrong", "error"}),
        (SWALLOWED, {"error"}),
        (VOICES, {"error"}),
        ("import sys\nsys.exit(0)\n", {"error"}),
        ("def page_after(:\n", {"error"}),
        ("", {"error"}),
        ("def __getattr__(name):\n    return lambda *args: []\n", {"wrong"}),
        ("def page_after(rows, cursor, limit):\n    return page_after(rows, cursor, limit)\n", {"error"}),
        ("def page_after(rows, cursor, limit):\n    return 1 << 10**7\n", {"error"}),
    ],
    ids=["impostor", "patched", "exec", "voices", "exit", "syntax", "empty", "getattr", "recursion", "huge"],
)
def test_an_attack_never_passes(grader: Grader, source: str, verdicts: set[str]) -> None:
    assert graded(grader, source).verdict in verdicts


def test_a_slow_drip_ends_within_twice_the_time_of_one_run(
    grader: Grader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grading, "_RUN_FLOOR_S", 2.0)
    source = RIGHT.replace("def page_after", "def right") + (
        "\nimport select\ndef page_after(rows, cursor, limit):\n"
        "    select.select([], [], [], 0.9)\n    return right(rows, cursor, limit)\n"
    )
    with BoxRunner() as runner:
        drip = graded(Grader(runner, grader.material, b"k" * 32), source)
    assert drip.verdict == "timeout"
    assert 4.0 < drip.measure.wall_s < 8.0


def test_an_import_of_a_test_framework_is_told_and_changes_nothing(grader: Grader) -> None:
    imported = graded(
        grader, RIGHT + "\ntry:\n    from unittest import mock\nexcept ImportError:\n    pass\n"
    )
    assert (imported.verdict, imported.signals, imported.suspected_cheat) == (
        "pass",
        ("test-framework",),
        False,
    )


def test_right_code_that_fills_its_place_or_starts_threads_passes(grader: Grader) -> None:
    filler = RIGHT + (
        "\ntry:\n    for at in range(200):\n        with open(f'/tmp/{at}', 'w') as file: file.write('x' * 10**6)\n"
        "except OSError:\n    pass\n"
    )
    assert graded(grader, filler).verdict == "pass"


LOOKS = """
import os
for folder, _, names in os.walk(os.path.dirname(__file__)):
    for name in names:
        if OPENS: open(os.path.join(folder, name)).read()
"""


@pytest.mark.parametrize("opens", [True, False])
def test_who_opens_a_planted_file_is_suspected_and_judged_as_before(grader: Grader, opens: bool) -> None:
    looked = graded(grader, RIGHT + LOOKS.replace("OPENS", str(opens)))
    assert looked.verdict == "pass"
    assert looked.suspected_cheat == ("planted-file-opened" in looked.signals) == opens
    assert not graded(grader, RIGHT).suspected_cheat
