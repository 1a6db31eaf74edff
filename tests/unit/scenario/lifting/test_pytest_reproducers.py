"""Laws of tests in the manner of pytest: fixtures, parameters and built-in fixtures give what pytest gives."""

from pathlib import Path

import pytest

from authoring.model.wire import decode
from authoring.scenario.lifting import LiftingError, with_fixtures
from tests.unit.scenario.lifting.reproducers import lifted, observations, package, verdicts

PACKAGE = """
import logging
import os
import sys
import warnings
from pkg import sub

log = []

class Box:
    def __init__(self, size=1):
        self.size = size
        log.append(f"made {size}")

    def close(self):
        log.append(f"closed {self.size}")

    def __enter__(self):
        log.append("entered")
        return self

    def __exit__(self, *_):
        log.append("left")

class Error(ValueError):
    pass

def double(x):
    if x == "bad":
        raise Error(x)
    if x == "worse":
        raise KeyError(x)
    return x * 2

def limit():
    return sub.LIMIT

def set_limit(x):
    sub.LIMIT = x

def mode():
    return os.environ.get("PKG_MODE", "none")

def main(arguments):
    print("hello", *arguments)
    print("oops", file=sys.stderr)
    logging.getLogger("pkg").warning("said %s", arguments[0])
    return 0

def old(x):
    warnings.warn("this is old", DeprecationWarning)
    return x

def where():
    return os.path.basename(os.getcwd())
"""
SUB = "LIMIT = 1\nTABLE = {'a': 1}\n\ndef now():\n    return 0\n"


def all_pass(source: str, **options: str) -> dict[str, list[object]]:
    """Return what the scenarios observe, after every script has passed on the package."""
    found = lifted(source, **options)
    said = verdicts(found, PACKAGE, SUB)
    assert set(said.values()) == {"pass"}, said
    return observations(found, PACKAGE, SUB)


def test_fixtures_that_run_unasked_run_before_those_that_are_asked_for() -> None:
    seen = all_pass(
        """
        import pytest
        import pkg

        @pytest.fixture
        def asked():
            pkg.log.append("asked")

        @pytest.fixture(autouse=True)
        def unasked():
            pkg.log.append("unasked")

        class TestIt:
            @pytest.fixture(autouse=True)
            def prepare(self):
                pkg.log.append("prepare")
                self.box = pkg.Box(3)

            def test_a(self, asked):
                assert pkg.log == ["unasked", "prepare", "made 3", "asked"]
                assert self.box.size == 3
        """
    )
    assert list(seen.values()) == [[["unasked", "prepare", "made 3", "asked"]], [3]]


@pytest.mark.parametrize(
    "mark", ['@pytest.mark.usefixtures("quiet")\n', 'pytestmark = pytest.mark.usefixtures("quiet")\n\n']
)
def test_fixtures_that_a_mark_asks_for_run(mark: str) -> None:
    seen = all_pass(
        "import pytest\nimport pkg\n\n@pytest.fixture\ndef quiet():\n    pkg.set_limit(9)\n    yield\n"
        f"    pkg.set_limit(1)\n\n{mark}def test_a():\n    assert pkg.limit() == 9\n"
    )
    assert seen == {"test_a": [9]}


def test_a_fixture_is_made_once_for_all_that_ask_for_it() -> None:
    seen = all_pass(
        """
        import pytest
        import pkg

        @pytest.fixture
        def box():
            pkg.log.append("made")
            return pkg.Box(2)

        @pytest.fixture
        def pair(box):
            return [box, box]

        def test_a(pair, box):
            assert pair[0] is box
            assert pkg.log.count("made") == 1
        """
    )
    assert list(seen.values()) == [[True], [1]]


def test_names_of_a_fixture_are_its_own() -> None:
    seen = all_pass(
        """
        import pytest
        import pkg

        @pytest.fixture
        def box():
            x = 5
            return pkg.Box(x)

        @pytest.mark.parametrize("x", [1, 2])
        def test_a(x, box):
            assert box.size + x == x + 5
        """
    )
    assert seen == {"test_a.1": [6], "test_a.2": [7]}


