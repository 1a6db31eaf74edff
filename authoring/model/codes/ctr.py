"""Codes that begin with ``CTR``."""

from authoring.model.codes.base import Code

__all__ = ["CODES"]

CODES: tuple[Code, ...] = (
    Code(
        "CTR001",
        "The reduced broken program passes every check of the reproducer.",
        "A contract needs an input on which the broken program is wrong; reduction lost the fault.",
        "Run the reduction again, with a larger budget.",
    ),
    Code(
        "CTR002",
        "The reduced reference gives no observation on an input of the reproducer.",
        "It hangs, dies, or raises an exception that is no part of the behaviour, so nothing can be "
        "expected there.",
        "Run the reduction again, or name the exception in `raises` of contract.toml where it is behaviour.",
    ),
    Code(
        "CTR003",
        "The failure shows on one input only.",
        "Hidden checks must differ from public ones, and both must show the failure.",
        "Widen domain.py so that more inputs reach the fault.",
    ),
    Code(
        "CTR004",
        "There is no hard negative.",
        "No attempt was captured, and no partial fix, mutant beside the fix or over-correction repairs "
        "something "
        "that the broken program fails and still fails a check.",
        "Name an unsuccessful repair as `attempt` of the incident, or widen domain.py.",
    ),
    Code(
        "CTR005",
        "The reference is not stable.",
        "Its outcomes change with the hash seed, the time zone or the order of the calls, so checks would "
        "be flaky.",
        "Observe a view that does not depend on them: sorted items, a set, or a fixed clock.",
    ),
    Code(
        "CTR006",
        "The domain is too small.",
        "Fewer than four inputs end as the contract allows; public and hidden checks cannot be told apart.",
        "Widen domain.py, or name the exceptions that are behaviour in `raises` of contract.toml.",
    ),
    Code(
        "CTR020",
        "The edited contract.toml cannot be read.",
        "A key is unknown, missing, or of another type than the format says.",
        "Mend it, or delete the file to have it drafted anew.",
    ),
    Code(
        "CTR021",
        "The contract's alternatives.json cannot be read.",
        "It freezes which later releases of the package are tried; it is not in the form that its schema says.",
        "Mend it, or delete the file to have later releases listed anew.",
    ),
    Code(
        "CTR030",
        "An audit found weak rules or checks.",
        "A rule lacks a check, a wrong program passes everything, a check rejects no wrong program, or one rejects a "
        "program that does the same as the reference.",
        "Let domain.py draw inputs like those that show survivors, relax `compare` in contract.toml where a check is "
        "over-specified, then run `authoring commit`.",
    ),
)
