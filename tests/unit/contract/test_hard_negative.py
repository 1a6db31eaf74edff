"""A hard negative repairs something, passes as much as can be, and is neither the reference nor broken."""

import dataclasses

from authoring.contract import draft
from authoring.contract.bench import Row
from authoring.contract.collect import collect
from authoring.contract.hard_negative import kind_of, synthesise
from authoring.contract.material import WrongKind
from authoring.contract.negative import settle_negative
from authoring.contract.trial import Wrong, is_over_correction, tabulate
from authoring.contract.work import begin
from authoring.model.execution import How
from authoring.model.progress import SilentProgress
from tests.memory_runner import MemoryRunner
from tests.unit.contract.sample import KEY, material

INPUTS = frozenset("abcdefgh")
FAULTS, PUBLIC, HIDDEN = frozenset("abc"), frozenset("ae"), frozenset("bcfgh")

REFERENCE = """def pack(count, label):
    if count < 0:
        raise ValueError(count)
    if count >= 50 and label.strip() == "a":
        return "free"
    return f"{count} {label}"
"""
BROKEN = REFERENCE.replace("count >= 50", "count > 100")


def wrong(name: str, fails: str, kind: WrongKind = "mutant", *, is_near: bool = True) -> Wrong:
    return Wrong(name, kind, f"source of {name}", is_near, Row(frozenset(fails), INPUTS))


def best(*wrongs: Wrong) -> str | None:
    found = synthesise(wrongs, FAULTS, PUBLIC, HIDDEN)
    return None if found is None else found.id


def test_the_one_that_passes_most_wins_though_another_passes_all_public_inputs() -> None:
    assert best(wrong("passes-public", "fgh"), wrong("passes-most", "ab", "partial-fix")) == "passes-most"


def test_of_those_that_pass_as_much_one_that_passes_all_public_inputs_wins_then_an_over_correction() -> None:
    assert best(wrong("a", "af"), wrong("b", "fg")) == "b"
    assert best(wrong("a", "fg"), wrong("b", "fh", "over-correction")) == "b"


def test_what_is_ranked_does_not_depend_on_the_order() -> None:
    some = [wrong("a", "fg"), wrong("b", "gh"), wrong("c", "fh")]
    assert best(*some) == best(*reversed(some)) == "a"


def test_a_mutant_elsewhere_is_taken_only_where_nothing_around_the_fix_will_do() -> None:
    far = wrong("far", "f", is_near=False)
    assert best(far, wrong("near", "abfgh")) == "near"
    assert best(far, wrong("no-repair", "abcf")) == "far"


def test_what_is_like_broken_or_is_told_by_no_hidden_input_is_no_hard_negative() -> None:
    assert best(wrong("broken-again", "abc")) is None
    assert best(wrong("repairs-nothing", "abcde")) is None
    assert best(wrong("only-public-tells", "a")) is None
    assert best(wrong("reference-again", "")) is None


def test_a_kind_is_how_the_program_was_made() -> None:
    assert kind_of(wrong("a", "f", "over-correction")) == "over-correction"
    assert kind_of(wrong("a", "f", "partial-fix")) == "partial-fix"
    assert kind_of(wrong("a", "f")) == "near-fix"
    assert kind_of(wrong("a", "f", is_near=False)) == "far-mutant"


def test_an_over_correction_repairs_something_and_breaks_something_that_was_asked_of_both() -> None:
    broken = Row(frozenset("ab"), frozenset("abcd"))
    assert is_over_correction(Row(frozenset("c"), frozenset("abcd")), broken)
    assert not is_over_correction(Row(frozenset("abc"), frozenset("abcd")), broken)
    assert not is_over_correction(Row(frozenset("a"), frozenset("abcd")), broken)
    assert not is_over_correction(Row(frozenset("c"), frozenset("c")), broken)
    assert not is_over_correction(Row(frozenset("e"), frozenset("abe")), broken)


def test_over_corrections_of_the_fix_are_tried_and_kept_where_they_are_that() -> None:
    work = begin(material(BROKEN, REFERENCE), MemoryRunner(), How(), SilentProgress())
    table = tabulate(work, collect(work))
    kept = [one for one in table.wrongs if one.kind == "over-correction"]
    assert REFERENCE.replace('count >= 50 and label.strip() == "a"', "count >= 50") in {
        one.source for one in kept
    }
    for one in kept:
        assert (table.faults & one.row.asked) - one.fails
        assert one.fails - table.faults
    others = [one for one in table.wrongs if one.id.startswith("over-") and one not in kept]
    assert {one.kind for one in others} <= {"mutant"}


def test_a_draft_takes_an_over_correction_where_it_passes_most() -> None:
    always = REFERENCE.replace('if count >= 50 and label.strip() == "a"', "if True")
    work = begin(material(BROKEN, REFERENCE), MemoryRunner(), How(), SilentProgress())
    collected = collect(work)
    table = tabulate(work, collected)
    overs = tuple(one for one in table.wrongs if one.kind in ("broken", "over-correction"))
    settled, kind = settle_negative(work, dataclasses.replace(table, wrongs=overs), collected.lifted)
    negative = settled.wrong("hard_negative")
    assert kind == "over-correction"
    assert negative is not None
    assert negative.source not in (BROKEN, REFERENCE, always)
    assert len(negative.fails) == min(len(one.fails) for one in overs if one.id != "broken")


def test_the_same_material_has_the_same_hard_negative() -> None:
    first, second = (
        draft(material(BROKEN, REFERENCE), MemoryRunner(), How(), KEY, SilentProgress()) for _ in range(2)
    )
    assert first.hard_negative == second.hard_negative
    assert first.hard_negative not in (BROKEN, REFERENCE)