def test_what_a_fixture_does_after_the_test_is_done_after_what_is_observed() -> None:
    source = """
    import pytest
    import pkg

    @pytest.fixture
    def box():
        with pkg.Box(4) as made:
            yield made

    def test_a(box):
        assert box.size == 4
        assert pkg.log == ["made 4", "entered"]
    """
    assert list(all_pass(source).values()) == [[4], [["made 4", "entered"]]]
    assert "with made_box() as box:" in lifted(source).scenarios[0].texts[0]


def test_a_fixture_that_only_closes_what_it_made_is_put_in_line_and_its_literal_is_a_parameter() -> None:
    found = lifted(
        """
        import pytest
        import pkg

        @pytest.fixture
        def box():
            made = pkg.Box(4)
            yield made
            made.close()

        def test_a(box):
            assert box.size == 4
        """
    )
    assert decode(found.checks[0].params) == {"number": 4}
    assert "contextlib" not in found.scenarios[0].texts[0]


@pytest.mark.parametrize(
    "end",
    [
        "if pkg.limit():\n        return pkg.Box(4)\n    return None",
        "for _ in (1,):\n        return pkg.Box(4)",
    ],
)
def test_a_fixture_with_several_ends_is_called(end: str) -> None:
    seen = all_pass(
        f"import pytest\nimport pkg\n\n@pytest.fixture\ndef box():\n    {end}\n\ndef test_a(box):\n    assert box.size == 4\n"
    )
    assert seen == {"test_a": [4]}


def test_each_value_of_a_fixture_is_a_check_of_one_scenario() -> None:
    source = """
    import pytest
    import pkg

    @pytest.fixture(params=[1, 2], ids=["one", "two"])
    def size(request):
        return request.param

    @pytest.fixture
    def box(size):
        return pkg.Box(size)

    @pytest.mark.parametrize("more", [10, 20])
    def test_a(box, more):
        assert box.size > 0
        assert pkg.double(more) == more + more
    """
    found = lifted(source)
    assert len({case.id.rpartition(".")[0] for case in found.checks}) == 4
    assert len(found.scenarios) == 2
    assert set(verdicts(found, PACKAGE, SUB).values()) == {"pass"}


def test_a_parameter_may_be_handed_to_a_fixture() -> None:
    seen = all_pass(
        """
        import pytest
        import pkg

        @pytest.fixture
        def box(request):
            return pkg.Box(request.param)

        @pytest.mark.parametrize("box", [3, 4], indirect=True)
        def test_a(box):
            assert box.size in (3, 4)
            assert box.size == pkg.double(box.size) // 2
        """
    )
    assert len(seen) == 4


def test_what_is_asked_of_request_is_put_in() -> None:
    seen = all_pass(
        """
        import pytest
        import pkg

        @pytest.fixture
        def inner():
            return pkg.Box(6)

        @pytest.fixture
        def outer(request):
            made = request.getfixturevalue("inner")
            request.addfinalizer(made.close)
            return made

        @pytest.fixture
        def on_class(request):
            request.cls.kept = pkg.Box(7)

        @pytest.mark.usefixtures("on_class")
        class TestIt:
            def test_a(self, outer):
                assert outer.size + self.kept.size == 13
        """
    )
    assert seen == {"TestIt.test_a": [13]}


