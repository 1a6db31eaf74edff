"""The digest of a reference sees what the program means and not how it is laid out or named."""

import pytest

from authoring.contract import reference_digest

PROGRAM = 'def f(a, b=1):\n    """Doc."""\n    return f"{a!r}:{b:>3}" + "x"  # why\n'


@pytest.mark.parametrize(
    "same",
    [
        PROGRAM.replace('    """Doc."""\n', ""),
        PROGRAM.replace("  # why", ""),
        PROGRAM.replace("f(", "g(")
        .replace("a, b", "left, right")
        .replace("{a", "{left")
        .replace("{b", "{right"),
        PROGRAM.replace('+ "x"', "+ 'x'"),
        PROGRAM.replace("return ", "return (").replace("  # why", ")"),
        PROGRAM.replace("b=1", "b=0x1"),
    ],
)
def test_layout_names_and_spelling_do_not_count(same: str) -> None:
    assert reference_digest(same) == reference_digest(PROGRAM)


@pytest.mark.parametrize(
    "other",
    [
        PROGRAM.replace("b=1", "b=2"),
        PROGRAM.replace("b=1", "b=1.0"),
        PROGRAM.replace("!r", "!s"),
        PROGRAM.replace(":>3", ":>4"),
        PROGRAM.replace("+", "-"),
        PROGRAM.replace('+ "x"', '+ "y"'),
        PROGRAM.replace("{a!r}", "{b!r}"),
        PROGRAM.replace("(a, b=1)", "(*a, b=1)"),
    ],
)
def test_what_the_program_means_counts(other: str) -> None:
    assert reference_digest(other) != reference_digest(PROGRAM)
