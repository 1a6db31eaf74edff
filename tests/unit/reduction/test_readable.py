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


def test_the_formatted_versions_are_the_projections_of_their_merge() -> None:
    program = merge({"broken": "def f():\n    return 1\n", "reference": "import a\ndef f():\n    return a\n"})
    made = readable(program)
    assert made.merged.programs() == made.programs
    assert made.programs["reference"] == "import a\n\n\ndef f():\n    return a\n"
