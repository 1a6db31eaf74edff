"""Find how a hidden variant differs from the public ones beside names and inputs: constants, shape, or its
fault.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from authoring.contract.relations import is_held
from authoring.model.digest import keyed_digest
from authoring.model.execution import Outcome
from authoring.model.observation import Observation
from authoring.model.variants import VersionName
from authoring.variants.base import Stock, texts_in
from authoring.variants.constants import choose_constants
from authoring.variants.material import Tools
from authoring.variants.observer import Observer, expectation
from authoring.variants.render import render_source

__all__ = ["Change", "changes", "unchanged"]

Programs = Mapping[VersionName, str]

_SHAPES = 2


@dataclass(frozen=True, slots=True)
class Change:
    """How a variant's programs differ from the base's, all under base names."""

    programs: Programs
    constants: dict[str, Any] = field(default_factory=dict)
    shapes: tuple[str, ...] = ()
    other_fault: bool = False
    """Whether another wrong program than broken is to be found for the candidate to repair."""


def unchanged(stock: Stock) -> Change:
    """Return the programs as they are."""
    return Change(stock.material.programs)


def changes(stock: Stock, tools: Tools, task_id: str, turn: int) -> Iterator[Change]:
    """Yield the changes that hold, each kind once; which kind comes first depends on ``turn``.

    Constants stay where another contract's faults have to be told apart on the inputs: the base's programs tell.
    """
    kinds = ("constants", "shapes", "fault")
    for kind in kinds[turn % 3 :] + kinds[: turn % 3]:
        if kind == "constants" and stock.material.repaired:
            continue
        if kind == "fault":
            yield Change(stock.material.programs, other_fault=True)
            continue
        change = (_with_constants if kind == "constants" else _with_shapes)(stock, tools, task_id)
        if change is not None:
            yield change


def _with_constants(stock: Stock, tools: Tools, task_id: str) -> Change | None:
    observer = _observer(stock, tools)

    def rendered(values: Mapping[str, Any]) -> Programs:
        held = {**stock.constants, **values}
        return {version: render_source(stock.template, version, held) for version in stock.material.programs}

    def is_alive(values: Mapping[str, Any]) -> bool:
        return _keeps_faults(stock, observer, rendered(values))

    carried = (repr(text) for text in texts_in(each.params for each in stock.inputs))
    texts = "\n".join((stock.material.prompt_template, stock.material.scenarios, *carried))
    constants = choose_constants(
        stock.slots, key=tools.key, variant=task_id, texts=texts, words=tools.words, is_alive=is_alive
    )
    return Change(rendered(constants), constants) if constants else None


def _observer(stock: Stock, tools: Tools) -> Observer:
    return Observer(tools.runner, tools.how, stock.material.contract, stock.material.scenarios)


def _keeps_faults(stock: Stock, observer: Observer, programs: Programs) -> bool:
    """Return whether the reference behaves in a new way and each version fails where it failed: in public, in
    hidden.
    """
    outcomes = {version: observer.see(source, stock.inputs) for version, source in programs.items()}
    expected = [expectation(outcome, stock.material.contract.raises) for outcome in outcomes["reference"]]
    known = [each for each in expected if each is not None]
    if (
        len(known) < len(expected)
        or not _keeps_relations(stock, known)
        or not any(_failed(stock, observer, stock.outcomes["reference"], known))
    ):
        return False
    before = [check.expect for check in (*stock.material.public, *stock.material.hidden)]
    return all(
        _by_tier(stock, _failed(stock, observer, outcomes[version], known))
        == _by_tier(stock, _failed(stock, observer, stock.outcomes[version], before))
        for version in programs
    )


def _keeps_relations(stock: Stock, expected: Sequence[Sequence[Observation]]) -> bool:
    relations = {spec.id for spec in stock.material.contract.scenarios if spec.relation_of is not None}
    pairs = zip(stock.inputs, expected, strict=True)
    return all(is_held(seen) is True for each, seen in pairs if each.scenario in relations)


def _failed(
    stock: Stock, observer: Observer, outcomes: Sequence[Outcome], expected: Sequence[Sequence[Observation]]
) -> list[bool]:
    return [
        observer.is_failure(each.scenario, outcome, wanted)
        for each, outcome, wanted in zip(stock.inputs, outcomes, expected, strict=True)
    ]


def _by_tier(stock: Stock, failed: Sequence[bool]) -> tuple[bool, bool]:
    split = len(stock.material.public)
    return any(failed[:split]), any(failed[split:])


def _with_shapes(stock: Stock, tools: Tools, task_id: str) -> Change | None:
    observer = _observer(stock, tools)
    programs: Programs = stock.material.programs
    applied: list[str] = []
    for shape in sorted(tools.shapes, key=lambda name: keyed_digest(tools.key, "shapes", task_id, name)):
        shaped = {version: tools.shapes[shape](source) for version, source in programs.items()}
        if shaped["reference"] != programs["reference"] and _is_same(stock, observer, shaped):
            programs = shaped
            applied.append(shape)
        if len(applied) == _SHAPES:
            break
    return Change(programs, shapes=tuple(applied)) if applied else None


def _is_same(stock: Stock, observer: Observer, programs: Programs) -> bool:
    seen = {version: tuple(observer.see(source, stock.inputs)) for version, source in programs.items()}
    return all(seen[version] == stock.outcomes[version] for version in programs)
