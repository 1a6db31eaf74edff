"""Inputs in words: parameters as a person would write them."""

from authoring.contract.describe import domain_words, params_words
from authoring.model.wire import encode

STEPS = [["put", ["a", 1], {"wait": True}], ["get", [], {}]]


def test_steps_are_written_as_the_calls_that_they_are() -> None:
    params = encode({"size": 2, "steps": STEPS})
    assert params_words(params) == "size=2, steps=[put('a', 1, wait=True), get()]"
    assert params_words(encode({"items": STEPS[1:]})) == "items=[['get', [], {}]]"


def test_many_steps_are_shortened() -> None:
    words = params_words(encode({"steps": STEPS * 9}))
    assert words.startswith("steps=[put('a', 1, wait=True), get(), put(") and words.endswith("…")


def test_a_domain_says_what_steps_are() -> None:
    assert domain_words({"queue": [encode({"steps": STEPS}), encode({"steps": []})]}).startswith(
        "queue takes steps (calls of methods, one after another, each with its arguments):"
    )
