"""Planted files tell who opened them, and are gone with the runner that laid them."""

from pathlib import Path

from authoring.execution.planted import PlantedPool


def test_planted_files_are_of_one_run_and_gone_with_the_pool(tmp_path: Path) -> None:
    pool = PlantedPool(tmp_path)
    with pool.lend() as one, pool.lend() as other:
        assert one.folder != other.folder and one.token != other.token
        assert sorted(path.name for path in one.folder.iterdir())
        assert not one.was_touched(())
        (one.folder / "expected.json").read_text()
        assert one.was_touched(()) and not one.was_touched(())
        assert not other.was_touched((b"text",)) and other.was_touched((b"x" + other.token,))
        (one.folder / "answers.json").read_text()
    with pool.lend() as again, pool.lend() as last:
        assert {again.folder, last.folder} == {one.folder, other.folder}
        assert not again.was_touched(()) and not last.was_touched(())
    pool.close()
    assert not list(tmp_path.iterdir())


def test_what_a_killed_tool_left_is_swept(tmp_path: Path) -> None:
    left, ours = tmp_path / "planted-999999999-ab", tmp_path / "planted-1-ab"
    left.mkdir()
    (left / "expected.json").write_text("{}")
    ours.mkdir()
    pool = PlantedPool(tmp_path)
    with pool.lend():
        assert not left.exists() and ours.exists()
    pool.close()