@pytest.mark.parametrize(
    ("values", "count"),
    [
        ("CASES", 2),
        ("[*CASES, ('c', 'cc')]", 3),
        ("CASES + [('c', 'cc')]", 3),
        ("list(CASES)", 2),
        ("[(x, x + x) for x in range(3)]", 3),
        ("[(x, x * 2) for x in (1 + 1, -1)]", 2),
        ("TABLE.items()", 1),
        ("zip('ab', ['aa', 'bb'])", 2),
        ("[('a'\n 'b', 'aba'\n 'b')]", 1),
        ("[pytest.param('a', 'aa', id='one'), pytest.param('b', 'x', marks=pytest.mark.xfail)]", 1),
        ("[pytest.param('a', 'aa', marks=[pytest.mark.skipif(True, reason='')])]", 1),
    ],
)
def test_parameters_may_be_written_in_every_plain_way(values: str, count: int) -> None:
    source = (
        "import pytest\nimport pkg\n\nCASES = [('a', 'aa'), ('b', 'bb')]\nTABLE = {1: 2}\n\n"
        f"@pytest.mark.parametrize('x, want', {values})\ndef test_a(x, want):\n    assert pkg.double(x) == want\n"
    )
    found = lifted(source)
    assert len(found.checks) == count
    assert len(found.scenarios) == 1
    assert set(verdicts(found, PACKAGE, SUB).values()) == {"pass"}


def test_parameters_of_a_class_hold_for_each_of_its_tests() -> None:
    seen = all_pass(
        """
        import pytest
        import pkg

        @pytest.mark.parametrize("x", [1, 2])
        class TestIt:
            def test_a(self, x):
                assert pkg.double(x) == x + x

            @pytest.mark.parametrize("y", "ab")
            def test_b(self, x, y):
                assert pkg.double(y) == y + y
        """
    )
    assert [len([each for each in seen if f"test_{name}" in each]) for name in "ab"] == [2, 4]


def test_things_that_are_called_or_must_be_raised_are_put_where_the_parameter_stands() -> None:
    found = lifted(
        """
        import contextlib
        import pytest
        import pkg

        @pytest.mark.parametrize("text, error", [("bad", pkg.Error), ("worse", KeyError)])
        def test_a(text, error):
            with pytest.raises(error):
                pkg.double(text)

        @pytest.mark.parametrize(
            "text, expected", [("bad", pytest.raises(ValueError)), ("good", contextlib.nullcontext())]
        )
        def test_b(text, expected):
            with expected:
                pkg.double(text)

        @pytest.mark.parametrize("function", [pkg.double, pkg.sub.now])
        def test_c(function):
            assert callable(function)
        """
    )
    assert set(verdicts(found, PACKAGE, SUB).values()) == {"pass"}
    assert found.raises == ("Error",)
    assert found.scenarios[0].checks[:3] == ("test_a.1", "test_a.2", "test_b.1")
    assert all(case.reason is None for case in found.checks[:4])


@pytest.mark.parametrize(
    ("node", "label"),
    [
        ("test_a[1-a]", "test_a.1"),
        ("test_a[2-a]", "test_a.3"),
        ("test_a[11-b]", "test_a.6"),
        ("test_a[big-a]", "test_a.7"),
        ("test_b[odd]", "test_b.2"),
        ("test_c[x1]", "test_c.2"),
    ],
)
def test_a_nodes_id_in_brackets_means_the_round_that_pytest_means(node: str, label: str) -> None:
    source = """
    import pytest
    import pkg

    @pytest.mark.parametrize("y", ["a", "b"])
    @pytest.mark.parametrize("x", [1, 2, 11, pytest.param(3, id="big")])
    def test_a(x, y):
        assert pkg.double(x) == x + x

    @pytest.mark.parametrize("x", [1, 3], ids=["even", "odd"])
    def test_b(x):
        assert pkg.double(x) == x + x

    @pytest.mark.parametrize("x", [[1], [2]])
    def test_c(x):
        assert pkg.double(x) == x + x
    """
    assert [case.id for case in lifted(source, only=node).checks] == [label]


