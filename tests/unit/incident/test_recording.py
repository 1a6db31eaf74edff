"""Which arguments parameters become, and what calls made by tests make of a scenario's inputs."""

from typing import Any

from authoring.incident.recording import places_of, rows_of, run_told
from authoring.model.execution import Died, Frame, Observed, Request, Traced, Watched
from authoring.model.wire import decode, encode

PAGE = Watched("orders/pages.py", 4)


def request(scenario: str = "page", **params: Any) -> Request:
    return Request(scenario, encode(params))


def frame(line: int = 4, parent: int = -1, **args: Any) -> Frame:
    return Frame("orders/pages.py", "page", line, parent, encode(args), None, None)


def traced(*frames: Frame) -> Traced:
    return Traced(Observed(()), {}, {}, 0, frames)


def found(*pairs: tuple[Request, Traced]) -> list[tuple[str, str, tuple[int | str, ...]]]:
    places = places_of([one for one, _ in pairs], [trace for _, trace in pairs])
    return [(place.param, place.argument, place.steps) for name in places for place in places[name]]


def test_a_parameter_goes_to_the_argument_that_always_equals_it() -> None:
    one = request(size=3, rows=["a"]), traced(frame(count=3, rows=["a"], limit=3))
    other = request(size=7, rows=["b"]), traced(frame(count=7, rows=["b"], limit=3))
    assert found(one, other) == [("size", "count", ()), ("rows", "rows", ())]


def test_a_parameter_can_lie_inside_an_argument() -> None:
    one = request(name="left", size=12), traced(frame(args=("left", 5), options={"size": 12}))
    assert found(one) == [("name", "args", (0,)), ("size", "options", ("size",))]


def test_what_equals_many_things_by_chance_needs_the_same_name() -> None:
    one = request(strict=True, number=0), traced(frame(verbose=True, strict=True, start=0))
    assert found(one) == [("strict", "strict", ())]


def test_the_outermost_function_and_the_argument_of_that_name_are_taken() -> None:
    inner, outer = frame(9, parent=0, raw="text"), frame(4, other="text", text2="text")
    places = places_of([request(text="text")], [traced(inner, outer)])["page"]
    assert [(place.watched, place.argument) for place in places] == [(PAGE, "text2")]


def test_scenarios_have_places_of_their_own() -> None:
    pairs = [(request("page", size=30), frame(size=30)), (request("rows", size=40), frame(9, size=40))]
    places = places_of([one for one, _ in pairs], [traced(told) for _, told in pairs])
    assert {name: [place.watched.line for place in here] for name, here in places.items()} == {
        "page": [4],
        "rows": [9],
    }


def rows(calls: list[Frame], *asked: Request) -> list[Any]:
    traces = [traced(frame(**decode(one.params))) for one in asked]
    places = places_of(asked, traces)["page"]
    return [decode(one.params) for one in rows_of(asked, places, {PAGE: calls})]


def test_each_call_takes_the_place_of_the_next_input_and_leaves_what_it_does_not_tell() -> None:
    asked = request(size=30, text="ab"), request(size=40, text="cd")
    places = places_of(asked, [traced(frame(size=30)), traced(frame(size=40))])["page"]
    calls = [frame(size=1), frame(size=2), frame(size=3)]
    assert [decode(one.params) for one in rows_of(asked, places, {PAGE: calls})] == [
        {"size": 1, "text": "ab"},
        {"size": 2, "text": "cd"},
        {"size": 3, "text": "ab"},
    ]


def test_what_is_known_or_told_twice_or_in_part_is_left_out() -> None:
    asked = request(size=30, text="ab")
    calls = [
        frame(size=30, text="ab"),
        frame(size=1, text="x"),
        frame(size=1, text="x"),
        frame(size=2),
    ]
    assert rows(calls, asked) == [{"size": 1, "text": "x"}]


def test_secrets_and_very_long_values_are_left_out() -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    calls = [frame(text=token[:40]), frame(text="x" * 5000), frame(text="kept")]
    assert rows(calls, request(text="ab")) == [{"text": "kept"}]


def test_a_run_tells_how_many_tests_ran_and_what_was_not_collected() -> None:
    told = run_told(Observed(({"value": encode([3, ["ImportError: no trio"]])},)))
    assert told is not None
    assert (told.ran, told.troubles) == (3, ("ImportError: no trio",))
    assert run_told(Died("exit")) is None
    assert run_told(Observed(({"raised": {"type": "SystemExit"}},))) is None
