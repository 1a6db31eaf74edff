"""A contract under a variant's names is about the same exceptions."""

from authoring.model.contract import Contract
from authoring.model.execution import Observed
from authoring.model.observation import Compare, ExceptionBase, equal
from authoring.variants.translate import translated, under_names
from tests.unit.variants import sample

VOCABULARY = {"Missing": "Absent"}


def relaxed() -> Contract:
    compare = Compare(exception=ExceptionBase(base="LookupError", types=("Missing",)))
    contract = sample.contract()
    scenarios = tuple(spec.model_copy(update={"compare": compare}) for spec in contract.scenarios)
    return contract.model_copy(update={"raises": ("Missing", "KeyError"), "scenarios": scenarios})


def test_exceptions_that_are_the_same_stay_so_under_new_names() -> None:
    anew = under_names(relaxed(), VOCABULARY)
    assert anew.raises == ("Absent", "KeyError")
    own = translated(Observed(({"raised": {"type": "Missing"}},)), VOCABULARY)
    assert own == Observed(({"raised": {"type": "Absent"}},))
    for spec in anew.scenarios:
        assert equal(own.observations, [{"raised": {"type": "KeyError"}}], spec.compare)
        assert not equal(own.observations, [{"raised": {"type": "ValueError"}}], spec.compare)


def test_other_comparisons_stay_as_they_are() -> None:
    contract = sample.contract()
    assert under_names(contract, VOCABULARY).scenarios == contract.scenarios
