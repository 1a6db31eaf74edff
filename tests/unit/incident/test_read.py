"""Laws of reading an incident."""

from pathlib import Path

import pytest

from authoring.incident.read import incident_from_options, read_incident
from authoring.model.errors import UsageError

WHOLE = """
id = "a-b"
package = "demo"
broken = "1.0"
fixed = "1.1"
"""
REPRODUCER = "import demo\nassert demo.f(1) == 2\n"


def folder(tmp_path: Path, text: str | bytes = WHOLE, reproducer: str | None = REPRODUCER) -> Path:
    path = tmp_path / "incident.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    if reproducer is not None:
        (tmp_path / "repro.py").write_text(reproducer)
    return path


def refusal(path: Path) -> UsageError:
    with pytest.raises(UsageError) as caught:
        read_incident(path)
    return caught.value


def test_a_whole_incident_is_read_with_its_folder(tmp_path: Path) -> None:
    incident, where = read_incident(folder(tmp_path))
    assert (incident.id, incident.package, incident.broken, incident.fixed) == ("a-b", "demo", "1.0", "1.1")
    assert where == tmp_path


def test_measured_keys_and_the_facts_table_become_facts(tmp_path: Path) -> None:
    text = WHOLE + 'patterns = {broken = "01"}\nverified = 2024-05-31\n[facts]\nmine = [1, {deep = true}]\n'
    incident, _ = read_incident(folder(tmp_path, text))
    assert incident.facts == {
        "mine": [1, {"deep": True}],
        "patterns": {"broken": "01"},
        "verified": "2024-05-31",
    }


@pytest.mark.parametrize("written", ["2024-05-31", '"2024-05-31"'])
def test_a_date_may_be_a_date_or_text(tmp_path: Path, written: str) -> None:
    incident, _ = read_incident(folder(tmp_path, WHOLE + f"discovered = {written}\n"))
    assert incident.discovered == "2024-05-31"


@pytest.mark.parametrize(
    ("text", "code", "named"),
    [
        ("id = [[\n", "INC002", "is not TOML"),
        ("id = x", "INC002", "line 1"),
        (b"id = '\xff'", "INC001", "UTF-8"),
        ("x = " + "[" * 5000 + "]" * 5000, "INC002", "nested"),
        ("a." * 3000 + "b = 1", "INC002", "nested"),
        (WHOLE + 'brokn = "1"\n', "INC003", "broken"),
        (WHOLE + 'attempts = "1"\n', "INC003", "attempt"),
        (WHOLE.replace('id = "a-b"', ""), "INC004", "id"),
        (WHOLE.replace('fixed = "1.1"', ""), "INC004", "fixed"),
        (WHOLE.replace('package = "demo"', ""), "INC004", "source"),
        (WHOLE.replace('"1.1"', "1.1"), "INC005", "fixed"),
        (WHOLE + 'dependencies = "a==1"\n', "INC005", "dependencies"),
        (WHOLE + 'directories = "yes"\n', "INC005", "directories"),
        (WHOLE + "facts = 3\n", "INC005", "facts"),
        (WHOLE + 'dependencies = ["a>=1"]\n', "INC006", "dependencies"),
        (WHOLE + 'python = ["2.7"]\n', "INC006", "python"),
        (WHOLE + 'discovered = "soon"\n', "INC006", "discovered"),
        (WHOLE + "discovered = 1969-12-31\n", "INC006", "discovered"),
        (WHOLE + 'symptom = "a\\u001b[31mb"\n', "INC006", "U+001B"),
        (WHOLE + 'symptom = "a\\u202eb"\n', "INC006", "U+202E"),
        (WHOLE.replace('"1.0"', '"--upload-pack=x"'), "INC006", "broken"),
        (WHOLE.replace('"1.0"', '"1.0 ; rm"'), "INC006", "broken"),
        (WHOLE.replace('"a-b"', '"../a"'), "INC006", "id"),
        (WHOLE.replace('"a-b"', '"A"'), "INC006", "id"),
        (WHOLE.replace('"a-b"', '"a--b"'), "INC006", "id"),
        (WHOLE.replace('"demo"', '"-rdemo"'), "INC006", "package"),
        (WHOLE + 'import_name = "a-b"\n', "INC006", "import_name"),
        (WHOLE + "directories = true\n", "INC007", "package and directories"),
        (WHOLE + 'repository = "."\n', "INC007", "package and repository"),
        (WHOLE + 'reproducer = "repro.py"\ntest = "t.py::test_a"\n', "INC007", "reproducer and test"),
        (WHOLE.replace("1.1", "1.0"), "INC007", "broken and fixed"),
        (WHOLE + 'attempt = "1.1"\n', "INC007", "attempt and fixed"),
        (WHOLE + 'reproducer = "../repro.py"\n', "INC008", "reproducer"),
        (WHOLE + 'reproducer = "/etc/passwd"\n', "INC008", "reproducer"),
        (WHOLE + 'reproducer = "other.py"\n', "INC009", "other.py"),
        (WHOLE + 'test = "../t.py::test_a"\n', "INC008", "test"),
        ('id="a"\ndirectories = true\nbroken = "../x"\nfixed = "."\n', "INC008", "broken"),
        ('id="a"\ndirectories = true\nbroken = "old"\nfixed = "new"\n', "INC006", "broken"),
    ],
)
def test_bad_input_is_refused_with_code_file_and_field(
    tmp_path: Path, text: str | bytes, code: str, named: str
) -> None:
    error = refusal(folder(tmp_path, text))
    assert error.code == code
    assert named in error.message
    assert str(tmp_path) in error.message
    assert error.hint
    assert "\n" not in error.message


def test_a_file_over_the_cap_is_refused_unread(tmp_path: Path) -> None:
    assert refusal(folder(tmp_path, "#" * (300 << 10))).code == "INC001"


def test_a_missing_file_a_folder_and_a_pipe_are_refused(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "pipe.toml")
    assert refusal(tmp_path / "none.toml").code == "INC001"
    assert refusal(tmp_path).code == "INC001"
    assert refusal(tmp_path / "pipe.toml").code == "INC001"


def test_links_that_lead_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    inside = tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (outside / "secret.py").write_text(REPRODUCER)
    path = folder(inside, WHOLE, None)
    (inside / "repro.py").symlink_to(outside / "secret.py")
    assert refusal(path).code == "INC008"
    linked = inside / "linked.toml"
    linked.symlink_to(folder(outside, WHOLE))
    assert refusal(linked).code == "INC001"


def test_a_link_that_stays_inside_is_followed(tmp_path: Path) -> None:
    path = folder(tmp_path, WHOLE, None)
    (tmp_path / "real.py").write_text(REPRODUCER)
    (tmp_path / "repro.py").symlink_to("real.py")
    assert read_incident(path)[0].reproducer == "repro.py"


def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    path = folder(tmp_path, WHOLE, None)
    (tmp_path / "repro.py").symlink_to("repro.py")
    assert refusal(path).code in ("INC008", "INC009")


def test_options_state_the_same_incident(tmp_path: Path) -> None:
    path = folder(tmp_path)
    read, _ = read_incident(path)
    given, where = incident_from_options(
        "a-b", package="demo", broken="1.0", fixed="1.1", reproducer=tmp_path / "repro.py"
    )
    assert given == read
    assert where == tmp_path


def test_options_are_checked_like_the_file(tmp_path: Path) -> None:
    folder(tmp_path)
    with pytest.raises(UsageError) as caught:
        incident_from_options("a", repository=".", broken="-x", fixed="y", reproducer=tmp_path / "repro.py")
    assert caught.value.code == "INC006"
