"""The table of codes and the code agree: nothing raises an unknown code, and no code is never raised."""

import ast
import re

import pytest

from authoring.model.codes import CODES
from tests.repo.tracked import python_files

PREFIXES = ("INC", "SCN", "EXE", "RED", "CTR", "VAR", "VAL", "TSK", "REL", "GTE", "WSP", "USE")
CODE = re.compile(rf"(?:{'|'.join(PREFIXES)})\d{{3}}")


def used_codes() -> dict[str, set[str]]:
    """Return the files that hold each code as a whole string literal, outside the table."""
    found: dict[str, set[str]] = {}
    for name, text in python_files("authoring").items():
        if name.startswith("authoring/model/codes/"):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value):
                found.setdefault(node.value, set()).add(name)
    return found


def test_every_code_that_is_raised_is_in_the_table() -> None:
    assert not {code: files for code, files in used_codes().items() if code not in CODES}


def test_every_code_of_the_table_is_raised_somewhere() -> None:
    assert not sorted(set(CODES) - set(used_codes()))


def test_no_code_is_defined_twice() -> None:
    texts = python_files("authoring/model/codes").values()
    defined = [code for text in texts for code in re.findall(rf'^ +"({CODE.pattern})",$', text, re.MULTILINE)]
    assert sorted(defined) == sorted(CODES)


@pytest.mark.parametrize("prefix", PREFIXES)
def test_the_codes_of_a_prefix_lie_in_its_file(prefix: str) -> None:
    text = python_files("authoring/model/codes")[f"authoring/model/codes/{prefix.lower()}.py"]
    assert {match[:3] for match in re.findall(rf'^ +"({CODE.pattern})",$', text, re.MULTILINE)} <= {prefix}


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: str(code.code))
def test_every_code_explains_itself_in_sentences(code: object) -> None:
    for field in ("title", "explanation", "next_step"):
        text = getattr(code, field)
        assert text == text.strip() != ""
        assert text.rstrip("`").endswith((".", "?"))
