"""A difference falls into faults where each part repairs checks of its own, and only there."""

from collections.abc import Callable, Mapping

import pytest

from authoring.reduction.separate import Fault, independent_faults

Pieces = frozenset[int]


def by_need(needs: Mapping[str, set[int]]) -> Callable[[Pieces], frozenset[str]]:
    """Return programs in which a check fails until all the pieces that it needs are repaired."""
    return lambda repaired: frozenset(check for check, pieces in needs.items() if not pieces <= repaired)


def found(count: int, wrong: Callable[[Pieces], frozenset[str]]) -> list[tuple[list[int], str]]:
    return [
        (sorted(fault.pieces), "".join(sorted(fault.failing))) for fault in independent_faults(count, wrong)
    ]


def test_pieces_that_repair_checks_of_their_own_are_faults() -> None:
    assert found(2, by_need({"a": {0}, "b": {1}, "c": {1}})) == [([0], "a"), ([1], "bc")]


def test_a_fault_may_need_pieces_that_do_not_lie_together() -> None:
    assert found(4, by_need({"a": {0, 3}, "b": {1, 2}})) == [([0, 3], "a"), ([1, 2], "b")]


def test_faults_are_the_finest() -> None:
    assert found(3, by_need({"a": {0}, "b": {1}, "c": {2}})) == [([0], "a"), ([1], "b"), ([2], "c")]


def test_a_check_that_needs_both_pieces_holds_them_together() -> None:
    assert found(2, by_need({"a": {0}, "b": {0, 1}})) == [([0, 1], "ab")]


def test_a_repair_that_breaks_another_check_is_none() -> None:
    def wrong(repaired: Pieces) -> frozenset[str]:
        return by_need({"a": {0}, "b": {1}})(repaired) | ({"kept"} if repaired == {0} else set())

    assert found(2, wrong) == [([0, 1], "ab")]


def test_two_ways_to_repair_one_check_are_one_fault() -> None:
    def wrong(repaired: Pieces) -> frozenset[str]:
        return frozenset("b" if repaired else "ab") - (frozenset("b") if repaired == {0, 1} else frozenset())

    assert found(2, wrong) == [([0, 1], "ab")]


def test_a_piece_without_a_check_goes_with_the_fault_whose_checks_need_it() -> None:
    assert found(3, by_need({"a": {0, 1}, "b": {2}})) == [([0, 1], "a"), ([2], "b")]


def test_a_piece_that_no_check_needs_keeps_no_fault_apart() -> None:
    assert found(3, by_need({"a": {0}, "b": {2}})) == [([0], "a"), ([1, 2], "b")]


@pytest.mark.parametrize("needs", [{"a": {0, 1}}, {"a": {0}}, {}])
def test_one_failing_check_is_one_fault_whatever_its_pieces(needs: dict[str, set[int]]) -> None:
    asked: list[Pieces] = []

    def wrong(repaired: Pieces) -> frozenset[str]:
        asked.append(repaired)
        return by_need(needs)(repaired)

    assert independent_faults(2, wrong) == (Fault(frozenset((0, 1)), frozenset(needs)),)
    assert len(asked) == 1


def test_what_all_pieces_do_not_repair_is_no_difference_of_these_versions() -> None:
    assert found(2, lambda repaired: frozenset("ab")) == [([0, 1], "ab")]
