"""A recipe tells of an object its class and what it holds, and the scenario's helper makes it again."""

import collections
import datetime
import enum
import operator
import random
import re
import threading
import tokenize
from io import StringIO
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from authoring.execution.driver.codec import Encoder, load_json
from authoring.execution.driver.recipes import DEPTH_CAP, PARTS_CAP, VALUES_CAP, Recipes
from authoring.model.wire import decode, encode
from authoring.reduction.carve.recipes import (
    HELPER,
    attributes_in,
    bindings_of,
    helper_text,
    named,
    places_in,
    without,
)


class Point:
    scale: ClassVar[int] = 2

    def __init__(self, x: int, label: "Label") -> None:
        self.x = x
        self.label = label
        self.secret = object()

    def shown(self) -> str:
        return f"{self.label}{self.x * self.scale}"


class Label(str):
    color: str


class Slotted:
    __slots__ = ("x",)
    x: int


class Counts(dict[str, int]):
    pass


class Zone(datetime.tzinfo):
    def utcoffset(self, moment: datetime.datetime | None) -> datetime.timedelta:
        return datetime.timedelta(hours=5, seconds=1)

    def dst(self, moment: datetime.datetime | None) -> None:
        return None

    def tzname(self, moment: datetime.datetime | None) -> None:
        return None

    def __eq__(self, other: object) -> bool:
        raise AssertionError("no code of a value is run")

    __hash__ = datetime.tzinfo.__hash__


class Level(enum.Enum):
    LOW = 1


def answer(x: int) -> int:
    return x


class PointError(ValueError):
    pass


class Ordered(collections.OrderedDict[str, int]):
    pass


def _raising(value: object) -> dict[str, Any]:
    raise AssertionError("no code of a value is run")


Proxy = type("Proxy", (), {"__dict__": property(_raising), "__module__": __name__})


class Meta(type):
    def __eq__(cls, other: object) -> bool:
        raise AssertionError("no code of a value is run")

    __hash__ = type.__hash__


class Guarded(metaclass=Meta):
    def __init__(self) -> None:
        self.x = 1


class Private:
    def __init__(self) -> None:
        self.__x = 5


def recipe(value: object, *names: str) -> Any:
    text = Recipes(Encoder(), names).text(value)
    return None if text is None else load_json(text)


def again(value: object, *names: str) -> Any:
    """Write a value, read it, and make it again as a scenario does."""
    wire = recipe(value, *names)
    places = sorted(places_in([wire]))
    scope: dict[str, Any] = {}
    exec(helper_text(places), scope)
    own = {one.name: globals()[one.name] for one in bindings_of(places) or ()}
    return scope[HELPER](SimpleNamespace(**own), decode(named(wire)))


def test_an_object_is_made_again_with_the_attributes_that_are_read_and_no_others() -> None:
    label = Label("no ")
    label.color = "red"
    made = again([Point(3, label)], "x", "label", "color")[0]
    assert type(made) is Point
    assert made.shown() == "no 6"
    assert type(made.label) is Label
    assert made.label.color == "red"
    assert not hasattr(made, "secret")


def test_an_attribute_that_cannot_be_told_is_left_out() -> None:
    point = Point(1, Label("a"))
    vars(point)["x"] = iter([])
    assert attributes_in([recipe(point, "x", "label")]) == {"label"}


def test_parameters_read_as_a_person_would_write_them() -> None:
    assert decode(named(recipe(Point(3, Label("a")), "x"))) == {"<Point>": {"x": 3}}
    assert decode(named(recipe(Level.LOW))) == {"<Level.LOW>": None}
    assert decode(named(recipe(re.compile("a+", re.ASCII)))) == {"<compile()>": ["a+", 256]}


def test_slots_and_contents_of_built_ins_are_told() -> None:
    slotted = Slotted()
    slotted.x = 4
    assert again(slotted, "x").x == 4
    counts = again(Counts(a=1))
    assert type(counts) is Counts
    assert counts == {"a": 1}


