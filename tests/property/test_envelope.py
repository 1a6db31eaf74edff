"""Whatever a command answers, ``--json`` is one line of ASCII JSON that reads back as the same answer."""

import json

from hypothesis import given
from hypothesis import strategies as st

from authoring.cli.answer import Answer, Trouble
from authoring.cli.output import as_json, remarks
from authoring.cli.session import Flags
from authoring.model.envelope import Envelope

texts = st.text(st.characters(), max_size=20)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=10,
)
answers = st.builds(
    Answer,
    data=st.dictionaries(texts, values, max_size=4),
    troubles=st.lists(st.builds(Trouble, texts, texts, texts, texts, texts), max_size=2).map(tuple),
    warnings=st.lists(texts, max_size=2).map(tuple),
    next=st.lists(texts, max_size=2).map(tuple),
)


@given(texts, answers)
def test_any_answer_is_one_ascii_line_that_reads_back_equal(command: str, answer: Answer) -> None:
    text = as_json(command, answer)
    assert text.isascii()
    assert text.index("\n") == len(text) - 1
    read = json.loads(text)
    assert read["data"] == answer.data
    assert [error["message"] for error in read["errors"]] == [item.message for item in answer.troubles]
    assert Envelope.model_validate(read).text() == text.rstrip("\n")


@given(answers, st.booleans(), st.booleans())
def test_no_remark_can_steer_a_terminal(answer: Answer, quiet: bool, wants_json: bool) -> None:
    shown = remarks(answer, Flags(quiet=quiet, json=wants_json))
    assert all(char.isprintable() or char in "\n\t" for char in shown)
