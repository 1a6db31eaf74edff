"""Laws of files: whole or not at all, bounded, inside their folder."""

import errno
import os
from pathlib import Path

import pytest

from authoring.model.errors import CannotJudgeError, UsageError
from authoring.system import files


def test_a_file_is_written_with_its_folders_and_nothing_else_is_left(tmp_path: Path) -> None:
    files.write_atomic(tmp_path / "a" / "b.txt", b"one")
    files.write_atomic(tmp_path / "a" / "b.txt", b"two", mode=0o600)
    assert [path.name for path in tmp_path.rglob("*")] == ["a", "b.txt"]
    assert (tmp_path / "a" / "b.txt").read_bytes() == b"two"
    assert (tmp_path / "a" / "b.txt").stat().st_mode & 0o777 == 0o600


def test_a_full_disk_is_a_coded_error_and_leaves_the_old_file() -> None:
    target = Path("/dev/full/under")
    with pytest.raises(CannotJudgeError) as refused, files.storage(target):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert refused.value.code == "WSP008"


def test_a_write_over_the_file_size_limit_leaves_the_old_file_whole(tmp_path: Path) -> None:
    import resource
    import signal

    target = tmp_path / "data.bin"
    files.write_atomic(target, b"old")
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 12, old[1]))
        with pytest.raises(CannotJudgeError) as refused:
            files.write_atomic(target, b"x" * (1 << 16))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, handler)
    assert refused.value.code == "WSP008"
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["data.bin"]


@pytest.mark.parametrize("name", ["", "/etc/passwd", "../x", "a/../../x", "a\\b", "a\nb", "a\x00b", "."])
def test_a_name_that_leaves_its_folder_is_refused(name: str) -> None:
    with pytest.raises(UsageError) as refused:
        files.safe_relative(name)
    assert refused.value.code == "WSP012"


def test_replacing_a_tree_leaves_exactly_its_files(tmp_path: Path) -> None:
    files.write_tree(tmp_path, {"old/deep/x": b"1", "kept": b"2"})
    files.replace_tree(tmp_path, {"kept": b"3", "new/y": b"4"})
    assert files.read_tree(tmp_path) == {"kept": b"3", "new/y": b"4"}
    assert not (tmp_path / "old").exists()


def test_a_published_tree_appears_whole_and_the_first_one_stays(tmp_path: Path) -> None:
    files.publish_tree(tmp_path / "t", {"a": b"1"})
    files.publish_tree(tmp_path / "t", {"a": b"2"})
    assert files.read_tree(tmp_path) == {"t/a": b"1"}


def test_a_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError) as refused:
        files.read_limited(tmp_path / "pipe", 10)
    assert refused.value.code == "WSP011"


def test_a_folder_is_refused_as_no_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not a regular file") as refused:
        files.read_limited(tmp_path, 10)
    assert refused.value.code == "WSP011"


@pytest.mark.parametrize(("size", "code"), [(10, ""), (11, "WSP010")])
def test_a_file_is_read_up_to_its_bound(tmp_path: Path, size: int, code: str) -> None:
    (tmp_path / "f").write_bytes(b"x" * size)
    if not code:
        assert files.read_limited(tmp_path / "f", 10) == b"x" * size
        return
    with pytest.raises(UsageError) as refused:
        files.read_limited(tmp_path / "f", 10)
    assert refused.value.code == code


def test_text_that_is_not_utf8_is_refused_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"ab\xff")
    with pytest.raises(UsageError, match="byte 2"):
        files.read_text_limited(tmp_path / "f", 10)


def test_partial_files_are_not_read_and_can_be_removed(tmp_path: Path) -> None:
    (tmp_path / ".x.1.partial").write_bytes(b"half")
    (tmp_path / "x").write_bytes(b"whole")
    assert files.read_names(tmp_path) == ["x"]
    files.remove_partials(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["x"]
