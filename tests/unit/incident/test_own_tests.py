"""Where the project's own tests are found, and what of them is copied."""

from pathlib import Path

import pytest

from authoring.incident.own_tests import OwnTests, read_tests
from authoring.model.errors import UsageError
from authoring.model.incident import Incident


def folders(place: Path) -> Incident:
    for side in ("broken", "fixed"):
        (place / side / "tests" / "deep").mkdir(parents=True)
        (place / side / "meter.py").write_text(f"side = {side!r}\n")
        (place / side / "conftest.py").write_text("")
        (place / side / "tests" / "conftest.py").write_text("")
        (place / side / "tests" / "test_meter.py").write_text(f"# {side}\n")
        (place / side / "tests" / "deep" / "rows.txt").write_text("1\n")
    return Incident(id="meter", broken="broken", fixed="fixed", directories=True)


RELEASES = Incident(id="meter", broken="1.0", fixed="1.1", package="meter")


def test_tests_of_the_fixed_side_come_with_what_configures_them(tmp_path: Path) -> None:
    incident = folders(tmp_path)
    tests = read_tests(["tests/test_meter.py"], [], incident, tmp_path)
    assert tests.copied == ("tests/test_meter.py",)
    assert sorted(tests.files) == ["conftest.py", "tests/conftest.py", "tests/test_meter.py"]
    assert tests.files["tests/test_meter.py"] == b"# fixed\n"
    whole = read_tests(["tests"], [], incident, tmp_path)
    assert sorted(whole.files)[1:] == ["tests/conftest.py", "tests/deep/rows.txt", "tests/test_meter.py"]


def test_tests_on_the_disk_are_taken_for_releases(tmp_path: Path) -> None:
    folders(tmp_path)
    file = read_tests([str(tmp_path / "fixed/tests/test_meter.py")], ["trio==0.25.0"], RELEASES, tmp_path)
    assert (sorted(file.files), file.copied) == (["conftest.py", "test_meter.py"], ("test_meter.py",))
    assert file.pins == ("trio==0.25.0",)
    folder = read_tests([str(tmp_path / "fixed/tests")], [], RELEASES, tmp_path)
    assert (sorted(folder.files)[0], folder.copied) == ("tests/conftest.py", ("tests",))


def test_other_names_are_looked_for_in_the_release(tmp_path: Path) -> None:
    assert read_tests(["meter/tests"], [], RELEASES, tmp_path).inside == ("meter/tests",)


@pytest.mark.parametrize("name", ["", "/nowhere/tests", "meter/../../tests"])
def test_what_leads_out_of_a_release_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_tests([name], [], RELEASES, tmp_path / "none")
    assert refused.value.code == "INC013"


def test_what_no_side_holds_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        read_tests(["tests/test_other.py"], [], folders(tmp_path), tmp_path)
    assert refused.value.code == "INC013"


def test_a_pin_of_another_form_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        read_tests([], ["trio>=0.25"], RELEASES, tmp_path)
    assert refused.value.code == "WSP036"


def test_other_tests_are_other_inputs(tmp_path: Path) -> None:
    incident = folders(tmp_path)
    one, other = (read_tests([name], [], incident, tmp_path) for name in ("tests", "tests/test_meter.py"))
    assert one.facts != other.facts
    assert not OwnTests()
    assert OwnTests().facts == []
