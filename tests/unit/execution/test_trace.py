"""What a box tells of a trace is looked at before it is believed."""

from typing import Any

import pytest

from authoring.execution.trace import TracedConversation

FRAME = ["pkg/a.py", "f", 3, -1, {"dict": []}, None, None, {}]


def told(frame: list[Any], lines: dict[str, list[int]] | None = None) -> bool:
    """Return whether a reply with this frame is taken."""
    talk = TracedConversation.__new__(TracedConversation)
    talk._parts = {}
    trace = {"lines": lines or {}, "events": 1, "frames": [frame]}
    talk.take_apart({"observations": [], "trace": trace}, 0)
    return 0 in talk._parts


def test_a_whole_frame_is_taken() -> None:
    assert told(FRAME, {"pkg/a.py": [3, 4]})


@pytest.mark.parametrize("file", ["/etc/passwd", "../other.py", "pkg/../../x.py", "", "a\0.py"])
def test_a_file_outside_the_tree_is_not(file: str) -> None:
    assert not told([file, *FRAME[1:]])
    assert not told(FRAME, {file: [1]})


@pytest.mark.parametrize(
    "objects", [None, [], {"self": 1}, {"self": {"type": "a:B"}}, {"self": {"type": 1, "attributes": {}}}]
)
def test_objects_of_another_shape_are_not(objects: Any) -> None:
    assert not told([*FRAME[:7], objects])


def test_a_parent_that_no_frame_can_have_is_not() -> None:
    assert not told([*FRAME[:3], -2, *FRAME[4:]])
