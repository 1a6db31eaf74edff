"""Prepare what all variants of a contract start from, and the variant ``base``: the programs as they are."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from authoring.contract.describe import check_name
from authoring.model.contract import Contract
from authoring.model.digest import sha256_hex
from authoring.model.execution import Outcome
from authoring.model.task import Check, Checks, HiddenChecks, Pool
from authoring.model.variants import VariantSpec, VersionName
from authoring.model.wire import Wire
from authoring.variants.counterparts import place, places_of
from authoring.variants.material import Material, Tools, VariantTask
from authoring.variants.observer import Input, Observer, input_of
from authoring.variants.render import render_prose, render_source
from authoring.variants.slots import Slot, find_slots, slots_by_line
from authoring.variants.template import write_template

__all__ = ["Stock", "assemble", "carried_texts", "examples_of", "make_base", "prepare", "texts_in"]


@dataclass(frozen=True, slots=True)
class Stock:
    """What all variants start from."""

    material: Material
    template: str
    slots: tuple[Slot, ...]
    inputs: tuple[Input, ...]
    """Of the public checks, then the hidden ones."""
    outcomes: Mapping[VersionName, tuple[Outcome, ...]]
    """What every version gives on ``inputs``."""
    used: set[str]
    """Inputs that stand in a check of some variant already; grows with every variant."""
    pooled: frozenset[str]
    """Inputs that stand in the base's pools: no check of another variant may show one."""

    @property
    def drawn_as(self) -> dict[str, str]:
        """By scenario: the one in whose domain its parameters lie."""
        return {spec.id: spec.drawn_as for spec in self.material.contract.scenarios}

    @property
    def constants(self) -> dict[str, Any]:
        """The base's values of the constant slots."""
        return {slot.name: slot.value for slot in self.slots}


def prepare(material: Material, tools: Tools) -> Stock:
    """Write the template and observe every version on the contract's checks."""
    lines = tools.merge(material.programs)
    slots = find_slots(lines)
    checks = (*material.public, *material.hidden)
    inputs = tuple(input_of(check) for check in checks)
    observer = Observer(tools.runner, tools.how, material.contract, material.scenarios)
    outcomes = {version: tuple(observer.see(source, inputs)) for version, source in material.programs.items()}
    template = write_template(lines, slots_by_line(slots))
    pooled = {place(Input(pool.scenario, params)) for pool in material.pools for params in pool.inputs}
    drawn_as = {spec.id: spec.drawn_as for spec in material.contract.scenarios}
    used = places_of((*checks, *material.taken), drawn_as)
    return Stock(material, template, slots, inputs, outcomes, used, frozenset(pooled))


def make_base(stock: Stock, tools: Tools) -> VariantTask:
    """Return the variant ``base``, whose programs the template renders byte for byte."""
    material = stock.material
    programs = {
        version: render_source(stock.template, version, stock.constants) for version in material.programs
    }
    prompt = render_prose(material.prompt_template, {}, stock.constants, examples_of(material.public))
    spec = VariantSpec(id="base", tier="public" if material.contract.tier == "public+hidden" else "hidden")
    task = assemble(
        spec,
        material.contract,
        programs=programs,
        scenarios=material.scenarios,
        prompt=prompt,
        public=material.public,
        hidden=material.hidden,
        pools=material.pools,
    )
    return with_patterns(task, tools)


def examples_of(public: Sequence[Check]) -> dict[str, str]:
    """Return what a prompt says of each public check: the call, and what a right program gives for it."""
    return {
        check.id: check_name(check.scenario, check.params, check.expect, check.line_events)
        for check in public
    }


def assemble(
    spec: VariantSpec,
    contract: Contract,
    *,
    programs: Mapping[VersionName, str],
    scenarios: str,
    prompt: str,
    public: Sequence[Check],
    hidden: Sequence[Check],
    pools: Sequence[Pool],
) -> VariantTask:
    """Return a variant's task with its checks as documents; ``programs`` holds what candidates edit as
    ``broken``.
    """
    task_id, digest = f"{contract.id}/{spec.id}", sha256_hex(scenarios.encode())
    return VariantTask(
        spec=spec,
        contract=contract,
        program=programs["broken"],
        reference=programs["reference"],
        hard_negative=programs.get("hard_negative", ""),
        scenarios=scenarios,
        prompt=prompt,
        public=Checks(task=task_id, scenarios_sha256=digest, checks=tuple(public)),
        hidden=HiddenChecks(task=task_id, scenarios_sha256=digest, checks=tuple(hidden), pools=tuple(pools)),
    )


def with_patterns(task: VariantTask, tools: Tools) -> VariantTask:
    """Return the task with the pass and fail of its programs over its own checks, ``10110/0011``."""
    observer = Observer(tools.runner, tools.how, task.contract, task.scenarios)
    programs: dict[VersionName, str] = {"broken": task.program, "reference": task.reference}
    if task.hard_negative:
        programs["hard_negative"] = task.hard_negative
    patterns = {}
    for version, source in sorted(programs.items()):
        bits = [_bits(observer, source, checks) for checks in (task.public.checks, task.hidden.checks)]
        patterns[str(version)] = "/".join(bits)
    return replace(task, spec=task.spec.model_copy(update={"patterns": patterns}))


def _bits(observer: Observer, source: str, checks: Sequence[Check]) -> str:
    return "".join("0" if each else "1" for each in observer.failed(source, checks))


def carried_texts(material: Material, inputs: Sequence[Input]) -> set[str]:
    """Return every text that an input may carry into the programs: of checks, pools, and in the domain's
    source.

    The names of parameters, which the domain's source holds too, stay in the scenario.
    """
    pooled = (params for pool in material.pools for params in pool.inputs)
    wires = [*(each.params for each in inputs), *pooled]
    parameters = {name for wire in wires for name, _ in wire["dict"] if isinstance(name, str)}
    domain = {
        node.value
        for node in ast.walk(ast.parse(material.domain))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return set(texts_in(wires)) | (domain - parameters)


def texts_in(wires: Iterable[Wire]) -> Iterator[str]:
    """Yield every text inside parameters, but the names of the parameters themselves."""
    pending = [value for wire in wires for _, value in wire["dict"]]
    while pending:
        wire = pending.pop()
        if isinstance(wire, str):
            yield wire
        elif isinstance(wire, list):
            pending.extend(wire)
        elif isinstance(wire, dict):
            pending.extend(wire.values())