def test_tokens_are_made_again() -> None:
    tokens = list(tokenize.generate_tokens(StringIO("x = (yield)\n").readline))
    made = again(tokens)
    assert made == tokens
    assert made[0].exact_type == tokens[0].exact_type


@pytest.mark.parametrize(
    "value",
    [
        collections.OrderedDict(b=1, a=2),
        collections.defaultdict(list, a=[1]),
        collections.deque([1, 2], maxlen=2),
        re.compile("a|b", re.IGNORECASE),
        datetime.datetime(2020, 1, 2, 3, 4, 5, 6, tzinfo=datetime.UTC),
        {"plain": [1, (2, None)]},
        len,
        answer,
        Point,
        Level.LOW,
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_a_call_or_a_name_gives_is_had_again(value: object) -> None:
    made = again(value)
    assert type(made) is type(value)
    assert made == value


def test_a_moment_in_a_zone_of_the_packages_own_is_made_again() -> None:
    made = again(datetime.datetime(2020, 1, 2, tzinfo=Zone()))
    assert type(made.tzinfo) is Zone
    assert made.replace(tzinfo=None) == datetime.datetime(2020, 1, 2)


def test_what_has_no_recipe_has_none() -> None:
    ring: list[object] = []
    ring.append(ring)
    deep: object = Point
    for _ in range(DEPTH_CAP + 1):
        deep = [deep]
    for value in (ring, deep, [[]] * (PARTS_CAP + 1), lambda: None, {"<x>": 1}, {Point: 1}, iter([])):
        assert recipe([value]) is None or recipe([value]) == {"list": [None]}, value
    assert recipe(datetime.datetime(2020, 1, 2, tzinfo=Zone(), fold=1)) is None


@pytest.mark.parametrize(
    "value",
    [
        PointError("a"),
        Ordered(a=1),
        threading.Lock(),
        operator.itemgetter(1),
        random.Random(3),
        re.match("a", "a"),
    ],
)
def test_an_object_whose_state_a_built_in_class_keeps_has_no_recipe(value: object) -> None:
    assert recipe(value) is None
    point = Point(1, Label("a"))
    vars(point)["x"] = value
    assert attributes_in([recipe(point, "x", "label")]) == {"label"}


def test_a_class_that_only_looks_like_one_of_the_librarys_is_one_of_its_own() -> None:
    enum_like = type("Enum", (), {"__module__": __name__})
    assert recipe(enum_like()) is None  # no module has it
    lying = type("OrderedDict", (), {"__module__": "collections"})
    assert recipe(lying()) is None


def test_no_code_of_a_value_is_run() -> None:
    assert recipe(Proxy(), "x") == encode({f"<{__name__}:Proxy>": {}})
    assert recipe(Guarded(), "x") == encode({f"<{__name__}:Guarded>": {"x": 1}})


def test_private_attributes_go_by_the_name_under_which_they_are_kept() -> None:
    assert attributes_in([recipe(Private(), "_Private__x")]) == {"_Private__x"}


def test_a_value_of_very_many_plain_values_has_none() -> None:
    assert recipe([Point, *range(VALUES_CAP + 1)]) is None


def test_attributes_that_nobody_misses_are_taken_out() -> None:
    label = Label("a")
    label.color = "red"
    wire = named(recipe({"at": Point(3, label)}, "x", "label", "color"))
    assert attributes_in([wire]) == {"x", "label", "color"}
    assert decode(without(wire, {"x", "color"})) == {"at": {"<Point>": {"label": {"<Label>": ("a", {})}}}}


def test_names_that_two_modules_have_or_that_are_none_cannot_be_bound() -> None:
    assert bindings_of(["a:B", "c:B.D"]) is None
    assert bindings_of(["a:f.<locals>.B"]) is None
    assert bindings_of(["a:F.None"]) is None
    assert [(one.name, one.original) for one in bindings_of(["a:B.C", "re:compile()"]) or ()] == [
        ("B", "a:B")
    ]


def test_data_that_look_like_no_recipe_stay_as_they_are() -> None:
    plain = encode({"a": {"<x": 1}, "b": {"<x>": 1, "y": 2}})
    assert named(plain) == plain
    assert without(plain, {"y"}) == plain
