"""Rules that every source file keeps: docstrings, no machine paths, no suppressions, no special cases."""

import ast
import re
import tomllib
from collections.abc import Iterator

import pytest

from tests.repo.tracked import ROOT, python_files, text_files

MACHINE_PATH = re.compile(r"(?<![\w.~])/(?:home|Users|root|work|builds)/[A-Za-z0-9_.]")
SUPPRESSIONS = ("no" + "qa", "type: " + "ignore", "pragma: no " + "cover", "TO" + "DO", "FIX" + "ME")


def test_no_tracked_file_names_a_path_of_some_machine() -> None:
    found = [
        f"{name}: {match.group()}"
        for name, text in text_files().items()
        if (match := MACHINE_PATH.search(text))
    ]
    assert not found


@pytest.mark.parametrize(
    ("text", "is_path"),
    [
        ("cd /" + "home/ann/x", True),
        ('"/' + 'work/main"', True),
        ("network/root/x", False),
        ("/usr/bin", False),
    ],
)
def test_a_machine_path_is_told_from_an_ordinary_one(text: str, is_path: bool) -> None:
    assert bool(MACHINE_PATH.search(text)) is is_path


@pytest.mark.parametrize("word", SUPPRESSIONS)
def test_nothing_is_suppressed_or_put_off(word: str) -> None:
    assert not [name for name, text in python_files("authoring", "tests").items() if word in text]


def test_every_module_says_in_one_sentence_what_it_is_for() -> None:
    silent = []
    for name, text in python_files("authoring").items():
        first = (ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0]
        if not first.endswith((".", ":", "?")) or len(first) > 250:
            silent.append(name)
    assert not silent


def test_the_product_names_no_package_of_the_sample_incidents() -> None:
    names = set()
    for path in (ROOT / "tests/data/incidents").glob("*/incident.toml"):
        sample = tomllib.loads(path.read_text(encoding="utf-8"))
        names |= {sample["package"], sample["import_name"]}
    names -= {requirement.partition(">")[0] for requirement in _dependencies()}
    assert names
    special = [
        f"{name}: {word}"
        for name, text in python_files("authoring").items()
        for word in _names_in(ast.parse(text))
        if word.split(".")[0] in names
    ]
    assert not special


def _dependencies() -> list[str]:
    """Return what the product itself requires, such as ``jinja2>=3.1``: it may name that."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    required: list[str] = project["dependencies"]
    return [requirement.lower() for requirement in required]


def _names_in(tree: ast.AST) -> Iterator[str]:
    """Yield what could single out a package: names, imports, strings that are a dotted name."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.alias(name=word):
                yield word
            case ast.ImportFrom(module=str(word)):
                yield word
            case ast.Constant(value=str(word)) if re.fullmatch(r"[\w.]+", word):
                yield word
