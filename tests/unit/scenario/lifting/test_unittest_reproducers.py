"""Laws of test classes: their set-up runs, they have the base that they need, and no other."""

import pytest

from tests.unit.scenario.lifting.reproducers import lifted, observations, verdicts

PACKAGE = """
import logging
import warnings

made = []

class Box:
    def __init__(self, size):
        self.size = size
        made.append(size)

    def close(self):
        made.append("closed")

def name(x):
    return "a" * x

def log(text):
    logging.getLogger("pkg").info(text)

def old(x):
    warnings.warn("this is old", DeprecationWarning)
    return x

async def connect(size):
    return Box(size)
"""


def test_every_set_up_of_a_class_runs_in_its_order_and_inherited_ones_too() -> None:
    found = lifted(
        """
        import unittest
        import pkg

        class Base(unittest.TestCase):
            @classmethod
            def setUpClass(cls):
                super().setUpClass()
                cls.first = pkg.Box(1)

            def setUp(self):
                super().setUp()
                self.second = pkg.Box(self.first.size + 1)

        class TestIt(Base):
            def setUp(self):
                super().setUp()
                self.third = pkg.Box(self.second.size + 1)
                self.addCleanup(self.third.close)

            def tearDown(self):
                self.missing.close()

            def test_a(self):
                self.assertEqual(self.third.size, 3)
                self.assertEqual(pkg.made, [1, 2, 3])
        """
    )
    assert verdicts(found, PACKAGE) == {"TestIt.test_a.1": "pass", "TestIt.test_a.2": "pass"}
    assert list(observations(found, PACKAGE).values()) == [[3], [[1, 2, 3]]]
    assert all("tearDown" not in scenario.texts[0] for scenario in found.scenarios)


@pytest.mark.parametrize("decorator", ["@classmethod", ""])
def test_set_up_in_the_manner_of_pytest_runs(decorator: str) -> None:
    found = lifted(
        f"""
        import pkg

        def setup_module(module):
            pkg.made.append("module")

        def setup_function():
            pkg.made.append("function")

        class TestIt:
            {decorator}
            def setup_class(cls):
                cls.box = pkg.Box(1)

            def setup_method(self, method):
                self.other = pkg.Box(2)

            def test_a(self):
                assert pkg.made == ["module", 1, 2]

        def test_b():
            assert pkg.made == ["module", "function"]
        """
    )
    assert set(verdicts(found, PACKAGE).values()) == {"pass"}
    assert observations(found, PACKAGE)["TestIt.test_a"] == [["module", 1, 2]]
    assert all(case.params == {"dict": []} for case in found.checks)


def test_set_up_that_waits_runs_in_the_loop_of_its_test() -> None:
    found = lifted(
        """
        from unittest import IsolatedAsyncioTestCase
        import pkg

        class TestIt(IsolatedAsyncioTestCase):
            async def asyncSetUp(self):
                self.box = await pkg.connect(4)

            async def test_a(self):
                other = await pkg.connect(5)
                self.assertEqual(self.box.size + other.size, 9)

            def test_b(self):
                self.assertEqual(self.box.size, 4)
        """
    )
    assert set(verdicts(found, PACKAGE).values()) == {"pass"}
    assert list(observations(found, PACKAGE).values()) == [[9], [4]]
    assert "IsolatedAsyncioTestCase" not in found.scenarios[0].texts[0]


@pytest.mark.parametrize(
    ("body", "has_base"),
    [
        ("self.assertEqual(pkg.name(2), 'aa')", False),
        ("self.assertRegex(pkg.name(2), 'a+')", False),
        ("self.assertNotRegex(pkg.name(2), 'b')", False),
        ("with self.subTest(x=1):\n    self.assertEqual(pkg.name(1), 'a')", False),
        ("with self.assertWarns(DeprecationWarning):\n    pkg.old(1)", False),
        ("with self.assertWarnsRegex(DeprecationWarning, 'is old'):\n    pkg.old(1)", False),
        ("self.assertWarns(DeprecationWarning, pkg.old, 1)", False),
        ("with self.assertRaisesRegex(TypeError, 'sequence'):\n    pkg.name('x')", False),
        ("with self.assertLogs('pkg', level='INFO'):\n    pkg.log('hello')", True),
        (
            "with self.assertLogs('pkg', 'INFO') as seen:\n    pkg.log('hi')\nself.assertEqual(seen.output, ['INFO:pkg:hi'])",
            True,
        ),
        ("self.assertMultiLineEqual(pkg.name(1), 'a')", False),
        ("self.assertDictEqual(dict(pkg.Box(1).__dict__), {'size': 1})", False),
    ],
)
def test_a_class_has_its_base_where_it_is_asked_for_and_only_there(body: str, has_base: bool) -> None:
    indented = body.replace("\n", "\n        ")
    head = "import unittest\nimport pkg\n\n\nclass TestIt(unittest.TestCase):\n"
    found = lifted(f"{head}    def test_a(self):\n        {indented}\n")
    assert set(verdicts(found, PACKAGE).values()) == {"pass"}
    for seen in observations(found, PACKAGE).values():
        assert not any(isinstance(each, type) and each is not TypeError for each in seen)
    assert {"TestCase" in case.script for case in found.checks} == {has_base}