def test_what_a_test_patches_is_undone_after_it() -> None:
    found = lifted(
        """
        import pkg
        from pkg import sub

        def test_a(monkeypatch, tmp_path):
            monkeypatch.setattr("pkg.sub.LIMIT", 5)
            monkeypatch.setattr(sub, "now", lambda: 7)
            monkeypatch.setattr(sub, "fresh", 1, raising=False)
            monkeypatch.delattr(sub, "TABLE")
            monkeypatch.setenv("PKG_MODE", "fast")
            monkeypatch.setenv("PKG_MODE", "more-", prepend="")
            monkeypatch.delenv("PKG_OTHER", raising=False)
            monkeypatch.setitem(pkg.table, "b", 2)
            monkeypatch.delitem(pkg.table, "a")
            monkeypatch.chdir(tmp_path)
            monkeypatch.syspath_prepend(tmp_path)
            assert pkg.state() == [5, 7, True, False, "more-", {"b": 2}]
            assert pkg.where() == tmp_path.name
        """
    )
    text = PACKAGE + (
        "table = {'a': 1}\n\ndef state():\n    here = [hasattr(sub, name) for name in ('fresh', 'TABLE')]\n"
        "    return [sub.LIMIT, sub.now(), *here, mode(), dict(table)]\n"
    )
    folder = Path.cwd()
    assert verdicts(found, text, SUB) == {"test_a.1": "pass", "test_a.2": "pass"}
    for case in found.checks:
        with package(text, SUB) as modules:
            exec(compile(case.script, "repro.py", "exec"), {"__name__": "__main__"})
            assert modules["pkg"].__dict__["state"]() == [1, 0, False, True, "none", {"a": 1}]
    assert Path.cwd() == folder
    assert observations(found, text, SUB)["test_a.1"] == [[5, 7, True, False, "more-", {"b": 2}]]
    assert decode(found.checks[0].params) == {"text": "fast", "text2": "more-"}


def test_what_a_test_prints_and_logs_is_observed() -> None:
    seen = all_pass(
        """
        import pkg

        def test_a(capsys, caplog):
            status = pkg.main(["x"])
            out, err = capsys.readouterr()
            assert out == "hello x\\n"
            assert err == "oops\\n"
            assert capsys.readouterr().out == ""
            assert "said x" in caplog.text
            assert [record.levelname for record in caplog.records] == ["WARNING"]
            assert caplog.messages == ["said x"]
            assert status == 0
        """
    )
    assert list(seen.values()) == [["hello x\n"], ["oops\n"], [""], [True], [["WARNING"]], [["said x"]], [0]]


@pytest.mark.parametrize(
    "body",
    [
        "with pytest.warns(DeprecationWarning):\n        got = pkg.old(3)",
        "with pytest.warns((UserWarning, DeprecationWarning), match='is old') as record:\n        got = pkg.old(3)",
        "with pytest.deprecated_call():\n        pkg.old(3)",
        "pytest.warns(DeprecationWarning, pkg.old, 3)",
    ],
)
def test_that_something_warns_is_an_observation(body: str) -> None:
    found = lifted(f"import pytest, pkg\n\ndef test_a():\n    {body}\n")
    assert observations(found, PACKAGE, SUB) == {"test_a": [True]}
    assert verdicts(found, PACKAGE, SUB) == {"test_a": "pass"}
    quiet = PACKAGE.replace('warnings.warn("this is old", DeprecationWarning)', "pass")
    assert observations(found, quiet, SUB) == {"test_a": [False]}
    assert verdicts(found, quiet, SUB) == {"test_a": "AssertionError"}
    assert "pytest" not in found.scenarios[0].texts[0]
    assert decode(found.checks[0].params) == {"number": 3}


def test_what_was_warned_can_be_judged_inside_and_after() -> None:
    seen = all_pass(
        """
        import pytest, pkg

        def test_a(recwarn):
            with pytest.warns(DeprecationWarning) as record:
                got = pkg.old(3)
                assert got == 3
            assert len(record) == 1
            assert str(record[0].message) == "this is old"
            pkg.old(4)
            assert len(recwarn) == 1
        """
    )
    assert [each[-1] for each in seen.values()] == [3, True, 1, "this is old", 1]


