"""Merging keeps every version byte for byte, and shares what can be shared."""

from authoring.model.variants import VersionName
from authoring.reduction.align import merge, merge_text
from authoring.reduction.merged import Choice

ONE = "import a\ndef f(x):\n    if x:\n        return 1\n    else:\n        return 2\ndef g():\n    return f(1)\n"
TWO = ONE.replace("if x:", "if x > 1:").replace("def f", "def h():\n    pass\ndef f")
THREE = "import b\ndef f(x):\n    return 2\ndef g():\n    return f(2)\n"
EVERY: dict[VersionName, str] = {"broken": ONE, "hard_negative": TWO, "reference": THREE}


def test_each_projection_is_its_source() -> None:
    assert merge(EVERY).programs() == EVERY
    spaced: dict[VersionName, str] = {
        "broken": "a = 1\n\n\n# note\nb = f(\n    2,\n)\n",
        "reference": "a = 1\n\nb = f(\n    3,\n)\n",
    }
    assert merge_text(spaced).programs() == spaced


def test_choices_are_the_maximal_runs_that_not_all_hold() -> None:
    program = merge({"broken": "a\nb\nc\n", "reference": "a\nd\nc\ne\n"})
    broken: frozenset[VersionName] = frozenset(("broken",))
    reference: frozenset[VersionName] = frozenset(("reference",))
    assert program.choices() == (Choice(1, 2, broken), Choice(2, 3, reference), Choice(4, 5, reference))


def test_what_versions_share_is_counted_once() -> None:
    alone = merge({"broken": ONE})
    assert merge({"broken": ONE, "reference": ONE}).nodes() == alone.nodes()
    assert merge({"broken": ONE, "reference": ONE}).differing() == 0


def test_definitions_are_matched_before_lines() -> None:
    one = "def a():\n    x = 1\n    return x\ndef b():\n    y = 2\n    return y\n"
    two = "def b():\n    y = 2\n    return y\n"
    program = merge({"broken": one, "reference": two})
    assert [line.text for line in program.lines if len(line.versions) == 2] == two.splitlines()


def test_a_renamed_definition_shares_its_body() -> None:
    body = "    x = g(1)\n    y = x + 2\n    return h(x, y)\n"
    program = merge({"broken": f"def a(p):\n{body}", "reference": f"def b(p):\n{body}"})
    assert [line.text for line in program.lines if len(line.versions) == 2] == body.splitlines()


def test_a_long_shared_line_is_worth_more_than_short_ones() -> None:
    one = "if a:\n    f(g(h(1, 2, 3)), [4, 5])\nelse:\n    pass\n"
    two = "try:\n    pass\nfinally:\n    f(g(h(1, 2, 3)), [4, 5])\n"
    shared = [line.text for line in merge({"broken": one, "reference": two}).lines if len(line.versions) == 2]
    assert "    f(g(h(1, 2, 3)), [4, 5])" in shared
