"""Conditions at the top level become the branch that ran."""

import pytest

from authoring.reduction.sources.chunks import Chunk
from authoring.reduction.sources.specialise import Branches, specialise

OPTIONAL = "try:\n    import fast\n    ready = 1\nexcept ImportError:\n    fast = None\nelse:\n    ready = 2\nfinally:\n    done = 1\n"


def pieces(text: str, ran: set[int] | None, missing: bool = False) -> list[tuple[int, str]]:
    branches = Branches(None if ran is None else frozenset(ran), lambda _: missing)
    return [(piece.line, piece.text) for piece in specialise(Chunk(1, text), branches)]


@pytest.mark.parametrize(
    ("law", "text", "ran", "expected"),
    [
        ("a test that held gives its body", "if a:\n    b\nelse:\n    c\n", {1, 2}, [(2, "b\n")]),
        ("a test that did not gives the other", "if a:\n    b\nelse:\n    c\n", {1, 4}, [(4, "c\n")]),
        ("a chain of tests gives one body", "if a:\n    b\nelif c:\n    d\n", {1, 3, 4}, [(4, "d\n")]),
        ("no body ran, nothing stays", "if a:\n    b\n", {1}, []),
        ("inner conditions too", "if a:\n    if b:\n        c\n    d\n", {1, 2, 4}, [(4, "d\n")]),
        ("a body on the test's line", "if a: b\n", {1}, [(1, "b\n")]),
        ("other statements are kept", "for a in b:\n    c\n", {1}, [(1, "for a in b:\n    c\n")]),
        (
            "a try that ended gives body, else and finally",
            OPTIONAL,
            {1, 2, 3, 7, 9},
            [(2, "import fast\n"), (3, "ready = 1\n"), (7, "ready = 2\n"), (9, "done = 1\n")],
        ),
        (
            "a try that failed gives what was done before, the handler and finally",
            OPTIONAL,
            {1, 2, 4, 5, 9},
            [(5, "fast = None\n"), (9, "done = 1\n")],
        ),
        (
            "a handler that uses its exception stays as it is",
            "try:\n    a\nexcept E as e:\n    b = e\n",
            {1, 2, 3, 4},
            [(1, "try:\n    a\nexcept E as e:\n    b = e\n")],
        ),
        ("without a record a test for types only is false", "if TYPE_CHECKING:\n    import a\n", None, []),
        ("without a record other tests stay", "if a:\n    b\n", None, [(1, "if a:\n    b\n")]),
    ],
)
def test_branch(law: str, text: str, ran: set[int] | None, expected: list[tuple[int, str]]) -> None:
    assert pieces(text, ran) == expected, law


def test_an_import_of_a_compiled_module_counts_as_failed() -> None:
    assert pieces(OPTIONAL, {1, 2, 3, 7, 9}, missing=True) == [(5, "fast = None\n"), (9, "done = 1\n")]
