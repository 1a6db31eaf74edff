"""Rules that every source file keeps: docstrings, no machine paths, no suppressions, no special cases."""

import ast
import re
import tomllib

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
    assert names
    word = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, names)))})\b")
    product = {name: _without_prose(text) for name, text in python_files("authoring").items()}
    product |= {name: text for name, text in text_files().items() if name.startswith("templates/")}
    assert not [f"{name}: {match.group()}" for name, text in product.items() if (match := word.search(text))]


def _without_prose(text: str) -> str:
    """Return source without comments and without strings that stand alone: docstrings may give examples."""

    class Prose(ast.NodeTransformer):
        def visit_Expr(self, node: ast.Expr) -> ast.AST:
            return ast.Pass() if isinstance(node.value, ast.Constant) else node

    return ast.unparse(Prose().visit(ast.parse(text)))
