"""The stage `contract`: draft rules, checks, pools and a hard negative for the reduced programs."""

import ast
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from authoring.contract import Beside, Draft, Material, draft
from authoring.contract.bench import CALL_CPU_S
from authoring.contract.hearing import Alternative
from authoring.model.capture import Binding, Capture
from authoring.model.contract import Contract, Entry, Environment, Origin, Types
from authoring.model.execution import How, Limits, Package
from authoring.model.incident import Incident
from authoring.model.observation import Compare
from authoring.model.variants import VersionName
from authoring.reduction.carve import CarvedEntry, definitions_of
from authoring.scenario.domain import cuts_of, narrowed
from authoring.scenario.inputs import Input, in_order
from authoring.taskrepo.stages.bounds import Bounded
from authoring.taskrepo.stages.work import Work

__all__ = ["draft_contract", "entry_of", "how_of"]


def draft_contract(
    work: Work,
    incident: Incident,
    capture: Capture,
    programs: Mapping[VersionName, str],
    scenarios: str,
    domain: str,
    origin: Origin,
    *,
    originals: Mapping[VersionName, Package],
    alternatives: Sequence[Alternative] = (),
    dependencies: tuple[Path, ...] = (),
    author: Contract | None = None,
    is_domain_edited: bool = False,
    is_scenarios_edited: bool = False,
    inside: CarvedEntry | None = None,
    compares: Mapping[str, Compare] | None = None,
    must_be_faithful: bool = False,
    bounds: Sequence[Bounded] = (),
    contract_id: str = "",
    beside: Beside | None = None,
) -> Draft:
    """Draft the contract; raise RefusedError CTR… where the programs allow none.

    Of ``author`` it takes what programs are asked by, and the words that it has.

    ``contract_id`` is what it is called where that is known; ``beside`` says what it has to know of the incident's
    other faults where it is about one of several.

    Inputs that the domain does not allow are outside of it for every program; where something was cut off, no relation
    is made: what it calls the program with may lie there.

    ``must_be_faithful``: raise UnfaithfulInputsError as soon as a program is seen to differ from its release.
    """
    material = Material(
        incident=incident,
        capture=capture,
        programs=programs,
        scenarios=scenarios,
        domain=domain,
        compares=compares or {},
        entry=entry_of(capture, programs["reference"], inside),
        environment=Environment(python=capture.python, dependencies=capture.dependencies),
        origin=origin,
        types=author.types if author is not None else Types(),
        originals=originals,
        alternatives=alternatives,
        author=author,
        is_domain_edited=is_domain_edited,
        is_scenarios_edited=is_scenarios_edited,
        is_inside=inside is not None or bool(cuts_of(domain)),
        must_be_faithful=must_be_faithful,
        contract_id=contract_id,
        beside=beside,
        bounded=tuple(
            Input(each.scenario, in_order(each.params), each.line_events)
            for one in bounds
            for each in (*one.requests, one.plain)
        ),
    )
    how = how_of(capture, dependencies)
    runner = narrowed(work.runner, how, domain)
    return draft(material, runner, how, work.workspace.key, work.progress)


def how_of(capture: Capture, dependencies: tuple[Path, ...] = ()) -> How:
    """Return how our own reduced programs run: on the task's Python, a tenth of a second of CPU a call.

    ``dependencies`` are bound where real releases run beside them.
    """
    return How(
        limits=Limits(call_cpu_s=CALL_CPU_S, call_s=5.0, run_s=60.0, cpu_s=60, processes=capture.processes),
        python=capture.python,
        dependencies=dependencies,
        fork_per_request=capture.fork_per_check,
    )


def entry_of(capture: Capture, reference: str, inside: CarvedEntry | None = None) -> Entry:
    """Return the name through which the program is observed: the one that the failing checks call.

    Where scenarios read several names of the program besides exceptions, the entry is the module; ``inside`` the
    package it is the function that was carved, if the program has it where the package does.
    """
    if inside is not None:
        name = inside.original.partition(":")[2]
        if name in definitions_of(ast.parse(reference), ""):
            return Entry(name=name, kind="function", original=inside.original)
    bindings = [binding for binding in capture.bindings if binding.name not in capture.raises]
    if len(bindings) == 1:
        return _entry(bindings[0], reference)
    return Entry(name=capture.import_name, kind="module", original=capture.import_name)


def _entry(binding: Binding, reference: str) -> Entry:
    is_class = re.search(rf"^class {re.escape(binding.name)}\b", reference, re.MULTILINE)
    kind: Literal["class", "function"] = "class" if is_class else "function"
    return Entry(name=binding.name, kind=kind, original=binding.original)
