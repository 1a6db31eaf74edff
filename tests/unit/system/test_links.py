"""Laws of links in foreign trees."""

import pytest

from authoring.model.errors import UsageError
from authoring.system.links import resolve_links

FILES = {"pkg/a.py": b"a", "pkg/sub/b.py": b"b", "LICENSE": b"l"}


@pytest.mark.parametrize(
    ("links", "added"),
    [
        ({"pkg/LICENSE": "../LICENSE"}, {"pkg/LICENSE": b"l"}),
        ({"copy": "pkg/sub"}, {"copy/b.py": b"b"}),
        ({"one": "two", "two": "LICENSE"}, {"one": b"l", "two": b"l"}),
        ({"dangling": "nothing"}, {}),
        (
            {"folder": "pkg", "inner": "folder/sub/b.py"},
            {"folder/a.py": b"a", "folder/sub/b.py": b"b", "inner": b"b"},
        ),
    ],
)
def test_a_link_inside_becomes_a_copy(links: dict[str, str], added: dict[str, bytes]) -> None:
    assert resolve_links(FILES, links, "tree") == {**FILES, **added}


@pytest.mark.parametrize("target", ["/etc/passwd", "../x", "a/../../x", ".", "loop", "pkg/../.."])
def test_a_link_that_leaves_or_circles_is_refused(target: str) -> None:
    with pytest.raises(UsageError) as refused:
        resolve_links(FILES, {"loop": target}, "tree")
    assert refused.value.code == "WSP020"
