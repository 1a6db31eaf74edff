"""Later releases are heard: what they dispute is relaxed, left out, or told as outside the contract."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from authoring.contract import Draft, draft
from authoring.contract.hearing import Alternative
from authoring.model.execution import How, Hung, Outcome, Package, Program, Request, Subject
from authoring.model.observation import ExceptionBase, FloatTolerance
from authoring.model.progress import SilentProgress
from authoring.model.task import OuterPart
from authoring.model.wire import decode, encode
from authoring.scenario.inputs import Input, in_order
from tests.memory_runner import MemoryRunner
from tests.unit.contract.sample import BROKEN, KEY, REFERENCE, SCENARIOS, material

PLAIN = 'return f"{count // limit} {unit} {label.strip()}"'


class Releases(MemoryRunner):
    """Runs a release whose tree is named after it as the program that its text is."""

    def __init__(self, **sources: str) -> None:
        super().__init__()
        self.sources = sources

    def observe(self, subject: Subject, requests: Sequence[Request], how: How) -> list[Outcome]:
        """Observe a program, or the program that stands for a release."""
        if isinstance(subject, Package):
            subject = Program(self.sources[subject.tree.name], "program", subject.scenarios, subject.types)
        return super().observe(subject, requests, how)


def drafted(broken: str = BROKEN, reference: str = REFERENCE, **sources: str) -> Draft:
    alternatives = [
        Alternative(name, Package(Path(name), ("sample",), "", SCENARIOS)) for name in sorted(sources)
    ]
    made = replace(material(broken, reference), alternatives=alternatives)
    return draft(made, Releases(**sources), How(), KEY, SilentProgress())


def held(made: Draft) -> list[dict[str, object]]:
    """Return the parameters of all checks and pools."""
    checks = [decode(check.params) for check in (*made.public, *made.hidden)]
    return checks + [decode(params) for pool in made.pools for params in pool.inputs]


def verdicts(made: Draft) -> dict[str, str]:
    return {heard.label: heard.verdict for heard in made.facts.later.releases}


def test_a_release_that_agrees_changes_nothing() -> None:
    made = drafted(r1=REFERENCE.replace("count < 0", "0 > count"))
    plain = drafted()
    assert verdicts(made) == {"r1": "alternative"}
    (heard,) = made.facts.later.releases
    assert heard.asked > 100 and heard.disputed == 0 and heard.dispute is None
    assert (made.contract, made.public, made.hidden, made.pools) == (
        plain.contract,
        plain.public,
        plain.hidden,
        plain.pools,
    )


LISTING = REFERENCE.replace(PLAIN, "return [str(count // limit), unit, label.strip()]")
FLOATING = REFERENCE.replace(PLAIN, "return count / 3.0 / limit")
NAMED = REFERENCE.replace(PLAIN, 'return {"count": count // limit, "unit": unit}')
EMPTY = REFERENCE.replace('return "nothing"', "return None")
RAISING = REFERENCE.replace("raise ValueError(count)", "raise UnicodeError(count)")
TURNED = {
    "order": (
        NAMED,
        NAMED.replace('{"count": count // limit, "unit": unit}', "dict(unit=unit, count=count // limit)"),
    ),
    "floats": (FLOATING, FLOATING.replace("count / 3.0 / limit", "count / (3.0 * limit)")),
    "nothing": (EMPTY, EMPTY.replace("return None", "return False")),
    "exception ValueError": (REFERENCE, RAISING),
}


@pytest.mark.parametrize("what", TURNED)
def test_a_comparison_is_relaxed_where_that_resolves_all_that_a_release_disputes(what: str) -> None:
    reference, release = TURNED[what]
    made = drafted(reference.replace("count >= limit", "count > limit"), reference, r1=release)
    spec, *_ = made.contract.scenarios
    assert verdicts(made) == {"r1": "alternative"}
    assert made.facts.later.relaxed == (("pack", what),)
    assert made.facts.later.dropped == 0
    assert made.facts.later.releases[0].disputed > 0
    assert (spec.compare.order == "any") == (what == "order")
    assert (spec.compare.nothing == "same") == (what == "nothing")
    assert isinstance(spec.compare.exception, ExceptionBase) == what.startswith("exception ")
    assert isinstance(spec.compare.floats, FloatTolerance) == (what == "floats")
    assert any("relaxed" in note for note in made.facts.notes)
    assert "0" in made.facts.patterns["broken"]


def test_a_comparison_stays_strict_where_a_wrong_program_would_pass_that_does_not_what_the_release_does() -> (
    None
):
    release = LISTING.replace("[str(count // limit), unit,", "[unit, str(count // limit),")
    made = drafted(LISTING.replace("count >= limit", "count > limit"), LISTING, r1=release)
    assert made.facts.later.relaxed == ()
    assert made.contract.scenarios[0].compare.order == "kept"
    assert any("would pass" in note for note in made.facts.notes)


def test_exceptions_that_have_nothing_in_common_are_not_taken_for_the_same() -> None:
    made = drafted(r1=REFERENCE.replace("raise ValueError(count)", "raise IndexError(count)"))
    assert made.facts.later.relaxed == ()
    assert made.contract.scenarios[0].compare.exception == "type"


def test_a_comparison_that_would_hide_the_fault_stays_strict() -> None:
    reference = LISTING
    broken = LISTING.replace("[str(count // limit), unit,", "[unit, str(count // limit),")
    made = drafted(broken, reference, r1=broken.replace("count < 0", "0 > count"))
    assert made.facts.later.relaxed == ()
    assert verdicts(made) == {"r1": "outside"}
    assert made.contract.scenarios[0].compare.order == "kept"


def test_disputed_inputs_are_left_out_where_the_rules_hold_without_them() -> None:
    release = REFERENCE.replace('return "nothing"', 'return "empty"')
    made = drafted(r1=release)
    assert verdicts(made) == {"r1": "alternative"}
    assert made.facts.later.dropped > 0
    assert all(each["count"] != 0 for each in held(made))
    assert any(each["count"] == 0 for each in held(drafted()))
    assert len(made.contract.rules) >= len(drafted().contract.rules)


OUTER = SCENARIOS + '\n\ndef outer(program, p, seen):\n    seen(p["said"])\n'


def test_a_release_that_may_lack_the_entry_is_asked_from_outside() -> None:
    said = {True: "otherwise", False: "as it was"}
    questions = {
        Input("pack", in_order(encode(each))).key: OuterPart(
            scenario="outer",
            params=encode({"said": said[each["count"] == 0]}),
            expect=({"value": "as it was"},),
        )
        for each in held(drafted())
    }
    alternative = Alternative("r1", Package(Path("r1"), ("sample",), "", OUTER), questions)
    made = draft(
        replace(material(BROKEN, REFERENCE), scenarios=OUTER, alternatives=[alternative]),
        Releases(r1="pack = None\n"),
        How(),
        KEY,
        SilentProgress(),
    )
    assert verdicts(made) == {"r1": "alternative"}
    assert made.facts.later.dropped > 0
    known = [each for each in held(made) if Input("pack", in_order(encode(each))).key in questions]
    assert known and all(each["count"] != 0 for each in known)


def test_a_release_that_changed_the_rule_is_outside_with_the_input_that_shows_it() -> None:
    made = drafted(r1=REFERENCE, r2=BROKEN)
    plain = drafted()
    assert verdicts(made) == {"r1": "alternative", "r2": "outside"}
    outside = made.facts.later.releases[1]
    assert outside.dispute is not None
    scenario, params = outside.dispute
    assert scenario == "pack"
    assert decode(params)["count"] in (1, 10, 100)
    assert outside.reason
    assert (made.public, made.hidden, made.pools) == (plain.public, plain.hidden, plain.pools)


def test_a_release_that_holds_the_fault_on_some_inputs_is_outside_however_few_they_are() -> None:
    made = drafted(r1=REFERENCE.replace("count >= limit", "count > limit or count == 100"))
    (heard,) = made.facts.later.releases
    assert heard.verdict == "outside"
    assert "broken" in heard.reason
    assert made.facts.later.dropped == 0
    assert any(each["count"] in (1, 10) for each in held(made))


def test_a_release_that_hangs_is_outside_and_is_asked_no_more() -> None:
    made = drafted(
        r1=REFERENCE.replace("if count < 0:", "while count > 20:\n        pass\n    if count < 0:")
    )
    (heard,) = made.facts.later.releases
    assert heard.verdict == "outside"
    assert heard.dispute is not None
    assert decode(heard.dispute[1])["count"] > 20


def test_a_release_that_is_slow_at_first_is_asked_once_more_with_patience() -> None:
    class Slow(Releases):
        def observe(self, subject: Subject, requests: Sequence[Request], how: How) -> list[Outcome]:
            seen = super().observe(subject, requests, how)
            is_quick = how.limits.call_cpu_s is not None and how.limits.call_cpu_s < 1
            return [Hung()] * len(seen) if isinstance(subject, Package) and is_quick else seen

    alternatives = [Alternative("r1", Package(Path("r1"), ("sample",), "", SCENARIOS))]
    made = replace(material(), alternatives=alternatives)
    found = draft(made, Slow(r1=REFERENCE), How(), KEY, SilentProgress())
    (heard,) = found.facts.later.releases
    assert (heard.verdict, heard.disputed) == ("alternative", 0)
    assert heard.asked > 100


def test_an_authors_comparison_is_not_relaxed() -> None:
    reference, release = TURNED["order"]
    broken = reference.replace("count >= limit", "count > limit")
    author = drafted(broken, reference).contract
    alternatives = [Alternative("r1", Package(Path("r1"), ("sample",), "", SCENARIOS))]
    made = replace(material(broken, reference), alternatives=alternatives, author=author)
    found = draft(made, Releases(r1=release), How(), KEY, SilentProgress())
    assert found.facts.later.relaxed == ()
    assert found.contract.scenarios[0].compare.order == "kept"
    assert verdicts(found) == {"r1": "outside"}
