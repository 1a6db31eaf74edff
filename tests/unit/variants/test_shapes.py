"""Shapes: the same behaviour in another form, everywhere."""

from authoring.variants.distance import distance
from authoring.variants.shapes import all_shapes, reshaped
from tests.unit.variants.sample import REFERENCE


def test_a_shape_is_applied_at_every_place_that_allows_it() -> None:
    source = "def f(a, b):\n    return a < b\n\n\ndef g(a, b):\n    return a >= b\n"
    assert (
        reshaped(source, "swap-comparison")
        == "def f(a, b):\n    return b > a\n\n\ndef g(a, b):\n    return b <= a\n"
    )


def test_a_shape_that_does_not_apply_leaves_the_source_as_it_is() -> None:
    assert reshaped("x = 1\n", "swap-comparison") == "x = 1\n"
    assert reshaped("def :\n", "swap-comparison") == "def :\n"


def test_some_shape_of_the_sample_is_far_enough_to_be_told_apart() -> None:
    changed = {name: shape(REFERENCE) for name, shape in all_shapes().items()}
    assert any(distance(REFERENCE, other) > 0 for other in changed.values())
