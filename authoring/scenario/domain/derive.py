"""The text of a readable, editable domain.py, from the parameters seen and the code that changed."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import black

from authoring.model.execution import Wire
from authoring.model.wire import WireError, decode
from authoring.scenario.domain.beside import Allowed, Annotated, beside_seen
from authoring.scenario.domain.blocks import blocks_of
from authoring.scenario.domain.changed import ChangedCode
from authoring.scenario.domain.cut import DomainCut, cuts_text, predicates_text
from authoring.scenario.domain.literal import MODULES, literal
from authoring.scenario.domain.numbers import bounds_of, numbers_of
from authoring.scenario.domain.sequences import alike, holds_steps, steps_for
from authoring.scenario.domain.strategies import Writer, strategy_for
from authoring.scenario.domain.tokens import marks_of

__all__ = ["derive_domain"]

_HEADER = '"""Where parameters come from: values seen, mixtures, and draws around boundaries."""'


def derive_domain(
    seen: Mapping[str, Sequence[Wire]],
    changed: ChangedCode,
    cuts: Sequence[DomainCut] = (),
    annotated: Annotated | None = None,
    scenarios: str = "",
) -> str:
    """Return the text of domain.py: ``SEEN``, one function for each scenario, and the cuts.

    ``seen`` holds for each scenario its wire dicts, lifted and recorded, none of which a cut takes; each can be drawn
    again. ``annotated`` says what annotations allow beside what was seen. Steps in one parameter are drawn in another
    one too where the text of the ``scenarios`` gives both the same methods. A tuple with a parameter that has no value
    outside a box (an injected function) is left out; a scenario of which no tuple remains raises
    :class:`~authoring.model.wire.WireError`.
    """
    rows = {scenario: _decoded(scenario, seen[scenario]) for scenario in sorted(seen)}
    high = max([bounds_of(_integers(tuples))[1] for tuples in rows.values()], default=1)
    shared = alike(rows, scenarios)
    functions = [
        _function(
            scenario,
            tuples,
            Writer(changed),
            (annotated or {}).get(scenario, {}),
            shared,
            is_narrowed=bool(cuts),
        )
        for scenario, tuples in rows.items()
    ]
    body = "\n\n\n".join([*predicates_text(rows, cuts), *functions])
    tables = []
    if "NUMBERS" in body:
        tables.append("# numbers of the changed code, their powers, and numbers of the code around it")
        tables.append(f"NUMBERS = {literal(numbers_of(changed, high) or [0, 1])}")
    if "MARKS" in body:
        tables.append("# characters and texts that the changed code looks for, and those next to them")
        tables.append(f"MARKS = {literal(marks_of(changed) or ['a', ' '])}")
    frozen = ["# values lifted from the reproducer and recorded, frozen", f"SEEN = {literal(rows)}"]
    blocks = blocks_of(body)
    text = "\n".join([_HEADER, "", *_imports(rows, body, blocks), "", *frozen, *tables])
    parts = [text, *([blocks] if blocks else []), body, cuts_text(cuts)]
    return black.format_str("\n\n\n".join(parts) + "\n", mode=black.Mode(line_length=110))


def _decoded(scenario: str, tuples: Sequence[Wire]) -> list[dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    refused = "nothing was seen"
    for wire in tuples:
        try:
            row = decode(wire)
        except WireError as error:
            refused = str(error)
            continue
        rows.setdefault(literal(row), row)
    if not rows:
        raise WireError(f"scenario {scenario} has no parameters that a domain can hold: {refused}")
    return list(rows.values())


def _function(
    scenario: str,
    rows: list[dict[str, Any]],
    writer: Writer,
    annotated: Mapping[str, Allowed],
    shared: Mapping[tuple[str, str], Sequence[Any]],
    *,
    is_narrowed: bool,
) -> str:
    names = sorted({name for row in rows for name in row})
    narrowed = f".filter(allows_{scenario})" if is_narrowed else ""
    if not names:
        return f"def {scenario}(constants):\n    return st.just({{}}){narrowed}"
    lines: list[str] = []
    others: dict[str, list[Any]] = {}
    for name in names:
        values = [row[name] for row in rows if name in row]
        if holds_steps(name, values):
            given = "" if len(values) == len(rows) else f" if {literal(name)} in row"
            own = f"[row[{literal(name)}] for row in SEEN[{literal(scenario)}]{given}]"
            lines.append(
                f"        {literal(name)}: {steps_for(own, values, writer, shared.get((scenario, name), ()))},"
            )
            continue
        lines.append(f"        {literal(name)}: {strategy_for(values, writer)},")
        allowed = beside_seen(values, annotated.get(name, Allowed()))
        others |= {name: allowed} if allowed else {}
    head = f"def {scenario}(constants):\n    anew = {{\n"
    drawn = f"crossed(SEEN[{literal(scenario)}], anew)"
    if others:
        drawn = f"now_and_then({drawn}, {literal(others)})"
    return head + "\n".join(lines) + f"\n    }}\n    return {drawn}{narrowed}"


def _integers(rows: Sequence[Any]) -> list[int]:
    """Return all integers at any depth of the values."""
    found: list[int] = []
    waiting: list[Any] = list(rows)
    while waiting:
        value = waiting.pop()
        if type(value) is int:
            found.append(value)
        elif isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list | tuple | set | frozenset):
            waiting += list(value)
    return found


def _imports(rows: Mapping[str, Any], body: str, blocks: str) -> list[str]:
    text = body + blocks
    modules = sorted(
        {module for module in MODULES.values() if f"{module}." in text or f"{module}." in literal(rows)}
    )
    if re.search(r"\bre\.[a-z]+\(", blocks):
        modules = sorted([*modules, "re"])
    return [
        *(f"import {module}" for module in modules),
        *([""] if modules else []),
        "from hypothesis import strategies as st",
    ]
