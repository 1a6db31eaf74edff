"""A derived domain is readable text that draws what was seen, its mixtures, and the boundaries of the changed code."""

import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from authoring.model.execution import How
from authoring.model.wire import WireError, decode, encode, sort_key
from authoring.scenario.domain import ChangedCode, changed_code, derive_domain
from tests.memory_runner import MemoryRunner

BROKEN = """
def size(n):
    if n > 1024:
        return "K"
    return "B"
"""
FIXED = BROKEN.replace(">", ">=")
CHANGED = changed_code({"broken": BROKEN, "reference": FIXED})

SEEN: dict[str, list[dict[str, Any]]] = {
    "size": [{"n": 1023}, {"n": 1}],
    "signed": [{"n": -5}, {"n": 5}],
    "mixed": [
        {"d": {"a": 1, "b": [1, {"c": None}]}, "t": (1, "x"), "s": {1, 2}, "raw": b"a/b", "f": 1.5},
        {"d": {"a": True}, "t": (2, "y/z"), "s": {3}, "raw": b"", "f": float("nan")},
    ],
    "times": [
        {
            "day": datetime.date(2024, 2, 29),
            "at": datetime.datetime(2024, 2, 29, 1, tzinfo=datetime.UTC),
            "span": datetime.timedelta(days=1),
            "clock": datetime.time(23, 59),
            "exact": Decimal("1.5"),
            "part": Fraction(1, 3),
        }
    ],
    "nothing": [{}],
}


def draw(scenario: str, n: int, changed: ChangedCode = CHANGED) -> list[Any]:
    text = derive_domain({scenario: [encode(row) for row in SEEN[scenario]]}, changed)
    return [decode(wire) for wire in MemoryRunner().draw(text, scenario, n, 7, How())]


@pytest.mark.parametrize("scenario", sorted(SEEN))
def test_every_seen_value_is_in_the_file_and_is_drawn(scenario: str) -> None:
    text = derive_domain({scenario: [encode(row) for row in SEEN[scenario]]}, CHANGED)
    namespace: dict[str, Any] = {}
    exec(text, namespace)
    assert list(map(encode, namespace["SEEN"][scenario])) == list(map(encode, SEEN[scenario]))
    drawn = {sort_key(encode(dict(sorted(row.items())))) for row in draw(scenario, 300)}
    assert {sort_key(encode(dict(sorted(row.items())))) for row in SEEN[scenario]} <= drawn


def test_the_changed_codes_numbers_are_drawn_with_their_neighbours() -> None:
    assert {1023, 1024, 1025} <= {row["n"] for row in draw("size", 300)}


def test_negative_numbers_are_drawn_only_where_one_was_seen() -> None:
    assert min(row["n"] for row in draw("size", 300)) >= -1
    assert min(row["n"] for row in draw("signed", 300)) < -5


def test_drawn_values_keep_the_kinds_seen_at_their_place() -> None:
    for row in draw("mixed", 150):
        assert {key: type(row[key]) for key in "tsf"} == {"t": tuple, "s": set, "f": float}
        assert type(row["raw"]) is bytes
        assert len(row["t"]) == 2


def test_the_same_input_gives_the_same_text_whatever_the_order_of_scenarios() -> None:
    seen = {name: [encode(row) for row in rows] for name, rows in SEEN.items()}
    turned = dict(reversed(seen.items()))
    assert derive_domain(seen, CHANGED) == derive_domain(turned, CHANGED)


def test_the_text_imports_hypothesis_and_the_standard_library_only() -> None:
    text = derive_domain({name: [encode(row) for row in rows] for name, rows in SEEN.items()}, CHANGED)
    imports = {line for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert imports == {
        "import datetime",
        "import decimal",
        "import fractions",
        "from hypothesis import strategies as st",
    }


def test_an_unused_building_block_is_not_copied() -> None:
    text = derive_domain({"size": [encode({"n": 1})]}, CHANGED)
    assert "def whole" in text
    assert "def written" not in text
    assert "MARKS" not in text


def test_an_injected_function_alone_has_no_domain() -> None:
    with pytest.raises(WireError, match="ask"):
        derive_domain({"ask": [{"dict": [["f", {"double": "clock"}]]}]}, CHANGED)


def test_options_are_drawn_among_those_that_the_program_names() -> None:
    code = changed_code({"reference": 'MODES = {"fast": 1, "slow": 2}\nSEP = ", "\n'})
    text = derive_domain({"run": [encode({"mode": "fast"})]}, code)
    drawn = {decode(wire)["mode"] for wire in MemoryRunner().draw(text, "run", 60, 1, How())}
    assert drawn == {"fast", "slow"}
