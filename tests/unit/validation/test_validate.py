"""The matrix of a task: what must pass passes, what must fail fails, and a fault in a task is said."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from authoring.model.digest import sha256_hex
from authoring.model.errors import UsageError
from authoring.model.evidence import IsolationFacts, Record
from authoring.model.execution import How, Outcome, Package, Request, Subject
from authoring.model.progress import SilentProgress
from authoring.validation.folder import EvidenceFolder
from authoring.validation.judge import Judge, Judged, program_of
from authoring.validation.validate import LaterRelease, Plan, Validation, validate
from authoring.variants.material import VariantTask
from authoring.variants.vary import vary
from tests.memory_runner import MemoryRunner
from tests.unit.contract.test_hear import Releases
from tests.unit.variants.sample import KEY, REFERENCE, material, tools

NO_WALLS = IsolationFacts(
    user=False, pid=False, net=False, ipc=False, uts=False, mount=False, seccomp=False, cgroup=False
)
PLAN = Plan(times=3, alternatives=4, alternatives_elsewhere=1, attacks=())


class Kept:
    """Evidence in memory."""

    def __init__(self) -> None:
        self.records: dict[str, Record] = {}

    def find(self, key: str) -> Record | None:
        return self.records.get(key)

    def add(self, record: Record) -> None:
        assert record.key not in self.records
        self.records[record.key] = record


def judge(evidence: Kept | EvidenceFolder, runner: MemoryRunner | None = None) -> Judge:
    return Judge(
        runner or MemoryRunner(), How(), KEY, evidence, "d" * 64, NO_WALLS, lambda python: python or "3.11.7"
    )


class Stranger:
    """Judges a stranger's program as ours is judged."""

    def __init__(self, judge: Judge) -> None:
        self.judge_own = judge

    def judge(self, task: VariantTask, source: str) -> Record:
        return self.judge_own.judge(Judged(task, program_of(task, source), sha256_hex(source.encode())))


def matrix(tasks: Sequence[VariantTask], own: Judge) -> Validation:
    return validate(tasks, own, Stranger(own), PLAN, SilentProgress())


@pytest.fixture(scope="module")
def tasks() -> tuple[VariantTask, ...]:
    return vary(material(), tools(), SilentProgress()).tasks[:2]


def validated(*tasks: VariantTask) -> Validation:
    return matrix(tasks, judge(Kept()))


def codes(*tasks: VariantTask) -> set[str]:
    return {complaint.code for complaint in validated(*tasks).complaints}


def test_a_sound_task_fills_the_matrix_without_a_complaint(tasks: tuple[VariantTask, ...]) -> None:
    found = validated(*tasks)
    assert found.complaints == ()
    assert found.holds
    assert found.counts["reference"] == 8
    assert found.counts["alternative"] == 5
    assert found.counts["broken"] == found.counts["hard negative"] == found.counts["hard-coded"] == 4


def test_a_record_that_exists_is_not_made_again(tasks: tuple[VariantTask, ...]) -> None:
    evidence, runner = Kept(), MemoryRunner()
    first = matrix(tasks, judge(evidence, runner))
    asked = runner.calls
    assert matrix(tasks, judge(evidence, runner)) == first
    assert runner.calls == asked


def test_a_repaired_program_as_the_one_to_repair_is_refused(tasks: tuple[VariantTask, ...]) -> None:
    assert codes(replace(tasks[0], program=REFERENCE)) >= {"VAL001"}


def test_a_hard_negative_that_is_right_is_refused(tasks: tuple[VariantTask, ...]) -> None:
    assert codes(replace(tasks[0], hard_negative=REFERENCE)) == {"VAL003"}


def test_a_hard_negative_off_its_pattern_is_refused(tasks: tuple[VariantTask, ...]) -> None:
    spec = tasks[0].spec.model_copy(update={"patterns": {"hard_negative": "111/000"}})
    assert codes(replace(tasks[0], spec=spec)) == {"VAL004"}


def test_an_expectation_that_the_reference_does_not_meet_is_refused(tasks: tuple[VariantTask, ...]) -> None:
    first, *others = tasks[0].hidden.checks
    wrong = first.model_copy(update={"expect": ({"value": "never"},)})
    hidden = tasks[0].hidden.model_copy(update={"checks": (wrong, *others)})
    assert {"VAL005", "VAL007"} <= codes(replace(tasks[0], hidden=hidden))


def test_hidden_checks_that_repeat_the_public_ones_are_refused(tasks: tuple[VariantTask, ...]) -> None:
    copied = [check.model_copy(update={"id": f"h{n}"}) for n, check in enumerate(tasks[0].public.checks)]
    hidden = tasks[0].hidden.model_copy(update={"checks": tuple(copied), "pools": ()})
    assert "VAL008" in codes(replace(tasks[0], hidden=hidden))


def test_a_reference_that_depends_on_what_is_varied_is_flaky(tasks: tuple[VariantTask, ...]) -> None:
    class Drifting(MemoryRunner):
        def observe(self, subject: Subject, requests: Sequence[Request], how: How) -> list[Outcome]:
            seen = super().observe(subject, requests, how)
            return seen[::-1] if how.perturbation.order else seen

    found = matrix(tasks[:1], judge(Kept(), Drifting()))
    assert "VAL006" in {complaint.code for complaint in found.complaints}
    assert found.flake_bounds[tasks[0].id] > 0.9


def test_a_later_release_is_judged_on_the_base_and_named_where_it_is_rejected(
    tasks: tuple[VariantTask, ...],
) -> None:
    runner = Releases(right=tasks[0].reference, wrong=tasks[0].program)
    later = tuple(
        LaterRelease(name, Package(Path(name), ("sample",), "", ""), name * 8) for name in ("right", "wrong")
    )
    own = judge(Kept(), runner)
    found = validate(tasks, own, Stranger(own), replace(PLAN, later=later), SilentProgress())
    plain = validate(tasks, own, Stranger(own), PLAN, SilentProgress())
    assert [(each.code, each.task, each.release) for each in found.complaints] == [
        ("VAL010", tasks[0].id, "wrong")
    ]
    more = set(found.records[tasks[0].id]) - set(plain.records[tasks[0].id])
    assert len(more) == 2
    assert found.records[tasks[1].id] == plain.records[tasks[1].id]


def test_nothing_validated_does_not_hold() -> None:
    assert not validated().holds


def test_complaints_name_checks_and_never_inputs(tasks: tuple[VariantTask, ...]) -> None:
    found = validated(replace(tasks[0], hard_negative=REFERENCE, program=REFERENCE))
    text = " ".join(complaint.message for complaint in found.complaints)
    assert "0x" not in text
    assert "{" not in text


def test_evidence_on_disk_is_append_only_and_checked_when_read(
    tasks: tuple[VariantTask, ...], tmp_path: Path
) -> None:
    folder = EvidenceFolder(tmp_path)
    found = matrix(tasks[:1], judge(folder))
    (key, *_) = found.records[tasks[0].id]
    record = folder.find(key)
    assert record is not None
    assert record.key == key
    path = folder.path(key)
    assert path.parent.name == key[:2]
    path.write_text(path.read_text().replace('"hash_seed": ', '"hash_seed": 1'))
    with pytest.raises(UsageError) as caught:
        folder.find(key)
    assert caught.value.code == "VAL012"
