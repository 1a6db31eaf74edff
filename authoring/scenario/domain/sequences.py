"""The strategy, as text, that draws steps like those seen: operations on one object, one after another."""

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from authoring.scenario.domain.literal import literal
from authoring.scenario.domain.strategies import Writer, strategy_for
from authoring.scenario.steps import names_steps

__all__ = ["alike", "holds_steps", "steps_for"]

_MORE, _MORE_CAP = 4, 8
"""How many steps more than those seen are drawn: at least, and at most where as many as were seen would be more."""
_POOL_CAP = 12

_Parameter = tuple[str, str]
"""A scenario, and the name of its parameter."""

_Column = tuple[str, int, int]
"""A place of an argument: a method, how many arguments it is given, and the number of this one."""


def holds_steps(name: str, values: Sequence[Any]) -> bool:
    """Return whether all values of a parameter are steps, and some hold one."""
    return names_steps(name) and any(values) and all(map(_is_steps, values))


def _is_steps(value: Any) -> bool:
    return type(value) is list and all(map(_is_step, value))


def _is_step(value: Any) -> bool:
    if type(value) is not list or [type(part) for part in value] not in ([str, list], [str, list, dict]):
        return False
    return value[0].isidentifier() and all(type(key) is str for options in value[2:] for key in options)


def alike(rows: Mapping[str, Sequence[Mapping[str, Any]]], scenarios: str) -> dict[_Parameter, list[Any]]:
    """Return for each parameter of steps those seen in any parameter that its scenario gives the same methods.

    ``rows`` holds for each scenario the parameters seen, ``scenarios`` is the text of all scenarios.
    """
    tables = _tables(scenarios)
    found: dict[tuple[tuple[str, ...], int], list[Any]] = {}
    keys: dict[_Parameter, tuple[tuple[str, ...], int]] = {}
    for (scenario, name), table in tables.items():
        values = [row[name] for row in rows.get(scenario, ()) if name in row]
        if holds_steps(name, values):
            steps = [step for value in values for step in value]
            keys[scenario, name] = (table, len(steps[0]))
            found.setdefault((table, len(steps[0])), []).extend(steps)
    return {parameter: found[key] for parameter, key in keys.items()}


def _tables(scenarios: str) -> dict[_Parameter, tuple[str, ...]]:
    """Return by scenario and parameter of steps the methods that the loop over them can call."""
    found: dict[_Parameter, tuple[str, ...]] = {}
    for function in ast.parse(scenarios).body:
        nodes = [node for node in ast.walk(function) if isinstance(node, ast.Assign | ast.For)]
        tables: dict[str, tuple[str, ...]] = {}
        for node in sorted(nodes, key=lambda one: one.lineno):
            match node:
                case ast.Assign(targets=[ast.Name(id=table)], value=ast.Dict(keys=keys)):
                    tables[table] = tuple(str(key.value) for key in keys if isinstance(key, ast.Constant))
                case ast.For(
                    iter=ast.Subscript(value=ast.Name(id="p"), slice=ast.Constant(value=str(name))),
                    body=[ast.Expr(value=ast.Call(func=ast.Subscript(value=ast.Name(id=table))))],
                ) if names_steps(name) and isinstance(function, ast.FunctionDef):
                    found[function.name, name] = tables.get(table, ())
    return found


def steps_for(rows: str, values: Sequence[list[Any]], writer: Writer, others: Sequence[Any] = ()) -> str:
    """Return the text of a strategy for steps like these; ``rows`` is an expression of the file for them.

    Methods are those seen, here and among the ``others``, each with as many arguments as it was given somewhere, of the
    kinds given there. Values that were given in one place are given again, in every place that shares one of them, so
    that steps meet.
    """
    own = [step for row in values for step in row]
    steps = [*own, *(step for step in others if step not in own)]
    by_form: dict[tuple[str, int], list[list[Any]]] = {}
    for step in steps:
        by_form.setdefault((step[0], len(step[1])), []).append(step)
    pools = _pools(by_form)
    inner = writer.deeper()
    forms = [
        _one_step(form, own, [pools[*form, at] for at in range(form[1])], inner)
        for form, own in by_form.items()
    ]
    one = forms[0] if len(forms) == 1 else f"st.one_of({', '.join(forms)})"
    longest = max(map(len, values))
    return f"steps_like({rows}, {one}, {longest + max(_MORE, min(longest, _MORE_CAP))})"


def _one_step(form: tuple[str, int], steps: list[list[Any]], pools: list[list[Any]], writer: Writer) -> str:
    columns = zip(*(step[1] for step in steps), strict=True)
    parts = [_argument(list(column), pool, writer) for column, pool in zip(columns, pools, strict=True)]
    if any(len(step) > 2 for step in steps):
        parts.append(f"options={_options([step[2] for step in steps], writer)}")
    return f"one_step({', '.join([literal(form[0]), *parts])})"


def _argument(values: list[Any], pool: list[Any], writer: Writer) -> str:
    """Return a strategy for one argument: half of the draws are values seen."""
    anew = strategy_for(values, writer)
    if anew.startswith(("st.booleans(", "st.none(")):
        return anew
    return anew if anew == f"st.sampled_from({literal(pool)})" else f"mostly({literal(pool)}, {anew})"


def _options(rows: list[dict[str, Any]], writer: Writer) -> str:
    """Return a strategy for keywords: those that some of the rows lack may be left out."""
    columns: dict[str, list[Any]] = {}
    for row in rows:
        for key, value in row.items():
            columns.setdefault(key, []).append(value)
    if not columns:
        return "st.just({})"
    fields = [f"{literal(key)}: {strategy_for(column, writer)}" for key, column in columns.items()]
    return f"st.fixed_dictionaries({{}}, optional={{{', '.join(fields)}}})"


def _pools(by_form: dict[tuple[str, int], list[list[Any]]]) -> dict[_Column, list[Any]]:
    """Return for each place the values given there and in the places that share one of them, each once."""
    given: dict[_Column, dict[str, Any]] = {}
    for (name, count), steps in by_form.items():
        for at in range(count):
            given[name, count, at] = {literal(step[1][at]): step[1][at] for step in steps}
    pools: dict[_Column, list[Any]] = {}
    for column, own in given.items():
        pool, waiting = dict(own), [other for other in given if other != column]
        while joined := [other for other in waiting if pool.keys() & given[other].keys()]:
            waiting = [other for other in waiting if other not in joined]
            for other in joined:
                pool |= given[other]
        pools[column] = list(pool.values())[:_POOL_CAP]
    return pools
