"""What the project's own tests ask of the package becomes input of the contract."""

import json
import textwrap
from pathlib import Path

import pytest

from tests.e2e.new.job import Desk

pytestmark = pytest.mark.timeout(1500)

ID = "meter-carry"
SIZE = """
def size(number, unit="B"):
    if unit == "bits":
        number = number * 8
    for step in ("", "k", "M"):
        if {condition} or step == "M":
            return f"{{number:.0f}} {{step}}{{unit}}"
        number /= 1000
"""
REPRODUCER = """
from meter import size

assert size(1500, "B") == "2 kB"
assert size(999_999, "B") == "1 MB", size(999_999, "B")
"""
TESTS = {
    "test_meter.py": """
        import pytest
        from meter import size
        from steps import STEPS

        @pytest.mark.parametrize("number", [7, 999, 45_678])
        def test_size(number, unit):
            assert size(number, unit)

        def test_small():
            assert size(STEPS[0]) == "0 B"

        def test_that_fails():
            assert size(12, object) == "12 B"
        """,
    "test_more.py": "import not_at_hand\n",
    "steps.py": "STEPS = [0, 1]\n",
    "conftest.py": """
        import pytest

        @pytest.fixture
        def unit():
            return "bits"
        """,
}


def incident(folder: Path) -> Path:
    for side, condition in (("broken", "number < 1000"), ("fixed", "round(number) < 1000")):
        (folder / side / "tests").mkdir(parents=True)
        (folder / side / "meter.py").write_text(SIZE.format(condition=condition))
        for name, text in TESTS.items():
            (folder / side / "tests" / name).write_text(textwrap.dedent(text))
    (folder / "repro.py").write_text(REPRODUCER)
    lines = [
        f'id = "{ID}"',
        'import_name = "meter"',
        'broken = "broken"',
        'fixed = "fixed"',
        "directories = true",
    ]
    (folder / "incident.toml").write_text("\n".join(lines))
    return folder / "incident.toml"


def test_calls_of_the_tests_are_recorded_and_stand_in_the_domain(desk: Desk, tmp_path: Path) -> None:
    workspace, file = desk.thrifty_workspace(ID), incident(tmp_path)
    words = ("--incident", file, "--record", "tests", "--workspace", workspace, "--json")
    told = desk.run("capture", ID, *words)
    assert told.code == 0, told.out + told.err
    data = told.document["data"]["recorded"]
    assert (data["tests"], data["calls"]) == (5, 5)
    assert [each for each in told.document["warnings"] if "not_at_hand" in each]
    capture = json.loads((workspace / "incidents" / ID / "capture.json").read_text())
    found = [dict(one["params"]["dict"]) for one in capture["recorded"]["inputs"]]
    assert {one["unit"] for one in found} == {"B", "bits"}
    assert {"int": hex(45_678)} in [one["number"] for one in found]

    again = desk.run("contract", ID, "--workspace", workspace, "--json")
    assert again.code == 0, again.out + again.err
    assert '"bits"' in (workspace / "contracts" / ID / "domain.py").read_text()
    assert "* 8" in (workspace / "contracts" / ID / "program" / "reference.py").read_text()

    other = desk.run("capture", ID, "--incident", file, "--workspace", workspace, "--json")
    assert (other.code, other.document["errors"][0]["code"]) == (2, "TSK010")


def test_tests_that_are_not_there_are_refused_before_anything_runs(desk: Desk, tmp_path: Path) -> None:
    workspace, file = desk.workspace("no-tests"), incident(tmp_path)
    told = desk.run(
        "capture", ID, "--incident", file, "--record", "checks", "--workspace", workspace, "--json"
    )
    assert (told.code, told.document["errors"][0]["code"]) == (2, "INC013")
