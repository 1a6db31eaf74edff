"""Packages of our own texts do what the real ones do, as far as programs commonly use them."""

import subprocess
import sys
from pathlib import Path

import attr
import pytest

from authoring.reduction.flatten.stand_ins import with_stand_ins

SHOW = """
def shown(call):
    try:
        return call()
    except Exception as error:
        return type(error).__name__
"""
SNIPPETS = {
    "positions and defaults": """
import attr
@attr.s
class A:
    x = attr.ib()
    y = attr.ib(default=2)
    z = attr.ib(factory=list)
    _hidden = attr.ib(default=7, kw_only=True)
print([shown(lambda: A(*a, **k)) for a, k in [((1,), {}), ((1, 3), {"z": [4]}), ((1,), {"hidden": 5}), ((), {}),
       ((1,), {"x": 2}), ((1,), {"w": 2}), ((1, 2, 3, 4), {})]])
print(A(1) == A(1), A(1) != A(2), A(1) < A(2), A(1) == 1, shown(lambda: hash(A(1))), A(1).z is A(1).z)
""",
    "inheritance": """
import attr
@attr.s
class A:
    x = attr.ib(default=1)
    y = attr.ib(default=2)
@attr.s
class B(A):
    z = attr.ib(default=3)
    x = attr.ib(default=9)
@attr.s
class C(B):
    pass
print(B(), C(4), [f.name for f in attr.fields(C)], A() == B())
print(attr.fields(B).z.default, shown(lambda: attr.fields(B).q), shown(lambda: attr.fields(int)), attr.has(B), attr.has(int))
def late():
    @attr.s
    class D(A):
        w = attr.ib()
print(shown(late))
""",
    "converters and validators": """
import attr
from attr.validators import instance_of, optional, in_
from attr import validators, converters
@attr.s
class A:
    n = attr.ib(converter=int, validator=instance_of(int))
    s = attr.ib(default=None, validator=optional(instance_of(str)))
    c = attr.ib(default="a", validator=[in_("abc"), validators.max_len(1)])
    d = attr.ib(default=None, converter=converters.default_if_none(5))
    e = attr.ib()
    @e.default
    def _e(self):
        return self.n + 1
    @e.validator
    def _check(self, attribute, value):
        if value > 100:
            raise ValueError(attribute.name)
print([shown(lambda: A(*a)) for a in [("3",), ("x",), (1, 2), (1, "s"), (1, None, "z"), (1, None, "b", 4, 500), (1, None, "b", None, 5)]])
print(shown(lambda: attr.validate(A(1))))
""",
    "annotations": """
import attr, attrs
from typing import ClassVar
@attrs.define
class A:
    x: int
    y: list = attrs.field(factory=list)
    k: ClassVar[int] = 5
    def method(self):
        return self.x + self.k
@attrs.frozen(kw_only=True)
class F:
    x: int
    y: int = 3
print(A(1), A(1).method(), shown(lambda: A()), F(x=1), shown(lambda: F(1)), hash(F(x=1)) == hash(F(x=1)))
def write():
    F(x=1).x = 2
print(shown(write), {F(x=1): 2}[F(x=1)], shown(lambda: hash(A(1))), A(1) == A(1), shown(lambda: A(1) < A(2)))
a = A(1); a.x = 4; a.y.append(a.x); print(a)
@attr.s(auto_attribs=True, order=False)
class G:
    x: int = 3
    y: str = "t"
print(G(), attrs.asdict(G()), attrs.astuple(G(4)), shown(lambda: G() < G()))
""",
    "copies": """
import attr
@attr.s
class A:
    x = attr.ib()
    _y = attr.ib(default=2)
    z = attr.ib(init=False, default=8)
@attr.s
class B:
    a = attr.ib()
    many = attr.ib(factory=list)
a = A(1, y=5)
print(attr.evolve(a, x=3), attr.evolve(a, y=3), attr.asdict(B(a, [a, 1])), attr.astuple(B(a, [a])), attr.asdict(B(a), recurse=False))
print(attr.asdict(a, filter=lambda f, v: f.name != "x"), attr.fields_dict(A)["x"].name, shown(lambda: attr.evolve(a, q=1)))
""",
    "keys": """
import attr
@attr.s
class A:
    x = attr.ib(eq=str.lower)
    y = attr.ib(default=1, eq=False, order=False)
print(A("a") == A("A"), A("a", 2) == A("a", 3), A("b") < A("A"))
""",
    "own methods": """
import attr, attrs
@attrs.define
class A:
    x: int
    def __repr__(self):
        return "mine"
    def __eq__(self, other):
        return True
@attrs.define
class E(Exception):
    code: int
    def __attrs_post_init__(self):
        self.code += 1
@attr.s(init=False, repr=False, eq=False)
class N:
    x = attr.ib(default=1)
    def __init__(self):
        self.__attrs_init__()
print(A(1), A(1) == 3, E(4).code, E(4).args, isinstance(E(1), Exception), N().x, N() == N())
M = attr.make_class("M", ["p", "q"])
print(M(1, 2), M(1, 2) == M(1, 2))
""",
}


def ran(text: str, *before: Path) -> str:
    path = [str(folder) for folder in before] + [str(Path(attr.__file__).parent.parent)]
    start = f"import sys; sys.path[:0] = {path!r}\n"
    done = subprocess.run(
        [sys.executable, "-I", "-c", start + SHOW + text],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", SNIPPETS)
def test_what_programs_commonly_do_gives_the_same(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "attrs-1.0"
    for top in ("attr", "attrs"):
        (folder / top).mkdir(parents=True)
        (folder / top / "__init__.py").write_text("raise ImportError('the real one')\n")
    standing = with_stand_ins(folder, tmp_path / "cache")
    assert ran(SNIPPETS[name], standing) == ran(SNIPPETS[name])


MIXED = """
import attr
{base}
sys.path.remove({standing!r})
for name in [name for name in sys.modules if name.partition(".")[0] in ("attr", "attrs")]:
    del sys.modules[name]
import attr as real
@real.s
class B(A):
    y = real.ib(default=3)
print(B(1), B(1, 4) == B(1, 4), [one.name for one in attr.fields(B)], attr.evolve(B(1), y=5), attr.has(B))
"""
BASE = "@attr.s\nclass A:\n    x = attr.ib(validator=attr.validators.instance_of(int))\n"


def test_a_class_of_a_scenario_with_the_real_package_derives_from_one_with_the_text(tmp_path: Path) -> None:
    (tmp_path / "attr").mkdir()
    standing = with_stand_ins(tmp_path, tmp_path / "cache")
    mixed = MIXED.format(base=BASE, standing=str(standing))
    assert ran(mixed, standing) == ran(mixed, Path(str(standing)).parent, standing, standing)


def test_a_folder_without_known_packages_stays(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("x = 1\n")
    assert with_stand_ins(tmp_path, tmp_path / "cache") == tmp_path


def test_what_lies_beside_a_package_stays(tmp_path: Path) -> None:
    (tmp_path / "attr").mkdir()
    (tmp_path / "attr" / "_make.py").write_text("x = 1\n")
    (tmp_path / "beside.py").write_text("y = 1\n")
    standing = with_stand_ins(tmp_path, tmp_path / "cache")
    assert (standing / "beside.py").read_text() == "y = 1\n"
    assert not (standing / "attr" / "_make.py").exists()
