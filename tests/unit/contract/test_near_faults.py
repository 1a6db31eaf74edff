"""A failure that the reproducer shows on one input is looked for on smaller ones and on those beside it."""

from dataclasses import replace

from authoring.contract.collect import collect
from authoring.contract.near_faults import near_faults
from authoring.contract.work import begin
from authoring.model.execution import How
from authoring.model.progress import SilentProgress
from authoring.model.wire import decode
from tests.memory_runner import MemoryRunner
from tests.unit.contract.sample import REFERENCE, material

LATE = REFERENCE.replace("    for limit", "    if count > 3_000:\n        return 'too many'\n    for limit")


def faults_of(count: int, *, attempt: str | None = None, is_domain_edited: bool = False) -> list[int]:
    """Return the counts of the smaller failing inputs that are found for one of ``count``."""
    made = material(broken=LATE, attempt=attempt)
    first, *others = made.capture.checks
    params = {"dict": [["count", {"int": hex(count)}], ["label", "a"]]}
    capture = made.capture.model_copy(
        update={"checks": (first.model_copy(update={"params": params}), *others)}
    )
    made = replace(made, capture=capture, is_domain_edited=is_domain_edited)
    work = begin(made, MemoryRunner(), How(), SilentProgress())
    collected = collect(work)
    found = near_faults(work, collected.lifted)
    assert {one.key for one in found} <= {one.key for one in collected.inputs}
    return [decode(one.params)["count"] for one in found]


def test_smaller_inputs_that_fail_too_are_found_and_kept() -> None:
    counts = faults_of(1_000_000)
    assert min(counts) in range(3_001, 8_000) and len(counts) > 1
    assert all(count > 3_000 for count in counts)


def test_of_an_authors_own_domain_nothing_is_made_up() -> None:
    assert faults_of(1_000_000, is_domain_edited=True) == []


def test_what_only_the_attempt_fails_is_looked_for_too() -> None:
    attempt = REFERENCE.replace("label.strip()", "(label.strip() if count != 10 else label)")
    assert any(count == 10 for count in faults_of(1_000_000, attempt=attempt))
