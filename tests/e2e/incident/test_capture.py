"""Capture on small packages of our own, in real boxes."""

import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from authoring.execution import BoxRunner
from authoring.incident.capture import Captured, capture
from authoring.incident.obtain import obtain, obtain_reproducer
from authoring.incident.read import read_incident
from authoring.model.capture import Capture
from authoring.model.errors import AuthoringError, RefusedError, UsageError
from authoring.model.progress import SilentProgress

BROKEN = """
def size(number):
    return f"{number / 1000:.1f} kB"

def words(text):
    return text.split(" ")
"""
FIXED = """
class SizeError(Exception):
    pass

def size(number):
    if number < 0:
        raise SizeError(number)
    return f"{number / 1000:.1f} kB" if number < 999_950 else f"{number / 1_000_000:.1f} MB"

def words(text):
    return text.split()
"""
REPRODUCER = """
from meter import size, words

assert size(1000) == "1.0 kB"
assert size(999_999) == "1.0 MB", size(999_999)
assert words("a  b") == ["a", "b"]
assert len(words("a b")) == 2
"""


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoxRunner]:
    with BoxRunner(tmp_path_factory.mktemp("boxes")) as made:
        yield made


def written(folder: Path, sides: dict[str, str], reproducer: str, extra: str = "") -> Path:
    for side, text in sides.items():
        (folder / side).mkdir(parents=True)
        (folder / side / "meter.py").write_text(textwrap.dedent(text))
    (folder / "repro.py").write_text(textwrap.dedent(reproducer))
    lines = ['id = "meter-carry"', "directories = true", *(f'{side} = "{side}"' for side in sides), extra]
    (folder / "incident.toml").write_text("\n".join(lines))
    return folder


def captured(folder: Path, runner: BoxRunner) -> Captured:
    incident, where = read_incident(folder / "incident.toml")
    trees = obtain(incident, where, folder / "cache")
    text, only = obtain_reproducer(incident, where)
    return capture(incident, trees, text, runner, "", SilentProgress(), only)


def refused(folder: Path, runner: BoxRunner) -> AuthoringError:
    with pytest.raises((RefusedError, UsageError)) as caught:
        captured(folder, runner)
    return caught.value


def bits(found: Captured) -> dict[str, str]:
    return {pattern.side: pattern.bits for pattern in found.capture.patterns}


def test_patterns_of_all_sides_are_known_where_the_script_stops_at_its_first_failure(
    tmp_path: Path, runner: BoxRunner
) -> None:
    attempt = FIXED.replace("text.split()", "text.strip().split('  ')")
    found = captured(
        written(tmp_path, {"broken": BROKEN, "attempt": attempt, "fixed": FIXED}, REPRODUCER), runner
    )
    assert bits(found) == {"broken": "1001", "attempt": "1110", "fixed": "1111"}
    assert [check.scenario for check in found.capture.checks] == ["size", "size", "words", "words_2"]
    assert all(check.scenario for check in found.capture.checks)
    assert Capture.from_json(found.capture.to_json()) == found.capture


def test_capture_gives_the_same_bytes_again(tmp_path: Path, runner: BoxRunner) -> None:
    folder = written(tmp_path, {"broken": BROKEN, "fixed": FIXED}, REPRODUCER)
    one, other = captured(folder, runner), captured(folder, runner)
    assert (one.capture.to_json(), one.scenarios, one.original) == (
        other.capture.to_json(),
        other.scenarios,
        other.original,
    )


