"""Annotations of the functions that parameters go to say what else these may be."""

from pathlib import Path
from typing import Any

import pytest

from authoring.incident.annotated import allowed_by_annotations
from authoring.model.capture import Binding, Capture
from authoring.scenario.domain import Allowed, Annotated

NUMBER = (0, 1, -1)
TEXT = ("", "a")
MODULE = """
import enum
from typing import Annotated, Any, Literal, NewType, Optional, Union, overload
from .kinds import Colour, Level, Plain, Either as Both

Loop = Union[int, "Loop"]
Id = NewType("Id", int)


def plain(a: int, b, *rest: str, c: "bool | None" = None) -> str: ...


@overload
def two(x: int) -> int: ...
@overload
def two(x: str) -> str: ...
def two(x): ...


class Box:
    size: int
    label: Optional[str] = None

    def put(self, item: bytes, /, where: Colour) -> None: ...

    @classmethod
    def parse(cls, text: Union[str, bytes]) -> "Box": ...

    @staticmethod
    def bare(text: Level) -> None: ...


class Made:
    def __init__(self, depth: int | None): ...


def kinds(
    literal: Literal["a", 1, None], union: Union[int, "str"], both: Both, annotated: Annotated[float, 1],
    items: list[int], fixed: tuple[int, str], row: tuple[int, ...], table: dict[str, int], unknown: Path,
    anything: Any, loop: Loop, ident: Id, odd: dict[list[int], int], plain: Plain, bare: list, broken: "int |",
): ...
"""
KINDS = """
import enum

Either = float | str


class Colour(str, enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1


class Plain(enum.Enum):
    ONE = "one"
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "boxes"
    folder.mkdir()
    (folder / "__init__.py").write_text("from boxes.main import *\nfrom .main import kinds as many\n")
    (folder / "main.py").write_text(MODULE)
    (folder / "kinds.py").write_text(KINDS)
    return tmp_path


def allowed(tree: Path, body: str) -> Annotated:
    names = {"plain": "plain", "two": "two", "Box": "Box", "Made": "Made", "many": "many", "lost": "lost"}
    capture = Capture(
        incident="one",
        import_name="boxes",
        modules=("boxes",),
        python="3.12",
        trees=(),
        dependencies=(),
        checks=(),
        patterns=(),
        raises=(),
        failure="",
        repeats=1,
        fork_per_check=False,
        reproducer_sha256="",
        bindings=tuple(Binding(name=name, original=f"boxes:{path}") for name, path in names.items()),
    )
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return allowed_by_annotations(capture, f"def find(program, p, seen):\n{lines}\n", tree)


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ('seen(program.plain(p["x"]))', Allowed((), NUMBER)),
        ('seen(program.plain(a=p["x"]))', Allowed((), NUMBER)),
        ('seen(program.plain(1, 2, c=p["x"]))', Allowed((None,), (False, True))),
        ('seen(program.two(p["x"]))', Allowed((), (*NUMBER, *TEXT))),
        ('seen(program.Box(1, label=p["x"]).size)', Allowed((None,), TEXT)),
        ('seen(program.Box(1).put(b"", p["x"]))', Allowed(("red", "blue"))),
        ('box = program.Box(1)\nseen(box.put(p["x"], 1))', Allowed((), (b"", b"a"))),
        ('seen(program.Box.parse(p["x"]).size)', Allowed((), (*TEXT, b"", b"a"))),
        ('seen(program.Box.bare(p["x"]))', Allowed((1,))),
        ('seen(program.Made(p["x"]).depth)', Allowed((None,), NUMBER)),
        ('def ask(a, text="b"):\n    return program.plain(text)\nseen(ask(1, p["x"]))', Allowed((), NUMBER)),
        ('value = p["x"]\nseen(program.plain(value))', Allowed((), NUMBER)),
        ('seen([program.plain(p["x"]), program.Made(p["x"])])', Allowed((None,), NUMBER)),
    ],
)
def test_a_parameter_is_followed_to_what_it_is_given_to(tree: Path, body: str, wanted: Allowed) -> None:
    assert allowed(tree, body) == {"find": {"x": wanted}}


@pytest.mark.parametrize(
    "body",
    [
        'seen(program.plain(1, p["x"]))',
        'seen(program.plain(*p["x"]))',
        'seen(program.plain(*p["y"], p["x"]))',
        'seen(program.plain(p["x"] + 1))',
        'seen(program.plain(**p["x"]))',
        'seen(program.lost(p["x"]))',
        'seen(program.missing(p["x"]))',
        'seen(len(p["x"]))',
        'seen(other.plain(p["x"]))',
        'seen(program.plain(1).put(p["x"]))',
    ],
)
def test_what_goes_nowhere_that_is_known_is_allowed_nothing(tree: Path, body: str) -> None:
    assert not allowed(tree, body)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("literal", Allowed(("a", 1, None))),
        ("union", Allowed((), (*NUMBER, *TEXT))),
        ("both", Allowed((), (0.0, 0.5, -1.5, *TEXT))),
        ("annotated", Allowed((), (0.0, 0.5, -1.5))),
        ("items", Allowed((), ([], [1]))),
        ("fixed", Allowed((), ((1, "a"),))),
        ("row", Allowed((), ((), (1,)))),
        ("table", Allowed((), ({}, {"a": 1}))),
        ("bare", Allowed((), ([],))),
        ("odd", Allowed((), ({},))),
        ("loop", Allowed((), NUMBER)),
        ("ident", Allowed((), NUMBER)),
        ("unknown", Allowed()),
        ("anything", Allowed()),
        ("plain", Allowed()),
        ("broken", Allowed()),
    ],
)
def test_an_annotation_allows_plain_data_only(tree: Path, name: str, wanted: Allowed) -> None:
    found: Any = allowed(tree, f'seen(program.many({name}=p["x"]))')
    assert repr(found["find"]["x"]) == repr(wanted)
