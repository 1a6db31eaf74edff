"""What a cut takes is gone from captures and parameters, and is said in one line."""

from pathlib import Path

import pytest

from authoring.cli.cuts import cut_rows
from authoring.model.capture import Capture, LiftedCheck
from authoring.model.cuts import CutRecord, Cuts
from authoring.model.errors import UsageError
from authoring.model.execution import How
from authoring.model.wire import encode
from authoring.scenario.domain import (
    ChangedCode,
    DomainCut,
    InputClass,
    Membership,
    derive_domain,
)
from authoring.taskrepo.stages.cuts_file import read_cuts
from authoring.taskrepo.stages.cutting import capture_inside, left_of, outside_any
from tests.memory_runner import MemoryRunner

TEXTS = ["a", "'b'", "c"]
QUOTES = DomainCut(InputClass(("text",), "holds", "'"), 40)
EMPTY = DomainCut(InputClass(("text",), "empty"), 9)


def capture_of(texts: list[str]) -> Capture:
    checks = tuple(
        LiftedCheck(
            id=f"check_{number}",
            function="",
            line=number,
            script="",
            scenario="read",
            params=encode({"text": text}),
            view="value",
        )
        for number, text in enumerate(texts, 1)
    )
    return Capture(
        incident="texts",
        import_name="texts",
        modules=("texts",),
        python="3.12",
        trees=(),
        dependencies=(),
        checks=checks,
        patterns=(),
        bindings=(),
        raises=(),
        failure="",
        repeats=1,
        fork_per_check=False,
        reproducer_sha256="",
    )


def membership_of(*cuts: DomainCut) -> Membership:
    seen = {"read": left_of([encode({"text": text}) for text in TEXTS], cuts)}
    return Membership(MemoryRunner(), How(), derive_domain(seen, ChangedCode(), cuts))


def test_a_check_outside_the_domain_counts_as_not_lifted() -> None:
    capture = capture_of(TEXTS)
    found = capture_inside(capture, membership_of(QUOTES))
    assert [(check.id, check.scenario) for check in found.checks] == [
        ("check_1", "read"),
        ("check_2", ""),
        ("check_3", "read"),
    ]
    assert found.checks[1].params == {"dict": []}
    assert found.checks[0] == capture.checks[0]


def test_a_domain_without_cuts_leaves_a_capture_as_it_is() -> None:
    capture = capture_of(TEXTS)
    assert capture_inside(capture, membership_of()) is capture


def test_what_some_cut_takes_is_outside_of_all_of_them_together() -> None:
    rows = [encode({"text": text}) for text in ("a", "'", "")]
    assert [outside_any([QUOTES, EMPTY], row) for row in rows] == [False, True, True]
    assert left_of(rows, [QUOTES, EMPTY]) == rows[:1]
    assert left_of(rows, []) == rows


def test_a_proposal_says_which_checks_go_with_it() -> None:
    record = CutRecord(sentence="Excluding x (saves 9 nodes)", saves=9, checks=("check_2", "check_5"))
    cuts = Cuts(nodes=90, requests=30, taken=(record,), proposed=(record,) * 5)
    rows = cut_rows(cuts.model_dump(mode="json"))
    assert rows[0] == ("cut off", "Excluding x (saves 9 nodes)")
    assert rows[1:] == [("could cut", "Excluding x (saves 9 nodes); takes check_2, check_5 with it")] * 3
    assert cut_rows({}) == []


def test_a_file_that_is_no_document_of_cuts_is_refused_with_its_code(tmp_path: Path) -> None:
    path = tmp_path / "cuts.json"
    cuts = Cuts(nodes=1, requests=2)
    path.write_bytes(cuts.to_json())
    assert read_cuts(path) == cuts
    path.write_text('{"nodes": "many"}')
    with pytest.raises(UsageError) as refused:
        read_cuts(path)
    assert refused.value.code == "RED070"