@pytest.mark.parametrize(
    ("broken", "fixed", "reproducer", "code", "named"),
    [
        (FIXED, FIXED + "\n# newer\n", REPRODUCER, "INC020", "sides apart"),
        (FIXED, BROKEN, REPRODUCER, "INC021", "check_2"),
        ("import missing_thing\n" + BROKEN, FIXED, REPRODUCER, "INC022", "check_1"),
        (BROKEN.replace("def size", "def other"), FIXED, REPRODUCER, "INC022", "size"),
        (
            BROKEN,
            FIXED,
            "import time\nfrom meter import size\nassert size(999_999) == '1.0 MB'\nassert len(str(size)) and time.localtime(0).tm_hour == 0\n",
            "INC023",
            "check_3",
        ),
        (BROKEN, FIXED, "from meter import size\nassert size(999_999 == '1.0 MB'\n", "INC010", "line"),
        (BROKEN, FIXED, "from meter import size\n", "INC011", "no assertion"),
        (
            BROKEN,
            FIXED,
            "import absent\nfrom meter import size\nassert absent.f(size(1))\n",
            "INC021",
            "absent",
        ),
    ],
)
def test_what_is_no_incident_is_refused_with_a_code_and_a_proof(
    tmp_path: Path, runner: BoxRunner, broken: str, fixed: str, reproducer: str, code: str, named: str
) -> None:
    error = refused(written(tmp_path, {"broken": broken, "fixed": fixed}, reproducer), runner)
    assert error.code == code
    assert named in error.message
    assert error.hint
    assert error.proof or isinstance(error, UsageError)


def test_equal_sides_are_refused_before_anything_runs(tmp_path: Path, runner: BoxRunner) -> None:
    error = refused(written(tmp_path, {"broken": FIXED, "fixed": FIXED}, REPRODUCER), runner)
    assert error.code == "INC027"


def test_a_hang_on_the_broken_side_is_an_outcome(tmp_path: Path, runner: BoxRunner) -> None:
    broken = BROKEN.replace('return text.split(" ")', "while '  ' in text: pass\n    return text.split()")
    found = captured(written(tmp_path, {"broken": broken, "fixed": FIXED}, REPRODUCER), runner)
    assert bits(found)["broken"] == "1001"
    assert "does not end" in found.capture.patterns[0].failures
    assert found.capture.checks[2].scenario == "words"


def test_an_exception_of_the_package_that_must_be_raised_is_behaviour(
    tmp_path: Path, runner: BoxRunner
) -> None:
    reproducer = """
    import meter
    import pytest

    def test_negative():
        with pytest.raises(meter.SizeError):
            meter.size(-5)

    def test_small():
        assert meter.size(5) == "0.0 kB"
    """
    broken = "class SizeError(Exception):\n    pass\n" + BROKEN
    found = captured(written(tmp_path, {"broken": broken, "fixed": FIXED}, reproducer), runner)
    assert bits(found) == {"broken": "01", "fixed": "11"}
    assert found.capture.raises == ("SizeError",)
    assert {check.scenario for check in found.capture.checks} == {"size"}


def test_values_that_are_no_data_are_observed_through_a_view(tmp_path: Path, runner: BoxRunner) -> None:
    kinds = (
        "class Text(str):\n    pass\n\nclass Pair:\n    def __init__(self, a, b):\n        self.a, self.b = a, b\n"
        "    def __eq__(self, other):\n        return (self.a, self.b) == (other.a, other.b)\n\n"
    )
    broken = kinds + "def name(x):\n    return Text(x)\n\ndef pair(a, b):\n    return Pair(b, a)\n"
    fixed = kinds + "def name(x):\n    return Text(x.upper())\n\ndef pair(a, b):\n    return Pair(a, b)\n"
    reproducer = "import meter\nassert meter.name('a') == 'A'\nassert meter.pair(1, 2) == meter.Pair(1, 2)\n"
    found = captured(written(tmp_path, {"broken": broken, "fixed": fixed}, reproducer), runner)
    assert [check.view for check in found.capture.checks] == ["str of it", "fields"]


def test_what_is_no_data_on_the_broken_side_is_seen_by_its_type(tmp_path: Path, runner: BoxRunner) -> None:
    sides = {
        "broken": "def read(name):\n    return object() if name == 'frame' else name\n",
        "fixed": "def read(name):\n    return 'refused' if name == 'frame' else name\n",
    }
    text = "from meter import read\n\nassert read('a') == 'a'\nassert read('frame') == 'refused'\n"
    found = captured(written(tmp_path, sides, text), runner)
    assert bits(found) == {"broken": "10", "fixed": "11"}
    assert "seen(shown(program.read(" in found.scenarios


