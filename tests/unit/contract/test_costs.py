"""What a call costs is a check like others: in both tiers, at several sizes, with room for other right programs."""

from dataclasses import replace

import pytest

from authoring.contract import Draft, draft
from authoring.model.execution import How
from authoring.model.progress import SilentProgress
from authoring.model.wire import encode
from authoring.scenario.inputs import Input
from tests.memory_runner import MemoryRunner
from tests.unit.contract.sample import BROKEN, KEY, REFERENCE, material

SLOW = REFERENCE.replace(
    "    for limit, unit in LIMITS:",
    "    for _ in range(count):\n        for _ in range(40):\n            pass\n    for limit, unit in LIMITS:",
)
SIZES = (101, 102, 103, 104)
BOUND = 2_000


def sized(count: int, bound: int | None = BOUND) -> Input:
    return Input("pack", encode({"count": count, "label": "a"}), bound)


def made(broken: str = SLOW, rule: str = "") -> Draft:
    plain = material(broken, rule=rule)
    first, *others = plain.capture.checks
    checks = (first.model_copy(update={"line_events": BOUND}), *others)
    given = replace(
        plain,
        capture=plain.capture.model_copy(update={"checks": checks}),
        bounded=(sized(100), *map(sized, SIZES), sized(1, None)),
    )
    return draft(given, MemoryRunner(), How(), KEY, SilentProgress())


def costs(draft: Draft, tier: str) -> list[int]:
    return [check.cost.line_events for check in getattr(draft, tier) if check.cost is not None]


def test_a_fault_of_cost_alone_gives_bounded_checks_in_both_tiers_which_alone_reject_it() -> None:
    found = made()
    assert costs(found, "public") and costs(found, "hidden")
    checks = [*found.public, *found.hidden]
    failed = [
        check
        for check, bit in zip(checks, found.facts.patterns["broken"].replace("/", ""), strict=True)
        if bit == "0"
    ]
    assert failed == [check for check in checks if check.cost is not None]


def test_a_bound_is_told_in_words_and_stands_in_the_file() -> None:
    found = made()
    (first, *_) = [check for check in found.public if check.cost is not None]
    assert first.name.endswith(f"within {BOUND} line events")
    assert first.model_dump()["cost"] == {"line_events": BOUND}
    assert "line events" in found.contract.rules[0].text
    assert "`cost`" in found.prompt_template


def test_a_check_without_a_bound_says_nothing_of_one() -> None:
    found = draft(material(BROKEN), MemoryRunner(), How(), KEY, SilentProgress())
    assert costs(found, "public") == costs(found, "hidden") == []
    assert all("cost" not in check.model_dump() for check in (*found.public, *found.hidden))
    assert "`cost`" not in found.prompt_template


def test_no_pool_holds_the_input_of_a_bounded_check() -> None:
    found = made()
    pooled = [params for pool in found.pools for params in pool.inputs]
    public = [check.params for check in found.public if check.cost is not None]
    assert pooled and not [params for params in public if params in pooled]


@pytest.mark.parametrize("bound", [None, BOUND])
def test_a_bound_makes_another_input_of_the_same_parameters(bound: int | None) -> None:
    assert (sized(101, bound).key == sized(101).key) == (bound == BOUND)
    assert sized(101, bound).request.line_events == bound
