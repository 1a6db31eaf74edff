"""The last form of a program: imports first, no parentheses that help nobody, nothing unused."""

import pytest

from authoring.reduction.align import merge
from authoring.reduction.readable import readable, tidy, without_parentheses


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = (a)", "x = a"),
        ("x = ((a)).b", "x = a.b"),
        ("return (' '.join([a])) % b", "return ' '.join([a]) % b"),
        ("if a != (10 ** 3):", "if a != 10 ** 3:"),
        ("x = a * (b + c)", "x = a * (b + c)"),
        ("x = (a and b) or c", "x = (a and b) or c"),
        ("x = f((a or b))", "x = f(a or b)"),
        ("x = (1,)", "x = (1,)"),
        ("x = ()", "x = ()"),
        ("x = f((a, b))", "x = f((a, b))"),
        ("x = f((i for i in a), b)", "x = f((i for i in a), b)"),
        ("x = (yield)", "x = (yield)"),
    ],
)
def test_only_parentheses_that_help_stay(before: str, after: str) -> None:
    block = "\n    pass" if before.endswith(":") else ""
    program = without_parentheses(merge({"reference": f"{before}{block}\n"}))
    assert program.project("reference") == f"{after}{block}\n"


def test_imports_come_first_and_each_version_drops_what_only_others_need() -> None:
    program = merge(
        {
            "broken": "import re\nx = 1\nfrom a import b\ndef f():\n    y = x\n    return b\n",
            "reference": "import re\nx = 1\nfrom a import b\ndef f():\n    y = x\n    return b(y, re)\n",
        }
    )
    for step in tidy(program):
        program = step(program)
    assert program.project("broken") == "from a import b\nx = 1\ndef f():\n    return b\n"
    assert program.project("reference").startswith("import re\nfrom a import b\nx = 1\n")


def test_each_version_drops_names_of_exceptions_that_only_others_need() -> None:
    text = "try:\n    f()\nexcept (A, B) as e:\n    raise C {}\nexcept D as e2:\n    g(e2)\n"
    program = merge({"broken": text.format("from e"), "reference": text.format("from None")})
    for step in tidy(program):
        program = step(program)
    assert program.project("broken") == text.format("from e")
    assert program.project("reference") == text.format("from None").replace(" as e:", ":")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import re\nx = 're or so'\n", "x = 're or so'\n"),
        ("import re\nx = y.re\n", "x = y.re\n"),
        ("import re\nfrom re import sub\nx = sub\n", "from re import sub\nx = sub\n"),
        ("import re\ndef f(x: 're.Match'):\n    return x\n", None),
        ("import re\ndef f() -> list['re.Match']:\n    return []\n", None),
        ("import re\nx: 're.Match' = None\n", None),
        ("import re\ndef f():\n    global re\n", None),
        ("import a.b\nx = a.b.c\n", None),
        ("import a.b as c\nx = a\n", "x = a\n"),
        ("from __future__ import annotations\nx = 1\n", None),
        ("try:\n    import re\nexcept ImportError:\n    pass\nelse:\n    re\nfinally:\n    pass\n", None),
    ],
)
def test_an_import_goes_unless_something_reads_its_name(before: str, after: str | None) -> None:
    program = merge({"reference": before})
    for step in tidy(program):
        program = step(program)
    assert program.project("reference") == (before if after is None else after)


def test_the_formatted_versions_are_the_projections_of_their_merge() -> None:
    program = merge({"broken": "def f():\n    return 1\n", "reference": "import a\ndef f():\n    return a\n"})
    made = readable(program)
    assert made.merged.programs() == made.programs
    assert made.programs["reference"] == "import a\n\n\ndef f():\n    return a\n"