def test_checks_that_pop_from_one_object_are_evaluated_in_their_order(
    tmp_path: Path, runner: BoxRunner
) -> None:
    broken = "def stack(items):\n    return sorted(items)\n"
    fixed = "def stack(items):\n    return list(items)\n"
    reproducer = "import meter\nd = meter.stack([2, 3, 1])\nassert d.pop() == 1\nassert d.pop() == 3\nassert d.pop() == 2\n"
    found = captured(written(tmp_path, {"broken": broken, "fixed": fixed}, reproducer), runner)
    assert bits(found) == {"broken": "001", "fixed": "111"} or bits(found)["fixed"] == "111"
    assert bits(found)["broken"][0] == "0"


def test_state_that_leaks_between_checks_gives_each_a_process_of_its_own(
    tmp_path: Path, runner: BoxRunner
) -> None:
    base = "seen = []\n\ndef add(x):\n    seen.append(x)\n    return {}\n"
    sides = {"broken": base.format("[len(seen), x + 1]"), "fixed": base.format("[len(seen), x]")}
    reproducer = "import meter\nassert meter.add(1) == [1, 1]\nassert meter.add(5) == [1, 5]\n"
    found = captured(written(tmp_path, sides, reproducer), runner)
    assert found.capture.fork_per_check
    assert all(check.scenario for check in found.capture.checks)


def test_secrets_are_masked_and_told_and_the_failure_stays(tmp_path: Path, runner: BoxRunner) -> None:
    secret = "ghp_abcdEFGH0123abcdEFGH0123abcdEFGH0123"
    reproducer = REPRODUCER + f"TOKEN = '{secret}'\nassert words('x  ' + TOKEN) == ['x', TOKEN]\n"
    found = captured(written(tmp_path, {"broken": BROKEN, "fixed": FIXED}, reproducer), runner)
    everything = found.capture.to_json().decode() + found.scenarios + found.reproducer
    assert secret not in everything
    assert any(warning.code == "INC026" for warning in found.warnings)
    assert bits(found)["broken"][-1] == "0"


def test_a_failure_that_needs_its_secret_is_refused(tmp_path: Path, runner: BoxRunner) -> None:
    import hashlib

    secret = "ghp_abcdEFGH0123abcdEFGH0123abcdEFGH0123"
    digest = hashlib.sha256(secret.encode()).hexdigest()
    checks = (
        "import hashlib\n\ndef known(text):\n    return {} and hashlib.sha256(text.encode()).hexdigest() == '"
        + digest
        + "'\n"
    )
    sides = {"broken": checks.replace("{}", "False"), "fixed": checks.replace("{}", "True")}
    found = refused(written(tmp_path, sides, f"import meter\nassert meter.known('{secret}')\n"), runner)
    assert found.code == "INC026"
    assert secret not in found.message + found.proof + found.hint


def test_what_must_be_set_before_the_import_is_set_for_the_scenarios_too(
    tmp_path: Path, runner: BoxRunner
) -> None:
    start = (
        "import os\n\nif os.environ.get('METER_MODE') != 'quiet':\n    raise ImportError('set METER_MODE')\n"
    )
    reproducer = "import os\nos.environ['METER_MODE'] = 'quiet'\n" + REPRODUCER
    found = captured(
        written(tmp_path, {"broken": start + BROKEN, "fixed": start + FIXED}, reproducer), runner
    )
    assert bits(found)["broken"] == "1001"
    assert all(check.scenario for check in found.capture.checks)


def test_an_attempt_that_shows_nothing_of_its_own_is_told(tmp_path: Path, runner: BoxRunner) -> None:
    sides = {"broken": BROKEN, "attempt": FIXED + "\nVERSION = 1\n", "fixed": FIXED}
    found = captured(written(tmp_path, sides, REPRODUCER), runner)
    assert [warning.code for warning in found.warnings] == ["INC028"]


