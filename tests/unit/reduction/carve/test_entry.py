"""A carved entry's scenario is what a person would write, and its parameters are what calls were recorded with."""

import ast
from dataclasses import replace
from typing import Any

from authoring.model.capture import Binding
from authoring.model.execution import Frame, ObjectSeen, Observed
from authoring.model.wire import encode
from authoring.reduction.carve.ask import is_as_recorded
from authoring.reduction.carve.entry import (
    Argument,
    CarvedEntry,
    View,
    entry_calls,
    entry_params,
    parameters_of,
)

DATA = Argument("text", "data")
READS = Argument("options", "reads", ("strict",))
NONE = Argument("unused", "none", passed="keyword")
RECEIVER = Argument("self", "object", ("depth", "names"), "Parser", "receiver")


def entry(
    *arguments: Argument,
    called: str = "parse",
    view: View = "value",
    has_many: bool = False,
    is_property: bool = False,
) -> CarvedEntry:
    bindings = (Binding(name="parse", original="pkg.inner:parse"),)
    return CarvedEntry(
        "parse",
        "pkg.inner:parse",
        called,
        "pkg/inner.py",
        3,
        bindings,
        arguments,
        view,
        is_property,
        False,
        has_many,
    )


def frame(
    line: int = 3, parent: int = -1, objects: tuple[ObjectSeen, ...] = (), **arguments: object
) -> Frame:
    return Frame("pkg/inner.py", "parse", line, parent, encode(arguments), None, None, False, objects)


def test_data_are_passed_and_objects_are_made_of_what_is_read() -> None:
    assert entry(DATA, READS, NONE).text == (
        "def parse(program, p, seen):\n"
        '    seen(program.parse(p["text"], SimpleNamespace(**p["options"]), unused=None))\n'
    )
    assert entry(DATA, READS).imports == "from types import SimpleNamespace\n"
    assert entry(DATA).imports == ""


def test_a_method_is_called_on_an_instance_with_its_recorded_attributes() -> None:
    assert entry(RECEIVER, DATA).text == (
        "def parse(program, p, seen):\n"
        "    made = object.__new__(program.Parser)\n"
        '    for name, value in p["self"].items():\n'
        "        object.__setattr__(made, name, value)\n"
        '    seen(made.parse(p["text"]))\n'
    )
    assert "seen(made.parse)\n" in entry(RECEIVER, is_property=True).text


def test_what_returns_nothing_is_seen_in_the_instance_that_it_changed() -> None:
    text = entry(RECEIVER, view="state").text
    assert text.endswith(
        '    made.parse()\n    seen([[name, getattr(made, name, None)] for name in ("depth", "names",)])\n'
    )
    ast.parse(text)


def test_several_calls_of_one_outer_call_are_made_in_turn() -> None:
    text = entry(DATA, has_many=True).text
    assert text == (
        'def parse(program, p, seen):\n    for one in p["calls"]:\n        seen(program.parse(one["text"]))\n'
    )
    made = entry_params(entry(DATA, has_many=True), [frame(text="a"), frame(text="b")])
    assert made == {"dict": [["calls", {"list": [encode({"text": "a"}), encode({"text": "b"})]}]]}


def test_parameters_hold_what_is_read_of_objects_and_nothing_of_what_is_not() -> None:
    options = ObjectSeen("options", "pkg:Options", encode({"strict": True, "other": 1}))
    made = entry_params(entry(DATA, READS, NONE), [frame(objects=(options,), text="a", unused=3)])
    assert made == {"dict": [["text", "a"], ["options", encode({"strict": True})]]}


def test_no_parameters_where_the_entry_is_not_reached_or_what_it_needs_is_no_data() -> None:
    one = entry(DATA, READS)
    assert entry_params(one, []) is None
    assert entry_params(one, [frame(text="a")]) is None
    bare = ObjectSeen("options", "pkg:Options", encode({}))
    assert entry_params(one, [frame(objects=(bare,), text="a")]) is None
    assert entry_params(entry(DATA), [frame(text="a"), frame(text="b")]) is None
    assert entry_params(entry(DATA, has_many=True), [frame(text="a")] * 31) is None


def test_calls_that_a_call_made_of_itself_do_not_count() -> None:
    frames = [
        frame(text="a"),
        frame(line=9, parent=0, text="-"),
        frame(parent=1, text="inner"),
        frame(text="b"),
    ]
    assert entry_calls(frames, "pkg/inner.py", 3) == [frames[0], frames[3]]


