"""A submission is read once, as plain files only; only editable text may differ."""

import os
import socket
import subprocess
from pathlib import Path

import pytest

from authoring.model.errors import UsageError
from authoring.validation.grade import Submission, read_submission, violations

PRISTINE = {
    "program.py": b"def f():\n    return 1\n\n\ndef g():\n    return 2\n",
    "checks.json": b"{}",
    "data/table.txt": b"a\n",
}
EDITABLE = ("program.py",)


def refused(submission: Submission) -> list[str]:
    return violations(submission, EDITABLE, PRISTINE)


def test_a_file_of_any_name_stands_for_the_program(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_bytes(b"def f(): return 2\n")
    submission = read_submission(path, "program.py", PRISTINE)
    assert submission.files == {"program.py": b"def f(): return 2\n"}
    assert refused(submission) == []


def test_a_whole_task_folder_with_the_program_changed_is_accepted(tmp_path: Path) -> None:
    for name, data in {**PRISTINE, "program.py": b"x = 1\n"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    assert refused(read_submission(tmp_path, "program.py", PRISTINE)) == []


@pytest.mark.parametrize(
    "name", ["json.py", "conftest.py", "pkg/__init__.py", "program.pyc", "__pycache__/x.pyc"]
)
def test_a_file_that_the_task_does_not_have_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "program.py").write_bytes(PRISTINE["program.py"])
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(b"")
    assert any(repr(name) in reason for reason in refused(read_submission(tmp_path, "program.py", PRISTINE)))


def test_a_changed_file_that_is_not_editable_is_refused() -> None:
    assert refused(Submission({"program.py": b"", "checks.json": b"[]"})) == [
        "'checks.json' was changed and may not be"
    ]


def test_nothing_editable_handed_in_is_refused() -> None:
    assert refused(Submission({"checks.json": b"{}"})) == ["no file that may be changed was handed in"]


def test_links_fifos_sockets_and_second_hard_links_are_no_plain_files(tmp_path: Path) -> None:
    (tmp_path / "box").mkdir()
    (tmp_path / "outside").write_bytes(b"secret")
    (tmp_path / "box/program.py").symlink_to(tmp_path / "outside")
    (tmp_path / "box/folder").symlink_to(tmp_path)
    os.link(tmp_path / "outside", tmp_path / "box/hard")
    os.mkfifo(tmp_path / "box/fifo")
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(tmp_path / "box/socket"))
        submission = read_submission(tmp_path / "box", "program.py", PRISTINE)
    assert submission.files == {}
    assert len(submission.odd) == 5


def test_names_are_shown_escaped(tmp_path: Path) -> None:
    (tmp_path / "a\n\x1b[2J\u202e").write_bytes(b"")
    reasons = refused(read_submission(tmp_path, "program.py", PRISTINE))
    assert all(reason.isascii() and reason.isprintable() for reason in reasons)