def test_a_named_test_of_the_fixed_side_is_the_reproducer(tmp_path: Path, runner: BoxRunner) -> None:
    test = (
        "import pytest\nfrom meter import size\n\n@pytest.fixture\ndef big():\n    return 999_999\n\n"
        "def test_big(big):\n    assert size(big) == '1.0 MB'\n\ndef test_other(benchmark):\n    assert size(1)\n"
    )
    folder = written(
        tmp_path, {"broken": BROKEN, "fixed": FIXED}, "", 'test = "tests/test_meter.py::test_big"'
    )
    for side in ("broken", "fixed"):
        (folder / side / "tests").mkdir()
        (folder / side / "tests" / "test_meter.py").write_text(test)
    found = captured(folder, runner)
    assert [check.id for check in found.capture.checks] == ["test_big"]
    assert bits(found) == {"broken": "0", "fixed": "1"}


TELLING_LITTLE = """
from meter import size

assert "kB" in size(1000)
assert "MB" in size(999_999)
"""


def test_where_assertions_tell_little_the_whole_result_is_observed_too(
    tmp_path: Path, runner: BoxRunner
) -> None:
    found = captured(written(tmp_path, {"broken": BROKEN, "fixed": FIXED}, TELLING_LITTLE), runner)
    assert '    seen(p["item"] in result)\n    seen(result)\n' in found.scenarios
    assert {check.view for check in found.capture.checks} == {"membership and result"}
    assert bits(found) == {"broken": "10", "fixed": "11"}


def test_a_result_that_differs_where_no_assertion_sees_it_is_not_observed(
    tmp_path: Path, runner: BoxRunner
) -> None:
    padded = FIXED.replace('} kB"', '}  kB"')
    found = captured(written(tmp_path, {"broken": BROKEN, "fixed": padded}, TELLING_LITTLE), runner)
    assert "seen(result)" not in found.scenarios
    assert {check.view for check in found.capture.checks} == {"membership"}


def test_a_result_of_which_several_things_are_asked_counts_as_one(tmp_path: Path, runner: BoxRunner) -> None:
    asked = TELLING_LITTLE + 'assert "0" in size(1000)\n'
    found = captured(written(tmp_path, {"broken": BROKEN, "fixed": FIXED}, asked), runner)
    assert "    seen(result)\n" in found.scenarios
    assert bits(found) == {"broken": "101", "fixed": "111"}


MODULE_OF_TESTS = """
import unittest

import pytest, meter

class TestSizes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.limit = 999_999

    def setUp(self):
        self.addCleanup(print, "done")

    def test_sizes(self):
        for number, unit in ((1000, "kB"), (self.limit, "MB")):
            with self.subTest(number=number):
                self.assertRegex(meter.size(number), unit + "$")

    def test_logs(self):
        with self.assertLogs("meter", level="INFO") as seen:
            meter.told(999_999)
        self.assertEqual(seen.output, ["INFO:meter:1.0 MB"])

@pytest.mark.parametrize("text, want", [("a b", True), ("a  b", True), ("", False)])
def test_plain(text, want):
    assert all(meter.words(text)) is True
    assert bool(meter.words(text)) is want

def test_mode(monkeypatch, capsys):
    monkeypatch.setenv("METER_UNIT", "MB")
    monkeypatch.setattr("meter.PLACES", 2)
    meter.show(999_999)
    assert capsys.readouterr().out == "1.00 MB\\n"

def test_warns():
    with pytest.warns(DeprecationWarning, match="size"):
        meter.old(3)

@pytest.mark.asyncio
async def test_waits():
    assert await meter.later(999_999) == "1.0 MB"
"""
CONFTEST = """
import pytest

GAP = "  "

@pytest.fixture(params=[" ", GAP])
def separator(request):
    return request.param
"""
MORE = """
import logging
import os
import warnings

PLACES = 1

def told(number):
    logging.getLogger("meter").info(size(number))

def show(number):
    text = size(number)
    unit = os.environ.get("METER_UNIT", "kB")
    print(text.replace(".0", "." + "0" * PLACES) if text.endswith(unit) else text)

def old(number):
    WARN
    return number

async def later(number):
    return size(number)
"""


