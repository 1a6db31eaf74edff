"""The quick reading of lines agrees with LibCST's positions."""

from pathlib import Path

import libcst as cst
import pytest

import authoring
from authoring.reduction.sources.spans import spans_by_positions, statement_spans

PATHS = sorted(Path(authoring.__file__).parent.glob("reduction/sources/*.py"))


@pytest.mark.parametrize("path", PATHS, ids=str)
def test_first_lines_are_the_same(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    module = cst.parse_module(text)
    slow = spans_by_positions(module)
    assert {node: first for node, (first, _) in statement_spans(module, text).items()} == {
        node: first for node, (first, _) in slow.items()
    }


def test_a_string_that_the_quick_reading_takes_apart_is_read_slowly() -> None:
    text = 'a = f"{b["#"]}"\nc = 1\n'
    module = cst.parse_module(text)
    assert [span for _, span in statement_spans(module, text).items()] == [(1, 1), (2, 2)]