def test_a_folder_too_deep_for_recursion_is_read_or_refused(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_bytes(b"x = 1\n")
    here = os.open(tmp_path, os.O_RDONLY)
    try:
        for _ in range(1200):
            os.mkdir("a", dir_fd=here)
            deeper = os.open("a", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = deeper
        os.close(os.open("odd.py", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    finally:
        os.close(here)
    sentences = refused(read_submission(tmp_path, "program.py", PRISTINE))
    subprocess.run(["rm", "-rf", tmp_path / "a"], check=True)
    assert len(sentences) == 1 and "odd.py" in sentences[0]


def test_files_that_are_too_much_together_are_refused_and_not_kept(tmp_path: Path) -> None:
    for at in range(20):
        (tmp_path / f"{at}.bin").write_bytes(bytes(1 << 20))
    submission = read_submission(tmp_path, "program.py", PRISTINE)
    assert submission.files == {}
    assert any("bytes in all" in sentence for sentence in refused(submission))


def test_huge_files_and_many_files_are_refused_in_bounded_time(tmp_path: Path) -> None:
    with (tmp_path / "program.py").open("wb") as file:
        file.truncate(1 << 40)
    assert "larger" in refused(read_submission(tmp_path, "program.py", PRISTINE))[0]
    for at in range(2500):
        (tmp_path / str(at)).touch()
    assert len(refused(read_submission(tmp_path, "program.py", PRISTINE))) <= 20


@pytest.mark.parametrize(
    "data",
    [
        b"\xff",
        b"# -*- coding: utf-7 -*-\n",
        b"# coding: latin-1\nx = 1\n",
        b"\xef\xbb\xbfx = 1\n",
        "x = '\u202e'\n".encode(),
        "x = '\u200b'\n".encode(),
        b"x = 1\x0c\n",
        b"x = 1\ry = 2\n",
        b"x = '\x00'\n",
        b"x" * (300 << 10),
    ],
    ids=[
        "not utf-8",
        "utf-7",
        "latin-1",
        "bom",
        "bidi",
        "zero width",
        "form feed",
        "lone return",
        "nul",
        "long",
    ],
)
def test_text_that_a_reader_sees_otherwise_than_python_is_refused(data: bytes) -> None:
    assert len(refused(Submission({"program.py": data}))) == 1


@pytest.mark.parametrize("data", [b"# coding: utf-8\nx = 1\r\n", "x = 'é\u3000'\n\ty = 1\n".encode()])
def test_ordinary_text_is_accepted(data: bytes) -> None:
    assert refused(Submission({"program.py": data})) == []


def test_a_character_that_the_task_itself_holds_may_stay() -> None:
    pristine = {"program.py": "x = '\u200b'\n".encode()}
    assert violations(Submission({"program.py": "y = '\u200b'\n".encode()}), EDITABLE, pristine) == []


def test_a_patch_is_applied_to_the_pristine_file(tmp_path: Path) -> None:
    path = tmp_path / "fix.patch"
    path.write_text(
        "diff --git a/program.py b/program.py\n--- a/program.py\n+++ b/program.py\n"
        "@@ -1,2 +1,2 @@\n def f():\n-    return 1\n+    return 3\n"
        "@@ -5,2 +5,3 @@\n def g():\n+    x = 1\n     return 2\n"
    )
    submission = read_submission(path, "program.py", PRISTINE)
    assert submission.files == {
        "program.py": b"def f():\n    return 3\n\n\ndef g():\n    x = 1\n    return 2\n"
    }
    assert refused(submission) == []


@pytest.mark.parametrize(
    "text",
    [
        "--- a/program.py\n+++ b/program.py\n@@ -1,2 +1,2 @@\n def f():\n-    return 9\n+    return 3\n",
        "--- a/program.py\n+++ b/other.py\n@@ -1,2 +1,2 @@\n def f():\n-    return 1\n+    return 3\n",
        "--- a/program.py\n+++ /dev/null\n@@ -1,6 +0,0 @@\n-def f():\n-    return 1\n-\n-\n-def g():\n-    return 2\n",
        "--- /dev/null\n+++ b/conftest.py\n@@ -0,0 +1 @@\n+x = 1\n",
        "--- a/../../etc/passwd\n+++ b/../../etc/passwd\n@@ -1 +1 @@\n-a\n+b\n",
        "--- a/checks.json\n+++ b/checks.json\n@@ -1 +1 @@\n-{}\n\\ No newline at end of file\n+[]\n",
        "--- nothing\n",
    ],
    ids=["context", "rename", "removal", "new file", "outside", "not editable", "empty"],
)
def test_a_patch_that_does_not_apply_or_goes_elsewhere_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "fix.diff"
    path.write_text(text)
    assert refused(read_submission(path, "program.py", PRISTINE))


def test_a_candidate_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        read_submission(tmp_path / "absent", "program.py", PRISTINE)
