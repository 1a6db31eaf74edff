"""Audits name what is weak and what is flaky, and find nothing in a sound contract."""

import dataclasses

from authoring.contract import Audited, Weakness, audit_weak
from authoring.model.execution import How
from authoring.model.progress import SilentProgress
from authoring.model.variants import VersionName
from tests.memory_runner import MemoryRunner
from tests.unit.contract.sample import BROKEN, REFERENCE, SCENARIOS
from tests.unit.contract.test_draft import sample


def audited() -> Audited:
    made = sample()
    programs: dict[VersionName, str] = {
        "broken": BROKEN,
        "hard_negative": made.hard_negative,
        "reference": REFERENCE,
    }
    return Audited(made.contract, programs, SCENARIOS, made.public, made.hidden, made.pools)


def weakness(made: Audited, effort: float = 0.2) -> Weakness:
    return audit_weak(made, MemoryRunner(), How(), SilentProgress(), effort=effort)


def test_a_sound_contract_has_no_weakness() -> None:
    found = weakness(audited())
    assert not found.rules_without_checks
    assert not found.overspecified
    assert not found.survivors
    assert found.tried > 40


def test_without_hidden_checks_and_pools_there_are_survivors_and_rules_without_checks() -> None:
    made = audited()
    bare = dataclasses.replace(made, public=made.public[:1], hidden=(), pools=())
    found = weakness(bare)
    assert found.survivors
    assert len(found.rules_without_checks) == 3
    assert not found.is_empty


def test_a_check_that_no_wrong_program_fails_is_named() -> None:
    made = audited()
    broken: dict[VersionName, str] = {"broken": BROKEN, "reference": REFERENCE}
    found = weakness(dataclasses.replace(made, programs=broken, pools=()), effort=0)
    passed = made_patterns(made)
    assert found.idle_checks == passed


def made_patterns(made: Audited) -> tuple[str, ...]:
    """Return the ids of the checks that broken passes."""
    bits = sample().facts.patterns["broken"].replace("/", "")
    checks = (*made.public, *made.hidden)
    return tuple(sorted(check.id for check, bit in zip(checks, bits, strict=True) if bit == "1"))


def test_a_check_that_a_rewriting_fails_is_overspecified() -> None:
    made = audited()
    wrong = made.public[0].model_copy(update={"id": "p98", "expect": ({"value": "never"},)})
    found = weakness(dataclasses.replace(made, public=(wrong,)))
    assert {name for name, _ in found.overspecified} == {"p98"}
