"""All scenarios that relations make of the scenarios of a contract."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from authoring.contract.relations.again import AGAIN
from authoring.contract.relations.as_tuple import AS_TUPLE
from authoring.contract.relations.back import BACK
from authoring.contract.relations.doubled import DOUBLED
from authoring.contract.relations.kept import KEPT
from authoring.contract.relations.padded import PADDED
from authoring.contract.relations.rekeyed import REKEYED
from authoring.contract.relations.relation import Proposal, Relation
from authoring.contract.relations.reordered import REORDERED
from authoring.contract.relations.shape import functions_in, shape_of
from authoring.contract.relations.twice import TWICE
from authoring.model.capture import LiftedCheck
from authoring.model.wire import Wire

__all__ = ["RELATIONS", "proposals_of"]

RELATIONS: tuple[Relation, ...] = (
    BACK,
    AGAIN,
    REORDERED,
    REKEYED,
    DOUBLED,
    PADDED,
    AS_TUPLE,
    KEPT,
    TWICE,
)
"""All relations; of two that tell equally much the first is kept."""


def proposals_of(
    scenarios: str, checks: Sequence[LiftedCheck], left_out: Collection[str] = ()
) -> list[Proposal]:
    """Return the proposals for the scenarios of the reproducer's checks, but for those ``left_out``.

    A function of that name that scenarios.py holds already is the author's version of it, and its text empty;
    one that a check of the reproducer stands for is no relation of ours.
    """
    kinds = _kinds(checks)
    functions = functions_in(scenarios)
    known = [
        shape_of(functions[name], kinds[name])
        for name in sorted(kinds)
        if name in functions.keys() - left_out
    ]
    shapes = [shape for shape in known if shape is not None]
    found: dict[str, Proposal] = {}
    for relation in RELATIONS:
        for shape in shapes:
            for made in relation.propose(shape, shapes):
                if made.function not in kinds:
                    text = "" if made.function in functions else made.text
                    found.setdefault(made.function, replace(made, text=text))
    return list(found.values())


def _kinds(checks: Sequence[LiftedCheck]) -> Mapping[str, Mapping[str, frozenset[str]]]:
    """Return by scenario and parameter the wire kinds of the reproducer's values."""
    found: dict[str, dict[str, frozenset[str]]] = {}
    for check in checks:
        if check.scenario:
            kinds = found.setdefault(check.scenario, {})
            for name, value in check.params["dict"]:
                kinds[name] = kinds.get(name, frozenset()) | {_kind(value)}
    return found


def _kind(wire: Wire) -> str:
    if isinstance(wire, str):
        return "text"
    return str(next(iter(wire))) if isinstance(wire, dict) else "constant"
