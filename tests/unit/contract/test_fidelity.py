"""Programs are held to their releases on more than what the reduction asked, also where it put inputs outside."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from authoring.contract import Draft, UnfaithfulInputsError, draft
from authoring.model.execution import How, Outcome, Package, Request, Subject, Wire
from authoring.model.observation import Compare
from authoring.model.progress import SilentProgress
from authoring.model.wire import decode, encode
from tests.unit.contract.sample import BROKEN, KEY, REFERENCE, SCENARIOS, material
from tests.unit.contract.test_hear import Releases

FALLS = '    return f"{-count} owed"\n'
RAISES = "    raise LookupError\n"


def with_owed(source: str, owed: str) -> str:
    """Return a program in which a count below -5 is owed, or raises what no contract covers."""
    head, _, rest = source.partition("    if count < 0:\n")
    return f"{head}    if count < -5:\n    {owed}    if count < 0:\n{rest}"


def drafted(reduced: str, real: str, *, must_be_faithful: bool = False) -> Draft:
    release = Package(Path("r1"), ("sample",), "", SCENARIOS)
    made = replace(
        material(with_owed(BROKEN, reduced), with_owed(REFERENCE, reduced)),
        originals={"reference": release},
        must_be_faithful=must_be_faithful,
    )
    return draft(made, Releases(r1=with_owed(REFERENCE, real)), How(), KEY, SilentProgress())


def counts(found: list[object]) -> list[int]:
    return [params["count"] for params in found if isinstance(params, dict)]


def test_an_input_that_only_the_reduction_put_outside_ends_a_draft_that_must_be_faithful() -> None:
    with pytest.raises(UnfaithfulInputsError) as ended:
        drafted(RAISES, FALLS, must_be_faithful=True)
    lost = counts([decode(one.params) for one in ended.value.inputs])
    assert lost
    assert all(count < -5 for count in lost)


def test_without_that_it_is_told_as_a_counterexample() -> None:
    lost = counts([decode(params) for _, params, _ in drafted(RAISES, FALLS).counterexamples])
    assert lost
    assert all(count < -5 for count in lost)


@pytest.mark.parametrize(("reduced", "real"), [(RAISES, RAISES), (FALLS, FALLS)])
def test_what_release_and_program_both_do_is_no_counterexample(reduced: str, real: str) -> None:
    assert not drafted(reduced, real, must_be_faithful=True).counterexamples


def deep(frames: int) -> str:
    """Return what a count below -5 does: it recurses for ever, or so many frames deep and is owed then."""
    return f'    return down({frames}) and f"{{-count}} owed"\n'


DOWN = "def down(n):\n    return n == 0 or down(n - 1)\n"


@pytest.mark.parametrize(("frames", "is_accident"), [(1500, True), (-1, False)])
def test_a_difference_of_depth_alone_is_no_counterexample(frames: int, is_accident: bool) -> None:
    release = Package(Path("r1"), ("sample",), "", SCENARIOS)
    made = replace(material(), originals={"broken": release}, must_be_faithful=True)
    real = with_owed(BROKEN, deep(frames)) + DOWN
    made = replace(made, programs={**made.programs, "broken": with_owed(BROKEN, FALLS)})
    if is_accident:
        assert not draft(made, Releases(r1=real), How(), KEY, SilentProgress()).counterexamples
    else:
        with pytest.raises(UnfaithfulInputsError):
            draft(made, Releases(r1=real), How(), KEY, SilentProgress())


RARE = {"count": 77, "label": "rare"}
WITH_RARE = REFERENCE.replace(
    "    if count < 0:", '    if (count, label) == (77, "rare"):\n        return "lost"\n    if count < 0:'
)


class Draws(Releases):
    """Draws one rare input wherever another seed than the contract's own is given."""

    def draw(
        self, domain: str, scenario: str, n: int, seed: int, how: How, constants: Wire = None
    ) -> list[Wire]:
        """Draw as usual, or the rare input."""
        return super().draw(domain, scenario, n, seed, how, constants) if seed == 0 else [encode(RARE)]


def released(real: str) -> Draft:
    release = Package(Path("r1"), ("sample",), "", SCENARIOS)
    made = replace(material(), originals={"reference": release}, must_be_faithful=True)
    return draft(made, Draws(r1=real), How(), KEY, SilentProgress())


def test_a_difference_that_only_a_fresh_draw_shows_ends_the_draft_with_that_input() -> None:
    with pytest.raises(UnfaithfulInputsError) as ended:
        released(WITH_RARE)
    assert [decode(one.params) for one in ended.value.inputs] == [RARE]


def test_fresh_draws_decide_nothing_where_programs_are_faithful() -> None:
    found = released(REFERENCE)
    asked = [check.params for check in (*found.public, *found.hidden)]
    asked += [params for pool in found.pools for params in pool.inputs]
    assert encode(RARE) not in asked
    assert not found.counterexamples


def test_releases_are_asked_for_what_an_author_compares() -> None:
    asked: set[bool] = set()

    class Asked(Releases):
        """Notes whether releases are asked for messages."""

        def observe(self, subject: Subject, requests: Sequence[Request], how: How) -> list[Outcome]:
            """Observe as usual."""
            if isinstance(subject, Package):
                asked.add(subject.types.messages)
            return super().observe(subject, requests, how)

    release = Package(Path("r1"), ("sample",), "", SCENARIOS)
    made = replace(material(), originals={"reference": release})
    first = draft(made, Asked(r1=REFERENCE), How(), KEY, SilentProgress()).contract
    assert asked == {False}
    specs = tuple(
        spec.model_copy(update={"compare": Compare(exception="type+message")}) for spec in first.scenarios
    )
    author = first.model_copy(update={"scenarios": specs})
    asked.clear()
    draft(replace(made, author=author), Asked(r1=REFERENCE), How(), KEY, SilentProgress())
    assert asked == {True}
