"""Repeats bound the rate of flakes: a run that ends otherwise is one, and what was run once is not run again."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from authoring.model.execution import How, Observed, Outcome, Perturbation, Program, Request, Subject
from authoring.model.progress import SilentProgress
from authoring.model.wire import encode
from authoring.validation.flaky import Repeated, repeat_programs
from authoring.validation.judge import Judge
from authoring.variants.material import VariantTask
from authoring.variants.vary import vary
from tests.memory_runner import MemoryRunner
from tests.unit.validation.test_validate import Kept, judge, matrix
from tests.unit.variants.sample import material, tools

TIMES = 6
DRIFTED = ({"value": encode("drifted")},)


class Drifting(MemoryRunner):
    """Answers the first request otherwise under one time zone, for programs that hold a text."""

    def __init__(self, text: str, zone: str) -> None:
        super().__init__()
        self.text, self.zone = text, zone

    def observe(self, subject: Subject, requests: Sequence[Request], how: How) -> list[Outcome]:
        """Observe, and change the first answer to a text where the zone is the one."""
        seen = super().observe(subject, requests, how)
        assert isinstance(subject, Program)
        if self.text in subject.source and how.perturbation.tz == self.zone:
            seen[0] = Observed(DRIFTED)
        return seen


@pytest.fixture(scope="module")
def tasks() -> tuple[VariantTask, ...]:
    return vary(material(), tools(), SilentProgress()).tasks[:2]


def repeated(own: Judge, tasks: Sequence[VariantTask], times: int = TIMES) -> tuple[Repeated, ...]:
    return repeat_programs(tasks, own, times, "", SilentProgress())


def test_without_a_flake_the_bound_is_the_exact_one(tasks: tuple[VariantTask, ...]) -> None:
    found = repeated(judge(Kept()), tasks)
    assert [(each.task, each.program) for each in found] == [
        (task.id, program) for task in tasks for program in ("reference", "broken", "hard negative")
    ]
    assert not any(each.flakes for each in found)
    assert {each.runs for each in found} == {TIMES}
    assert [each.bound for each in found] == pytest.approx([1 - 0.05 ** (1 / TIMES)] * len(found))


def test_a_reference_that_changes_with_the_time_zone_flakes_there(tasks: tuple[VariantTask, ...]) -> None:
    runner = Drifting(tasks[0].reference, "Asia/Kathmandu")
    reference, *others = repeated(judge(Kept(), runner), tasks)
    assert [flake.perturbation.tz for flake in reference.flakes] == ["Asia/Kathmandu"]
    assert reference.flakes[0].changed == (tasks[0].public.checks[0].id,)
    assert reference.bound > 1 - 0.05 ** (1 / TIMES)
    assert not any(each.flakes for each in others)


def test_a_wrong_program_that_passes_a_check_now_and_then_flakes(tasks: tuple[VariantTask, ...]) -> None:
    first, *others = tasks[0].public.checks
    drifted = first.model_copy(update={"expect": DRIFTED})
    public = tasks[0].public.model_copy(update={"checks": (drifted, *others)})
    runner = Drifting(tasks[0].program, "Asia/Kathmandu")
    _, broken, _ = repeated(judge(Kept(), runner), [replace(tasks[0], public=public)])
    assert [flake.changed for flake in broken.flakes] == [(first.id,)]


def test_another_wrong_answer_of_a_wrong_program_is_no_flake(tasks: tuple[VariantTask, ...]) -> None:
    first, *others = tasks[0].public.checks
    never = first.model_copy(update={"expect": ({"value": encode("never")},)})
    public = tasks[0].public.model_copy(update={"checks": (never, *others)})
    runner = Drifting(tasks[0].program, "Asia/Kathmandu")
    _, broken, _ = repeated(judge(Kept(), runner), [replace(tasks[0], public=public)])
    assert not broken.flakes


def test_what_validation_ran_is_not_run_again(tasks: tuple[VariantTask, ...]) -> None:
    evidence = Kept()
    matrix(tasks, judge(evidence))
    known = set(evidence.records)
    found = repeated(judge(evidence), tasks, 3)
    for each in found:
        assert len(known & set(each.keys)) == (3 if each.program == "reference" else 1)


def test_an_interrupted_audit_goes_on_where_it_stopped(tasks: tuple[VariantTask, ...]) -> None:
    class Interrupted(MemoryRunner):
        def observe(self, subject: Subject, requests: Sequence[Request], how: How) -> list[Outcome]:
            if self.calls == 10:
                raise KeyboardInterrupt
            return super().observe(subject, requests, how)

    evidence, second = Kept(), MemoryRunner()
    with pytest.raises(KeyboardInterrupt):
        repeated(judge(evidence, Interrupted()), tasks)
    kept = len(evidence.records)
    assert kept > 5
    whole = MemoryRunner()
    expected = repeated(judge(Kept(), whole), tasks)
    assert repeated(judge(evidence, second), tasks) == expected
    assert second.calls == whole.calls - 10
    asked = second.calls
    assert repeated(judge(evidence, second), tasks) == expected
    assert second.calls == asked


def test_the_first_run_is_unperturbed_and_the_others_differ(tasks: tuple[VariantTask, ...]) -> None:
    seen: list[Perturbation] = []

    class Watching(MemoryRunner):
        def observe(self, subject: Subject, requests: Sequence[Request], how: How) -> list[Outcome]:
            seen.append(how.perturbation)
            return super().observe(subject, requests, how)

    repeated(judge(Kept(), Watching()), tasks[:1])
    assert seen[0] == Perturbation()
    assert len(set(seen)) == TIMES
