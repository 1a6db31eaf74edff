"""A view is weakened where a later release differs in nothing else, and no wrong program passes for it."""

from dataclasses import replace
from pathlib import Path

from authoring.contract import Draft, Material, draft
from authoring.contract.hearing import Alternative
from authoring.model.capture import AND_CALLS, LiftedCheck
from authoring.model.execution import How, Package
from authoring.model.progress import SilentProgress
from authoring.model.task import OuterPart
from authoring.model.variants import VersionName
from authoring.model.wire import decode, encode
from authoring.scenario.domain import changed_code, derive_domain
from authoring.scenario.inputs import Input, in_order
from authoring.scenario.lifting import with_calls
from tests.unit.contract.sample import BROKEN, KEY, REFERENCE, SCENARIOS, material
from tests.unit.contract.test_hear import LISTING, PLAIN, Releases, drafted, verdicts

TUPLE = REFERENCE.replace(PLAIN, "return (count // limit, unit, label.strip())")


def test_another_form_of_the_value_is_observed_where_a_release_differs_in_the_kind_of_it_only() -> None:
    release = TUPLE.replace("return (count", "return list((count").replace(
        "label.strip())", "label.strip()))"
    )
    made = drafted(TUPLE.replace("count >= limit", "count > limit"), TUPLE, r1=release)
    assert verdicts(made) == {"r1": "alternative"}
    assert made.facts.later.relaxed == (("pack", "list of it"),)
    assert made.facts.later.dropped == 0
    assert "seen(list(program.pack(" in made.scenarios
    kinds = {type(decode(check.expect[-1]["value"])) for check in made.public if "value" in check.expect[-1]}
    assert kinds == {list}
    assert any("view" in note for note in made.facts.notes)
    assert made.pools


def test_a_view_stays_where_a_wrong_program_would_pass_under_a_weaker_one() -> None:
    reference = LISTING.replace("[str(count // limit), unit", "[count // limit, unit")
    made = drafted(
        reference.replace("count >= limit", "count > limit"),
        reference,
        r1=reference.replace("[count // limit", "[float(count // limit)"),
    )
    assert made.facts.later.relaxed == ()
    assert "seen(program.pack(" in made.scenarios


def test_scenarios_of_the_author_keep_their_views() -> None:
    release = TUPLE.replace("return (count", "return list((count").replace(
        "label.strip())", "label.strip()))"
    )
    alternatives = [Alternative("r1", Package(Path("r1"), ("sample",), "", SCENARIOS))]
    made = replace(
        material(TUPLE.replace("count >= limit", "count > limit"), TUPLE),
        alternatives=alternatives,
        is_scenarios_edited=True,
    )
    found = draft(made, Releases(r1=release), How(), KEY, SilentProgress())
    assert found.facts.later.relaxed == ()
    assert found.scenarios.startswith(SCENARIOS.rstrip())


FIRSTS = """def firsts(items, key, most):
    found = {}
    for item in items:
        mark = key(item)
        if mark < 0:
            continue
        if len(found) >= most and mark not in found:
            break
        found.setdefault(mark, item)
    return list(found.values())
"""
FIRSTS_SCENARIOS = with_calls(
    "def firsts(program, p, seen):\n"
    '    seen(program.firsts(p["items"], key=lambda item: item % 10, most=p["most"]))\n'
)[0]
ASKED: tuple[tuple[list[int], int], ...] = (
    ([3, 13, 4], 2),
    ([1, 2, 3], 2),
    ([5, 15], 1),
    ([7], 3),
    ([20, 10], 4),
)


def calling(**sources: str) -> Draft:
    """Return a draft of which every scenario observes calls back."""
    programs: dict[VersionName, str] = {
        "broken": FIRSTS.replace("found.setdefault(mark, item)", "found[mark] = item"),
        "reference": FIRSTS,
    }
    params = [encode({"items": items, "most": most}) for items, most in ASKED]
    made = material()
    checks = tuple(
        LiftedCheck(
            id=f"check_{at}",
            function="",
            line=at,
            script="",
            scenario="firsts",
            params=each,
            view="value" + AND_CALLS,
        )
        for at, each in enumerate(params)
    )
    capture = made.capture.model_copy(update={"checks": checks, "raises": ()})
    whole: Material = replace(
        made,
        capture=capture,
        programs=programs,
        scenarios=FIRSTS_SCENARIOS,
        domain=derive_domain({"firsts": params}, changed_code(programs)),
        alternatives=[
            Alternative(name, Package(Path(name), ("sample",), "", FIRSTS_SCENARIOS))
            for name in sorted(sources)
        ],
    )
    return draft(whole, Releases(**sources), How(), KEY, SilentProgress())


def test_calls_back_no_longer_count_where_a_release_differs_in_them_only() -> None:
    made = calling(r1=FIRSTS.replace("mark = key(item)", "mark = key(item) + 0 * key(item)"))
    assert verdicts(made) == {"r1": "alternative"}
    assert made.facts.later.relaxed == (("firsts", "calls"),)
    assert made.facts.later.dropped == 0
    assert "calls" not in made.scenarios.partition("def firsts_")[0]
    assert "`calls`" not in made.contract.returns
    assert all(len(check.expect) == 1 for check in made.public if check.scenario == "firsts")


def test_calls_back_count_where_every_release_makes_them() -> None:
    made = calling(r1=FIRSTS.replace("mark < 0", "0 > mark"))
    assert made.facts.later.relaxed == ()
    assert "seen(calls)" in made.scenarios
    assert "`calls`" in made.contract.returns


OUTER = (
    SCENARIOS + '\n\ndef outer(program, p, seen):\n    seen(program.turn([p["count"], p["label"], "z"]))\n'
)
TURNED = "def turn(items):\n    return items[::-1]\n"
SAME = "def turn(items):\n    return items\n"


def test_the_comparison_of_an_outer_scenario_is_relaxed_for_a_release_that_is_asked_from_outside() -> None:
    def part(params: dict[str, object]) -> OuterPart:
        value = encode([params["count"], params["label"], "z"])
        return OuterPart(scenario="outer", params=encode(params), expect=({"value": value},))

    plain = drafted()
    inputs = [decode(check.params) for check in (*plain.public, *plain.hidden)]
    questions = {Input("pack", in_order(encode(each))).key: part(each) for each in inputs}

    def heard(broken: str) -> Draft:
        originals: dict[VersionName, Package] = {"broken": Package(Path("r0"), ("sample",), "", OUTER)}
        alternative = Alternative("r1", Package(Path("r1"), ("sample",), "", OUTER), questions)
        made = replace(
            material(BROKEN, REFERENCE), scenarios=OUTER, alternatives=[alternative], originals=originals
        )
        return draft(made, Releases(r0=BROKEN + broken, r1=TURNED), How(), KEY, SilentProgress())

    made = heard(SAME)
    assert made.facts.later.relaxed == (("outer", "order"),)
    assert verdicts(made) == {"r1": "alternative"}
    assert made.facts.later.dropped == 0
    (spec,) = [spec for spec in made.contract.scenarios if spec.id == "outer"]
    assert (spec.level, spec.compare.order) == ("outer", "any")
    assert heard(TURNED).facts.later.relaxed == ()