def test_a_helper_that_judges_as_unittest_does_keeps_the_base() -> None:
    found = lifted(
        """
        import unittest
        import pkg

        class TestIt(unittest.TestCase):
            def check(self, text):
                self.assertTupleEqual((text,), ("a",))

            def test_a(self):
                self.check(pkg.name(1))
        """
    )
    assert verdicts(found, PACKAGE) == {"TestIt.test_a": "pass"}
    assert verdicts(found, PACKAGE.replace('"a" * x', '"b" * x')) == {"TestIt.test_a": "AssertionError"}


def test_what_an_assertion_method_without_a_plain_form_is_given_is_no_parameter() -> None:
    found = lifted(
        """
        import unittest
        import pkg

        class TestIt(unittest.TestCase):
            def test_a(self):
                with self.assertLogs("pkg", level="INFO"):
                    pkg.log("hello")
        """
    )
    assert found.checks[0].params == {"dict": [["text", "hello"]]}
    assert verdicts(found, PACKAGE.replace("info(text)", "debug(text)")) == {
        "TestIt.test_a": "AssertionError"
    }


def test_rounds_under_a_sub_test_are_checks_of_one_scenario() -> None:
    found = lifted(
        """
        import unittest
        import pkg

        class TestIt(unittest.TestCase):
            def test_a(self):
                for x, want in ((1, "a"), (2, "aa")):
                    with self.subTest(x=x):
                        self.assertEqual(pkg.name(x), want)
        """
    )
    assert [scenario.checks for scenario in found.scenarios] == [("TestIt.test_a.1", "TestIt.test_a.2")]
    assert list(observations(found, PACKAGE).values()) == [["a"], ["aa"]]


def test_inherited_tests_are_tests_and_names_without_an_underscore_too() -> None:
    found = lifted(
        """
        import unittest
        import pkg

        class Common:
            size = 1

            def testSize(self):
                self.assertEqual(pkg.Box(self.size).size, 2)

        class TestTwo(Common, unittest.TestCase):
            size = 2
        """
    )
    assert verdicts(found, PACKAGE) == {"TestTwo.testSize": "pass"}


def test_a_decorator_that_patches_is_open_around_the_test_and_gives_its_mock() -> None:
    found = lifted(
        """
        import unittest
        from unittest import mock
        import pkg

        class TestIt(unittest.TestCase):
            @mock.patch("pkg.sub.now", return_value=7)
            @mock.patch.object(pkg.sub, "then", 5)
            def test_a(self, now):
                self.assertEqual(pkg.span(1), 3)
                now.assert_called_once_with(1)
        """
    )
    text = "from pkg import sub\ndef span(x):\n    return sub.now(x) - sub.then + 1\n"
    sub = "then = 0\ndef now(x):\n    return 0\n"
    assert observations(found, text, sub)["TestIt.test_a.1"] == [3]
    assert found.checks[0].params == {"dict": [["number", {"int": "0x1"}]]}


def test_what_a_mock_is_asked_comes_after_the_calls_that_it_saw() -> None:
    found = lifted(
        """
        from unittest import mock
        import pkg

        @mock.patch("pkg.sub.now", return_value=7)
        def test_a(now):
            got = pkg.span(1)
            now.assert_called_once_with(1)
        """
    )
    text = "from pkg import sub\ndef span(x):\n    return sub.now({})\n"
    sub = "def now(x):\n    return 0\n"
    assert verdicts(found, text.format("x"), sub) == {"test_a": "pass"}
    assert verdicts(found, text.format("2"), sub) == {"test_a": "AssertionError"}
    assert observations(found, text.format("x"), sub) == {"test_a": [None]}
    assert observations(found, text.format("2"), sub) == {"test_a": [AssertionError]}
