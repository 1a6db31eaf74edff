"""An audit names what is weak in a contract, and finds nothing in a sound one."""

import dataclasses

import pytest

from authoring.contract import Audited, Weakness, audit_weak
from authoring.model.errors import CannotJudgeError
from authoring.model.execution import How, Observed, ObservedTypes, Program, Request
from authoring.model.progress import SilentProgress
from authoring.model.task import Check
from authoring.model.variants import VersionName
from authoring.model.wire import decode, encode
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
    return Audited(made.contract, programs, made.scenarios, made.public, made.hidden, made.pools, made.domain)


def weakness(made: Audited, effort: float = 0.2) -> Weakness:
    return audit_weak(made, MemoryRunner(), How(), SilentProgress(), effort=effort)


def observed(source: str, check: Check, scenarios: str = SCENARIOS) -> object:
    subject = Program(source, "program", scenarios, ObservedTypes(raises=("ValueError",)))
    (outcome,) = MemoryRunner().observe(subject, [Request(check.scenario, check.params)], How())
    return outcome.observations if isinstance(outcome, Observed) else outcome


def test_a_sound_contract_has_no_weakness() -> None:
    found = weakness(audited())
    assert not found.rules_without_checks
    assert not found.overspecified
    assert not found.survivors
    assert found.tried > 40
    assert found.rewritings > 2
    assert found.inputs > 50


def test_the_same_contract_has_the_same_weakness_again() -> None:
    bare = dataclasses.replace(audited(), hidden=(), pools=())
    assert weakness(bare, 0.1) == weakness(bare, 0.1)


def test_without_hidden_checks_and_pools_there_are_survivors_and_rules_without_checks() -> None:
    made = audited()
    bare = dataclasses.replace(made, public=made.public[:1], hidden=(), pools=())
    found = weakness(bare)
    assert len(found.rules_without_checks) == 3
    assert found.survivors
    assert not found.is_empty
    for survivor in found.survivors:
        telling = made.public[0].model_copy(update={"params": survivor.input.params})
        assert observed(survivor.source, telling) != observed(REFERENCE, telling)
        assert observed(survivor.source, made.public[0]) == observed(REFERENCE, made.public[0])


def test_survivors_are_looked_for_only_in_a_domain_that_its_author_wrote() -> None:
    made = audited()
    domain = (
        "import hypothesis.strategies as st\nCUTS = []\n\n"
        "def pack(constants):\n"
        '    return st.fixed_dictionaries({"count": st.integers(150, 180), "label": st.just("z")})\n'
    )
    refusing = next(check for check in (*made.public, *made.hidden) if decode(check.params)["count"] < 0)
    bare = dataclasses.replace(
        made, public=(refusing,), hidden=(), pools=(), domain=domain, is_domain_edited=True
    )
    found = weakness(bare)
    assert found.survivors
    assert {decode(each.input.params)["label"] for each in found.survivors} == {"z"}
    assert all(150 <= decode(each.input.params)["count"] <= 180 for each in found.survivors)


def test_a_check_that_no_wrong_program_fails_is_named() -> None:
    made = audited()
    broken: dict[VersionName, str] = {"broken": BROKEN, "reference": REFERENCE}
    found = weakness(dataclasses.replace(made, programs=broken, pools=()), effort=0)
    assert found.idle_checks == passed_by_broken(made)


def passed_by_broken(made: Audited) -> tuple[str, ...]:
    bits = sample().facts.patterns["broken"].replace("/", "")
    checks = (*made.public, *made.hidden)
    return tuple(sorted(check.id for check, bit in zip(checks, bits, strict=True) if bit == "1"))


def test_a_mutant_that_hangs_fails_the_checks_on_which_it_hangs() -> None:
    made = audited()
    hanging = REFERENCE.replace("if count < 0:", "while count == 0:\n        pass\n    if count < 0:")
    programs: dict[VersionName, str] = {"broken": hanging, "reference": REFERENCE}
    checks = [check for check in (*made.public, *made.hidden) if decode(check.params)["count"] == 0]
    assert checks
    found = weakness(dataclasses.replace(made, programs=programs, pools=()), effort=0)
    assert not {check.id for check in checks} & set(found.idle_checks)


def test_a_check_that_looks_at_how_the_reference_is_written_is_overspecified() -> None:
    made = audited()
    scenarios = (
        made.scenarios + "\n\ndef names(program, p, seen):\n    seen(program.pack.__code__.co_code.hex())\n"
    )
    looking = Check(id="h98", name="", scenario="names", rules=(), params=encode({}), expect=())
    looking = looking.model_copy(update={"expect": observed(REFERENCE, looking, scenarios)})
    domain = made.domain + "\n\ndef names(constants):\n    return st.just({})\n"
    found = weakness(
        dataclasses.replace(made, scenarios=scenarios, hidden=(*made.hidden, looking), domain=domain)
    )
    assert [each.check for each in found.overspecified] == ["h98"]
    assert found.overspecified[0].rewriting
    assert 0 < found.overspecified[0].rejected <= found.rewritings


def test_a_reference_that_fails_its_own_check_allows_no_judgement() -> None:
    made = audited()
    wrong = made.public[0].model_copy(update={"id": "p98", "expect": ({"value": "never"},)})
    with pytest.raises(CannotJudgeError) as refused:
        weakness(dataclasses.replace(made, public=(wrong,)))
    assert refused.value.code == "VAL105"
    assert "p98" in refused.value.message and "never" not in refused.value.message