SIDES = {
    "broken": BROKEN + MORE.replace("WARN", "pass"),
    "fixed": FIXED + MORE.replace("WARN", 'warnings.warn("use size", DeprecationWarning)'),
}


def test_a_module_of_tests_of_every_kind_is_taken_apart(tmp_path: Path, runner: BoxRunner) -> None:
    found = captured(written(tmp_path, SIDES, MODULE_OF_TESTS), runner)
    broken = dict(zip([check.id for check in found.capture.checks], bits(found)["broken"], strict=True))
    failing = [check for check, bit in broken.items() if bit == "0"]
    assert failing == [
        "TestSizes.test_sizes.2",
        "TestSizes.test_logs.2",
        "test_plain.2.1",
        "test_plain.3.1",
        "test_plain.3.2",
        "test_mode",
        "test_warns",
        "test_waits",
    ]
    assert set(bits(found)["fixed"]) == {"1"}
    assert all(check.scenario for check in found.capture.checks), found.warnings
    assert "pytest" not in found.scenarios


TEST_OF_A_CLASS = """
import pytest
import meter

class TestWords:
    @pytest.fixture(autouse=True)
    def prepare(self, separator):
        self.separator = separator

    @pytest.mark.parametrize("words", [["a"], ["a", "b"]])
    def test_words(self, words):
        assert meter.words(self.separator.join(words)) == words

class TestOther:
    def test_other(self, benchmark):
        assert meter.words("a")
"""


def test_a_named_class_of_tests_has_the_fixtures_of_its_conftest_file(
    tmp_path: Path, runner: BoxRunner
) -> None:
    node = 'test = "tests/test_meter.py::TestWords"\nimport_name = "meter"'
    folder = written(tmp_path, SIDES, "", node)
    for side in SIDES:
        (folder / side / "tests").mkdir()
        (folder / side / "tests" / "test_meter.py").write_text(TEST_OF_A_CLASS)
        (folder / side / "conftest.py").write_text(CONFTEST)
    found = captured(folder, runner)
    assert bits(found) == {"broken": "1110", "fixed": "1111"}
    assert len({check.scenario for check in found.capture.checks}) == 1
    assert "program.words(" in found.scenarios


BOX = """
class Box:
    def __init__(self):
        self.items, self.is_open = ["first"], False

    def take(self):
        self.is_open = True
        return self.items[0]

    def add(self, item):
        if self.is_open:
            self.items.append(item)

    def size(self):
        return len(self.items)
"""
STEPS = """
from meter import Box

box = Box()
assert box.take() == "first"
box.add("second")
box.add("third")
assert box.size() == 3
"""


def test_operations_on_an_object_become_steps(tmp_path: Path, runner: BoxRunner) -> None:
    sides = {"broken": BOX.replace("if self.is_open", "if not self.is_open"), "fixed": BOX}
    found = captured(written(tmp_path, sides, STEPS), runner)
    assert bits(found) == {"broken": "10", "fixed": "11"}
    assert 'for name, args in p["steps"]:' in found.scenarios


def test_operations_stay_statements_where_a_loop_over_them_does_not_show_the_same(
    tmp_path: Path, runner: BoxRunner
) -> None:
    raising = BOX.replace("return self.items[0]", "raise ValueError(self.items[0])")
    found = captured(written(tmp_path, {"broken": raising, "fixed": BOX}, STEPS), runner)
    assert bits(found) == {"broken": "01", "fixed": "11"}
    assert all(check.scenario for check in found.capture.checks)
    assert 'box.add(p["text"])' in found.scenarios and "methods" not in found.scenarios
