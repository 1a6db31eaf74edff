"""The bound on the rate of flakes."""

import pytest

from authoring.validation.flake import flake_bound


def test_without_a_flake_the_bound_follows_the_rule_of_three() -> None:
    assert flake_bound(300) == pytest.approx(3 / 300, rel=0.01)
    assert flake_bound(20) == pytest.approx(1 - 0.05 ** (1 / 20))


def test_nothing_judged_bounds_nothing() -> None:
    assert flake_bound(0) == 1
    assert flake_bound(5, 5) == 1


@pytest.mark.parametrize(("runs", "flakes"), [(20, 1), (300, 2), (50, 25), (7, 6)])
def test_at_the_bound_so_few_flakes_have_five_percent_probability(runs: int, flakes: int) -> None:
    from math import comb

    rate = flake_bound(runs, flakes)
    assert sum(
        comb(runs, k) * rate**k * (1 - rate) ** (runs - k) for k in range(flakes + 1)
    ) == pytest.approx(0.05)


def test_more_flakes_than_runs_is_an_error() -> None:
    with pytest.raises(ValueError, match="counted among"):
        flake_bound(3, 4)
