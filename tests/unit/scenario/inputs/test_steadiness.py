"""Which inputs have one answer under every perturbation."""

from collections.abc import Sequence

from authoring.model.execution import Perturbation
from authoring.model.perturbations import repeats
from authoring.scenario.inputs import unsteady


def test_a_steady_program_is_tried_eight_times() -> None:
    tried: list[Perturbation] = []

    def is_usual(perturbation: Perturbation, places: Sequence[int]) -> list[bool]:
        tried.append(perturbation)
        return [True for _ in places]

    assert unsteady(3, is_usual) == set()
    assert len(set(tried)) == 8


def test_a_rare_order_is_found_once_another_input_changed_early() -> None:
    late = [perturbation for _, perturbation in repeats(20, ("3.11",))][-1]

    def is_usual(perturbation: Perturbation, places: Sequence[int]) -> list[bool]:
        return [place == 0 or (place == 1 and perturbation != late) for place in places]

    assert unsteady(3, is_usual) == {1, 2}


def test_what_changed_is_not_asked_again() -> None:
    asked: list[Sequence[int]] = []

    def is_usual(perturbation: Perturbation, places: Sequence[int]) -> list[bool]:
        asked.append(places)
        return [place != 1 for place in places]

    assert unsteady(2, is_usual) == {1}
    assert asked[0] == [0, 1]
    assert all(places == [0] for places in asked[1:])


def test_nothing_is_asked_of_no_inputs() -> None:
    def is_usual(perturbation: Perturbation, places: Sequence[int]) -> list[bool]:
        raise AssertionError("asked")

    assert unsteady(0, is_usual) == set()