def test_pytest_beside_the_package_in_one_import_is_left_out_and_the_package_stays() -> None:
    found = lifted("import pytest, pkg\n\ndef test_a():\n    assert pkg.double(2) == pytest.approx(4)\n")
    assert "import" not in found.scenarios[0].texts[0]
    assert verdicts(found, PACKAGE, SUB) == {"test_a": "pass"}


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def test_a(benchmark):\n    assert pkg.double(1)\n", "it needs the fixture benchmark"),
        ("def test_a(request):\n    assert request.node.name\n", "it needs the fixture request"),
        (
            "@pytest.mark.parametrize('x', load())\ndef test_a(x):\n    assert pkg.double(x)\n",
            "not written as a list",
        ),
        ("@pytest.mark.xfail\ndef test_a():\n    assert pkg.double(1)\n", "decorated with pytest.mark.xfail"),
        (
            "@pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.skip)])\ndef test_a(x):\n    assert pkg.double(x)\n",
            "marked as skipped",
        ),
        (
            "def setup_module(module):\n    module.x = 1\n\ndef test_a():\n    assert pkg.double(1)\n",
            "setup_module works on the module",
        ),
        (
            "@pytest.fixture\ndef x(y):\n    return 1\n\n@pytest.fixture\ndef y(x):\n    return 1\n\ndef test_a(x):\n    assert pkg.double(x)\n",
            "asks for itself",
        ),
        (
            "@pytest.fixture\ndef x(x):\n    return 1\n\ndef test_a(x):\n    assert pkg.double(x)\n",
            "needs the fixture x",
        ),
        ("@freeze\ndef test_a():\n    assert pkg.double(1)\n", "decorated with freeze"),
        (
            "@pytest.fixture(params=load())\ndef x(request):\n    return 1\n\ndef test_a(x):\n    assert pkg.double(x)\n",
            "params",
        ),
    ],
)
def test_what_cannot_be_taken_is_refused_with_its_reason(source: str, reason: str) -> None:
    with pytest.raises(LiftingError, match=reason) as caught:
        lifted(f"import pytest\nimport pkg\n\n{source}")
    assert caught.value.code == "INC012"


CONFTEST = """
import os
import pytest
import pkg

SIZE = 4

def build(size):
    return pkg.Box(size)

@pytest.fixture
def box(size):
    return build(size)

@pytest.fixture
def size():
    return SIZE

@pytest.fixture
def unneeded():
    return os.getcwd()

@pytest.fixture(autouse=True)
def needs_a_plugin(mocker):
    mocker.patch("pkg.old")
"""


def test_a_test_has_the_fixtures_of_the_conftest_files_above_it_the_nearest_first() -> None:
    module = "import pkg\n\ndef test_a(box):\n    assert box.size == 4\n"
    nearer = "import pytest\n\n@pytest.fixture\ndef size():\n    return 2 + 2\n"
    text = with_fixtures(module, [nearer, CONFTEST])
    assert text.startswith(module)
    assert "SIZE" not in text and "unneeded" not in text and "mocker" not in text
    assert all_pass(text) == {"test_a": [4]}
    assert lifted(text).checks[0].line == 4


def test_a_fixture_whose_helpers_clash_with_the_module_is_left_out() -> None:
    module = "import pkg\n\ndef build():\n    return 1\n\ndef test_a(box):\n    assert box.size == build()\n"
    assert "def box" not in with_fixtures(module, [CONFTEST])
    with pytest.raises(LiftingError, match="it needs the fixture box"):
        lifted(with_fixtures(module, [CONFTEST]))


def test_a_module_that_asks_for_nothing_stays_as_it_is() -> None:
    module = "import pkg\n\ndef test_a():\n    assert pkg.double(1) == 2\n"
    assert with_fixtures(module, [CONFTEST, "def (:\n"]) == module
