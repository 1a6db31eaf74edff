"""An incident is separated where its failing checks allow it, and each part is one fault and no more."""

from collections.abc import Sequence

from authoring.model.capture import Capture, LiftedCheck, Pattern
from authoring.model.execution import How, Limits
from authoring.model.progress import SilentProgress
from authoring.model.variants import VersionName
from authoring.model.wire import encode
from authoring.taskrepo.stages.separate import Part, capture_of_part, separate
from tests.memory_runner import MemoryRunner

SCENARIOS = "def label(program, p, seen):\n    seen(program.label(p['text']))\n"
DOMAIN = """\
from hypothesis import strategies as st


def label(constants):
    texts = st.text(st.sampled_from("ab-"), max_size=5)
    return texts.map(lambda text: {"dict": [["text", text]]})
"""
FIXED = """\
def label(text):
    if not text:
        return "none"
    short = text[:4]
    return short.upper()
"""
WITHOUT_EMPTY = FIXED.replace("    if not text:\n", "").replace('        return "none"\n', "")
TOO_LONG = FIXED.replace("text[:4]", "text[:5]")
BROKEN = WITHOUT_EMPTY.replace("text[:4]", "text[:5]")


def capture_of(texts: Sequence[str], broken: str) -> Capture:
    checks = tuple(
        LiftedCheck(
            id=f"check_{number}",
            function=f"check_{number}",
            line=number,
            script="",
            scenario="label",
            params=encode({"text": text}),
            view="value",
        )
        for number, text in enumerate(texts, 1)
    )
    failures = tuple(f"AssertionError {number}" for number, bit in enumerate(broken, 1) if bit == "0")
    return Capture(
        incident="labels",
        import_name="labels",
        modules=("labels",),
        python="3.12",
        trees=(),
        dependencies=(),
        checks=checks,
        patterns=(
            Pattern(side="broken", bits=broken, failures=failures),
            Pattern(side="fixed", bits="1" * len(texts), failures=()),
        ),
        bindings=(),
        raises=(),
        failure="",
        repeats=1,
        fork_per_check=False,
        reproducer_sha256="",
    )


def parts_of(texts: Sequence[str], broken_bits: str, versions: dict[VersionName, str]) -> tuple[Part, ...]:
    capture = capture_of(texts, broken_bits)
    how = How(limits=Limits(), python="3.12")
    return separate(MemoryRunner(), SilentProgress(), capture, versions, SCENARIOS, DOMAIN, how)


def test_two_faults_of_one_function_are_two_parts() -> None:
    parts = parts_of(["ab", "", "abaab"], "100", {"broken": BROKEN, "reference": FIXED})
    assert [part.programs["reference"] for part in parts] == [TOO_LONG, WITHOUT_EMPTY]
    assert {part.programs["broken"] for part in parts} == {BROKEN}
    assert {part.repaired for part in parts} == {FIXED}
    assert [part.others for part in parts] == [("check_3",), ("check_2",)]


def test_two_checks_of_one_fault_are_one_part() -> None:
    parts = parts_of(["ab", "abaab", "-----"], "100", {"broken": TOO_LONG, "reference": FIXED})
    assert parts == (Part({"broken": TOO_LONG, "reference": FIXED}),)


def test_a_fault_in_two_places_that_each_check_needs_is_one_part() -> None:
    fixed = "WIDTH = 4\n\n\ndef label(text):\n    return text[:WIDTH].upper()\n"
    broken = "WIDTH = 5\n\n\ndef label(text):\n    return text[:WIDTH]\n"
    parts = parts_of(["-", "abaab", "abbab"], "100", {"broken": broken, "reference": fixed})
    assert len(parts) == 1


def test_a_repair_that_alone_breaks_a_drawn_input_is_no_part() -> None:
    fixed = FIXED.replace("text[:4]", "text[:4] if text != '--' else 'cd'")
    broken = BROKEN.replace("short = text[:5]", "short = 'cd' if text == '--' else text[:5]")
    twisted = fixed.replace("if not text:", "if not text or text == '--' and short_of(text) == text:")
    helper = "def short_of(text):\n    return text\n\n\n"
    repaired_helper = helper.replace("return text", "return text[:1]")
    parts = parts_of(["ab", ""], "10", {"broken": helper + broken, "reference": repaired_helper + twisted})
    assert len(parts) == 1


def test_an_attempt_stays_where_it_fails_for_the_fault_and_tells_no_other_repair() -> None:
    attempt = FIXED.replace("text[:4]", "text[:3]")
    parts = parts_of(
        ["ab", "", "abaab"], "100", {"broken": BROKEN, "reference": FIXED, "hard_negative": attempt}
    )
    assert [sorted(part.programs) for part in parts] == [
        ["broken", "reference"],
        ["broken", "hard_negative", "reference"],
    ]
    assert parts[1].programs["hard_negative"] == WITHOUT_EMPTY.replace("text[:4]", "text[:3]")
    assert parts[1].is_attempt_cut


def test_a_part_is_known_again_by_its_checks_however_its_programs_look() -> None:
    one, other = (
        parts_of(["ab", "", "abaab"], "100", {"broken": name + BROKEN, "reference": name + FIXED})
        for name in ("", "X = 1\n")
    )
    assert [part.key for part in one] == [part.key for part in other]
    assert len({part.key for part in one}) == 2


def test_the_capture_of_a_part_has_no_check_of_another_fault() -> None:
    capture = capture_of(["ab", "", "abaab"], "100")
    seen = capture_of_part(capture, Part({}, others=("check_2",), repaired=FIXED))
    assert [check.id for check in seen.checks] == ["check_1", "check_3"]
    assert [pattern.bits for pattern in seen.patterns] == ["10", "11"]
    assert seen.patterns[0].failures == ("AssertionError 3",)


def test_a_whole_incident_has_its_capture() -> None:
    capture = capture_of(["ab", ""], "10")
    assert capture_of_part(capture, Part({})) == capture
