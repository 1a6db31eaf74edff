"""Merging and editing keep each version what it is, whatever the texts are."""

from hypothesis import given, settings
from hypothesis import strategies as st

from authoring.model.variants import VersionName
from authoring.reduction.align import merge_lines, realign
from authoring.reduction.edits import Cut, Edit, apply_edits
from authoring.reduction.merged import ORDER, MergedProgram

LINES = st.sampled_from(
    [
        "a = 1",
        "b(a)",
        "if a:",
        "    c()",
        "else:",
        "    return",
        "def f():",
        "def g(x):",
        "class A:",
        "    def m(self):",
        "",
    ]
)
TEXTS = st.lists(st.lists(LINES, max_size=12), min_size=1, max_size=3)


def merged(texts: list[list[str]]) -> tuple[MergedProgram, dict[VersionName, list[str]]]:
    """Return the merge of texts and the texts by version."""
    named = dict(zip(ORDER, texts, strict=False))
    return merge_lines(named), named


@given(TEXTS)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_every_projection_is_its_text(texts: list[list[str]]) -> None:
    program, named = merged(texts)
    assert {version: program.texts(version) for version in program.versions} == named
    assert realign(program) == program
    assert all(line.versions for line in program.lines)


@given(TEXTS, st.data())
@settings(max_examples=150, deadline=None, derandomize=True)
def test_a_cut_for_one_version_changes_no_other(texts: list[list[str]], data: st.DataObject) -> None:
    program, _ = merged(texts)
    if not program.lines:
        return
    number = data.draw(st.integers(0, len(program.lines) - 1))
    version = data.draw(st.sampled_from(sorted(program.lines[number].versions)))
    untouched = [other for other in program.versions if other != version]
    after = apply_edits(program, [Edit((Cut(number, frozenset((version,))),))])
    whole = apply_edits(program, [])
    assert [after.texts(other) for other in untouched] == [whole.texts(other) for other in untouched]