def test_parameters_come_in_the_order_of_a_call() -> None:
    (node,) = ast.parse("def f(a, /, b, *c, d=1, **e): pass").body
    assert isinstance(node, ast.FunctionDef)
    assert parameters_of(node) == [
        ("a", "position"),
        ("b", "position"),
        ("c", "positions"),
        ("d", "keyword"),
        ("e", "keywords"),
    ]


def recipe_entry(*arguments: Argument, view: View, is_generator: bool = False) -> CarvedEntry:
    plain = entry(*arguments, view=view)
    return replace(
        plain, is_generator=is_generator, reads=("depth",), places=("pkg.inner:Parser", "re:compile()")
    )


def test_objects_are_made_again_by_a_helper_that_knows_where_they_are_from() -> None:
    receiver = Argument("self", "recipe", passed="receiver")
    made = recipe_entry(receiver, Argument("rule", "recipe"), DATA, view="value")
    assert made.text == (
        "def parse(program, p, seen):\n"
        '    seen(rebuilt(program, p["self"]).parse(rebuilt(program, p["rule"]), p["text"]))\n'
    )
    assert "    import re\n" in made.helpers[0]
    assert (
        '"<Parser>": lambda: program.Parser,\n        "<compile()>": lambda: re.compile,\n' in made.helpers[0]
    )
    ast.parse(made.helpers[0])


def test_what_a_call_changes_in_an_object_made_again_is_looked_at() -> None:
    receiver = Argument("self", "recipe", ("depth",), passed="receiver")
    assert recipe_entry(receiver, view="state").text == (
        "def parse(program, p, seen):\n"
        '    made = rebuilt(program, p["self"])\n'
        "    made.parse()\n"
        '    seen([[name, described(getattr(made, name, None))] for name in ("depth",)])\n'
    )


def test_objects_that_come_back_are_seen_by_their_texts_or_classes() -> None:
    assert "seen([str(one) for one in program.parse()])" in recipe_entry(view="texts", is_generator=True).text
    assert "seen(described(program.parse()))" in recipe_entry(view="parts").text
    listed = recipe_entry(view="parts", is_generator=True)
    assert "seen(described(list(program.parse())))" in listed.text
    scope: dict[str, Any] = {}
    exec(listed.helpers[-1], scope)
    assert scope["described"]([1, (None, DATA), {"a": {2}}]) == [1, (None, "Argument"), {"a": {2}}]


def test_an_object_of_a_class_that_the_helper_does_not_know_gives_no_parameters() -> None:
    made = recipe_entry(Argument("rule", "recipe"), view="value")
    known, other = (encode({f"<pkg.inner:{name}>": {"depth": 1}}) for name in ("Parser", "Lexer"))
    told = [
        Frame("pkg/inner.py", "parse", 3, -1, {"dict": [["rule", wire]]}, None, None)
        for wire in (known, other)
    ]
    assert entry_params(made, told[:1]) == encode({"rule": {"<Parser>": {"depth": 1}}})
    assert entry_params(made, told[1:]) is None


def test_data_that_turn_out_to_hold_objects_give_no_parameters() -> None:
    made = recipe_entry(Argument("rule", "recipe"), DATA, view="value")
    rule = encode({"<pkg.inner:Parser>": {}})
    told = [
        Frame("pkg/inner.py", "parse", 3, -1, {"dict": [["rule", rule], ["text", text]]}, None, None)
        for text in ("a", rule)
    ]
    assert entry_params(made, told[:1]) is not None
    assert entry_params(made, told[1:]) is None


def test_data_that_look_like_a_recipe_are_data_where_there_are_none() -> None:
    odd = {"<b>": 1}
    assert entry_params(entry(DATA), [frame(text=odd)]) == encode({"text": odd})


def test_what_is_made_again_has_to_give_what_was_recorded() -> None:
    made = recipe_entry(Argument("rule", "recipe"), view="value")

    def told(result: object, raised: str | None = None) -> list[Frame]:
        empty = encode({})
        return [Frame("pkg/inner.py", "parse", 3, -1, empty, encode(result), raised, raised is None)]

    assert is_as_recorded(made, told(1), Observed(({"value": encode(1)},)))
    assert not is_as_recorded(made, told(1), Observed(({"value": encode(2)},)))
    assert not is_as_recorded(made, told(1), Observed(({"raised": {"type": "AttributeError"}},)))
    assert is_as_recorded(made, told(None, "PageError"), Observed(({"raised": {"type": "Exception"}},)))
    assert not is_as_recorded(made, told(None, "PageError"), Observed(({"raised": {"type": "TypeError"}},)))
    assert not is_as_recorded(made, told(None, "PageError"), Observed(({"value": None},)))
