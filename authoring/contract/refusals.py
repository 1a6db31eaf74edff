"""The coded reasons for which a contract is refused."""

from typing import NoReturn

from authoring.contract.describe import params_words
from authoring.model.errors import RefusedError
from authoring.scenario.inputs import Input

__all__ = [
    "refuse_broken_that_passes",
    "refuse_few_inputs",
    "refuse_no_hard_negative",
    "refuse_reference",
    "refuse_single_failure",
    "refuse_unstable",
]


def refuse_broken_that_passes() -> NoReturn:
    """Refuse a broken program that passes every lifted check."""
    raise RefusedError(
        "CTR001",
        "the reduced broken program passes every check of the reproducer",
        "Run `authoring reduce` again; the fault was lost.",
        stage="contract",
    )


def refuse_reference(one: Input) -> NoReturn:
    """Refuse a reference that ends outside the domain on an input of the reproducer."""
    proof = f"{one.scenario}({params_words(one.params)})"
    raise RefusedError(
        "CTR002",
        f"the reduced reference gives no observation on the reproducer's own input {proof}",
        "Run `authoring reduce` again, or name the exception in contract.toml `raises` where it is "
        "behaviour.",
        stage="contract",
        proof=proof,
    )


def refuse_single_failure() -> NoReturn:
    """Refuse a failure that one input alone shows: no hidden check can differ from the public one."""
    raise RefusedError(
        "CTR003",
        "the failure shows on one input of the domain only",
        "Widen domain.py so that a second input shows it, or lift more literals of the reproducer.",
        stage="contract",
    )


def refuse_no_hard_negative(tried: int) -> NoReturn:
    """Refuse where no wrong program repairs something and still fails."""
    raise RefusedError(
        "CTR004",
        f"none of {tried} wrong programs repairs something that the broken one fails and still fails a check",
        "Give the incident an `attempt`, or widen domain.py.",
        stage="contract",
    )


def refuse_unstable(one: Input, unstable: int, inputs: int) -> NoReturn:
    """Refuse a reference whose outcomes change with hash seed, time zone or order."""
    raise RefusedError(
        "CTR005",
        f"the reference gives other outcomes on {unstable} of {inputs} inputs when hash seed, time zone or "
        f"order change",
        "Observe a view that does not depend on them, for example a sorted list.",
        stage="contract",
        proof=f"{one.scenario}({params_words(one.params)})",
    )


def refuse_few_inputs(inputs: int) -> NoReturn:
    """Refuse a domain that is too small to have two tiers."""
    raise RefusedError(
        "CTR006",
        f"the domain holds {inputs} inputs on which the reference ends as the contract allows",
        "Widen domain.py, or name the exceptions that are behaviour in contract.toml `raises`.",
        stage="contract",
    )
