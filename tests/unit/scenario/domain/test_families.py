"""Texts that are all of one kind are drawn at the edges of their kind too, beside everything that is drawn anyway."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from authoring.model.execution import How
from authoring.model.wire import decode, encode
from authoring.scenario.domain import ChangedCode, derive_domain
from authoring.scenario.domain.blocks import blocks_of
from authoring.scenario.domain.families import family_of
from tests.memory_runner import MemoryRunner

RECOGNISED = {
    "paths_around": [
        ["docs", "../x", "aux ", "docs/COM1"],
        ["/srv"],
        ["a/b.txt", "c.txt"],
        ["..", "plain.txt"],
        ["C:note.txt"],
        ["back\\slash.txt"],
        ["refs/heads/main", "refs/heads/a b"],
        ["/a/0", ""],
    ],
    "versions_around": [
        ["1.2.3", "1.2"],
        ["1.2.3-rc.1"],
        ["v2.0rc1", "1!2.0.post1"],
        ["1.0.dev3", "3", ""],
        ["1.2.3-rc10+build.7"],
    ],
    "iso_dates_around": [
        ["2024-02-29"],
        ["10:00", "10:00:30.5"],
        ["2015-01-12T01:13:15.9999994", "2024-01-01"],
        ["2024-01-01 10:00+02:00", "2024-01-01T10:00:00Z"],
    ],
    "urls_around": [["http://a/"], ["https://other.example/x", "c", "/d?x=1", "../e;p#f"]],
    "formats_around": [
        ["{:F}", "owed {:.0F} euro"],
        ["plain", "{0.name!r:>9}"],
        ["r = '{0}'.format(1)"],
        ["%.3f"],
        ["%(name)s: %d", "100%%"],
        ["%d/%m/%Y", "%H:%M"],
    ],
}
NOT_RECOGNISED = [
    ["text/html"],
    ["m/s"],
    ["1/2"],
    ["1/2/2024"],
    ["Read/write the file"],
    ["x/onclick", "x>"],
    ["\\d+"],
    ["12.05", "12.5"],
    ["300"],
    ["10-20"],
    ["127.0.0.1"],
    ["2024-01-01", "tomorrow"],
    ["http://a/", "a b"],
    ["x = {}\n"],
    ['{"a": 1}'],
    ["[0-9]{4}"],
    ["{{ v }}"],
    ["100%"],
    ["a%20b"],
    ["a b", "c"],
    ["", ""],
    [],
]


@pytest.mark.parametrize(
    ("name", "texts"), [(name, texts) for name, rows in RECOGNISED.items() for texts in rows]
)
def test_texts_of_one_kind_are_recognised(name: str, texts: list[str]) -> None:
    assert family_of(texts).startswith(f"{name}(")


@pytest.mark.parametrize("texts", NOT_RECOGNISED)
def test_texts_that_could_be_anything_are_of_no_kind(texts: list[str]) -> None:
    assert family_of(texts) == ""


def domain_of(texts: list[str]) -> str:
    return derive_domain({"find": [encode({"text": text}) for text in texts]}, ChangedCode())


def alone(strategy: str) -> str:
    """Return a domain that draws from one strategy only."""
    head = "import re\n\nfrom hypothesis import strategies as st\n\n\n"
    find = f"def find(constants):\n    return st.fixed_dictionaries({{'text': {strategy}}})\n"
    return head + blocks_of(strategy) + "\n\n\n" + find


@cache
def drawn(domain: str) -> set[str]:
    return {decode(wire)["text"] for wire in MemoryRunner().draw(domain, "find", 300, 5, How())}


def some(pattern: str) -> Callable[[set[str]], bool]:
    return lambda texts: any(re.fullmatch(pattern, text, re.DOTALL) for text in texts)


@pytest.mark.parametrize(
    ("texts", "pattern"),
    [
        (["docs/a.txt", "../x"], r"//.*"),
        (["docs/a.txt", "../x"], r".*\w/+"),
        (["docs/a.txt", "../x"], r".*\w/\.\."),
        (["docs/a.txt", "../x"], r".*(^|/)\.(/.*|$)"),
        (["docs/a.txt", "../x"], r".*\w//\w.*"),
        (["docs/a.txt", "../x"], r".*\\.*"),
        (["1.2.3"], r"1\.2|1"),
        (["1.2.3"], r"1\.2\.3\.(0|1|9|10|01)"),
        (["1.2.3"], r"(0\.2\.3|1\.0\.3|1\.2\.0)"),
        (["1.2.3"], r".*(rc1|\.dev0|\.post1|a1)"),
        (["1.2.3"], r".*(-alpha|-rc\.10|\+build\.7)"),
        (["1.2.3-rc.9"], r".*-rc\.10"),
        (["1.2.3-rc.9"], r"1\.2\.3"),
        (["2015-01-12T01:13:15.5"], r"2024-02-29T01:13:15\.5"),
        (["2015-01-12T01:13:15.5"], r".*T00:00:00.*"),
        (["2015-01-12T01:13:15.5"], r".*T23:59:59.*"),
        (["2015-01-12T01:13:15.5"], r".*\.9999995"),
        (["2015-01-12T01:13:15.5"], r".*(Z|\+14:00|-00:30)"),
        (["2015-01-12"], r"2024-12-31"),
        (["10:00"], r"24:00:00.*"),
        (["owed {:F} euro"], r"owed  euro"),
        (["owed {:F} euro"], r"owed \{\{\}\} euro"),
        (["owed {:F} euro"], r"owed \{0\}\{:F\} euro"),
        (["owed {:F} euro"], r"owed \{:05\.0F\} euro"),
        (["%.3f"], r"%\.0f"),
        (["%.3f"], r"%%"),
        (["%.3f"], r"%s%\.3f"),
        (["%Y-%m-%d"], r"%Y-%j-%d"),
        (["https://other.example/x"], r"https://other\.example"),
        (["https://other.example/x"], r"//other\.example.*"),
        (["https://other.example/x"], r".*\?a=1&a=.*"),
        (["https://other.example/x"], r"https://\[::1\]/x.*"),
    ],
)
def test_the_edges_of_a_kind_are_drawn(texts: list[str], pattern: str) -> None:
    assert some(pattern)(drawn(alone(family_of(texts))))


@pytest.mark.parametrize("texts", [rows[0] for rows in RECOGNISED.values()])
def test_what_was_seen_and_what_is_drawn_for_any_text_stay_in_the_domain(texts: list[str]) -> None:
    domain = domain_of(texts)
    assert "written(" in domain
    assert set(texts) <= drawn(domain)


def test_a_kind_is_recognised_inside_containers_and_beside_other_kinds_of_values() -> None:
    seen = [{"items": [("a/b.txt", 1), None], "by": {"2024-01-31": "1.2.3"}}, {"items": [], "by": {}}]
    domain = derive_domain({"find": [encode(row) for row in seen]}, ChangedCode())
    assert {"paths_around", "iso_dates_around", "versions_around"} <= set(re.findall(r"def (\w+)", domain))


def test_a_file_without_such_texts_holds_none_of_it() -> None:
    domain = domain_of(["a b", "c"])
    assert "_around" not in domain
    assert "import re" not in domain


def test_an_author_can_edit_what_a_kind_is_drawn_from() -> None:
    assert '"-rc.10"' in domain_of(["1.2.3-rc.9"])
    edited = alone(family_of(["1.2.3-rc.9"])).replace("'-rc.10'", "'-final.77'")
    assert some(r".*-final\.77")(drawn(edited))
    edited = alone(family_of(["10:00"])).replace("23:59:59", "13:13:13")
    assert some(r"13:13:13.*")(drawn(edited))


def test_a_long_list_of_texts_does_not_make_the_file_long() -> None:
    many = [f"docs/page{n}.txt" for n in range(200)]
    assert len(family_of(many)) < 300
    assert len(family_of([f"{{a{n}}} {{b{n}!r:>9}}" for n in range(100)])) < 800


def test_the_file_and_its_draws_are_the_same_for_any_hash_seed() -> None:
    root = Path(__file__).parents[4]
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from authoring.model.execution import How\n"
        "from authoring.model.wire import encode\n"
        "from authoring.scenario.domain import ChangedCode, derive_domain\n"
        "from tests.memory_runner import MemoryRunner\n"
        "row = {'path': '/a/b', 'v': '1.2.3', 'at': '2024-01-01T10:00', 'to': 'http://a/', 'as': '{} %s',\n"
        "       'tree': {'a': [1, {'b': [2]}]}}\n"
        "domain = derive_domain({'f': [encode(row), encode({**row, 'at': '2024-01-01 10:00:00Z'})]}, ChangedCode())\n"
        "print(domain, MemoryRunner().draw(domain, 'f', 60, 3, How()))\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script, str(root)],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "77")
    }
    assert len(told) == 1
    for name in (*RECOGNISED, "nested_around"):
        assert f"def {name}(" in next(iter(told))
