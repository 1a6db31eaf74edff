"""How a reduction went is told in a few lines."""

from typing import Any

from authoring.cli.reduction import draw_reduction, ending, reduction_rows
from authoring.cli.screen import Screen
from authoring.model.wire import encode


def phase(name: str, nodes: int, trials: int) -> dict[str, Any]:
    return {"name": name, "nodes": nodes, "trials": trials, "kept": 3, "differing": 2, "counterexamples": 0}


REPORT: dict[str, Any] = {
    "complete": True,
    "ended": "",
    "sizes": {"broken": {"reduced": 40, "executed_in_functions": 900, "executed": 1000}},
    "cache_hits": 7,
    "accepted": 30,
    "requests": 24,
    "refusals": {"observation": 12, "undefined": 5},
    "phases": [phase("statements", 90, 20), phase("nodes", 44, 10), phase("again: nodes", 40, 5)],
    "left": {"check": 2, "input": 1, "undefined": 4},
    "held": [
        {"code": "if a:", "nodes": 9, "by": "check", "checks": ["check_2"], "params": encode({"x": 1})},
        {"code": "b = 2", "nodes": 4, "by": "input", "checks": [], "params": encode({"x": 2})},
    ],
}
SPENT = {"statements": 1.0, "nodes": 3.0}


def drawn(report: dict[str, Any], spent: dict[str, float]) -> str:
    screen = Screen(None)
    draw_reduction(screen, report, spent, "contracts/some/reduction.json")
    return screen.text()


def test_a_reduction_has_a_row_each_for_phases_and_refusals() -> None:
    rows = dict(reduction_rows(REPORT, SPENT))
    assert rows["phases"] == "statements 90 (25%), nodes 40 (75%) nodes left (CPU)"
    assert rows["refused"] == "observation 12, undefined 5"
    assert rows["asked"] == "24 requests; 7 answers known before, 30 edits kept"
    assert "reduction" not in rows


def test_an_early_end_comes_first_and_says_what_ended_it() -> None:
    report = {**REPORT, "complete": False, "ended": "trials"}
    assert reduction_rows(report, SPENT)[0][1].startswith("not complete: the budget of trials")
    assert "not complete" in drawn(report, {})
    assert ending({**report, "ended": "cut-off", "phase": "nodes"}).endswith("(phase nodes)")
    assert ending(REPORT) == ""


def test_phases_of_one_name_are_one_row_with_its_share_of_the_cpu() -> None:
    rows = [line.split() for line in drawn(REPORT, SPENT).splitlines()]
    assert ["statements", "90", "20", "3", "25%"] in rows
    assert ["nodes", "40", "15", "6", "75%"] in rows
    assert ["nodes", "40", "15", "6", "-"] in [line.split() for line in drawn(REPORT, {}).splitlines()]


def test_what_is_held_names_the_check_or_the_input() -> None:
    text = drawn(REPORT, SPENT)
    assert "9 nodes by check_2, which shows the fault: if a:" in text
    assert "4 nodes by the input {'x': 2}, which shows no fault: b = 2" in text
    assert "2 by check, 1 by input, 4 by undefined" in text
    assert "contracts/some/reduction.json" in text
