"""Plain words for what the machine found: parameters, outcomes, kinds of values."""

from collections.abc import Mapping, Sequence

from authoring.model.observation import Observation
from authoring.model.wire import Wire, WireError, decode
from authoring.scenario.domain import literal
from authoring.scenario.inputs import is_steps, may_be_steps

__all__ = ["check_name", "domain_words", "outcome_words", "params_words"]

_LENGTH_CAP = 60
_KINDS = {
    "null": "None",
    "bool": "a boolean",
    "text": "text",
    "int": "a whole number",
    "float": "a float",
    "bytes": "bytes",
    "list": "a list",
    "tuple": "a tuple",
    "dict": "a dict",
    "set": "a set",
    "frozenset": "a frozenset",
    "double": "an injected function",
}
_STEPS = "calls of methods, one after another, each with its arguments"


def value_words(wire: Wire) -> str:
    """Return a value as Python text, shortened."""
    try:
        text = literal(decode(wire))
    except (WireError, TypeError):
        text = "an object"
    return text if len(text) <= _LENGTH_CAP else text[: _LENGTH_CAP - 1] + "…"


def _steps_words(wire: Wire) -> str:
    """Return steps as the calls that they are, ``[put('a', 1), get('a')]``, shortened."""
    calls = []
    for step in wire["list"]:
        name, args, *options = step["list"]
        given = [value_words(one) for one in args["list"]]
        given += [f"{key}={value_words(item)}" for each in options for key, item in each["dict"]]
        calls.append(f"{name}({', '.join(given)})")
    text = f"[{', '.join(calls)}]"
    return text if len(text) <= _LENGTH_CAP else text[: _LENGTH_CAP - 1] + "…"


def params_words(params: Wire) -> str:
    """Return parameters as ``a=1, b="x"``, shortened."""
    text = ", ".join(
        f"{name}={_steps_words(value) if is_steps(name, value) else value_words(value)}"
        for name, value in params["dict"]
    )
    return text if len(text) <= 2 * _LENGTH_CAP else text[: 2 * _LENGTH_CAP - 1] + "…"


def outcome_words(observations: Sequence[Observation]) -> str:
    """Return what was observed: the last value, or the exception."""
    last = observations[-1]
    if "raised" in last:
        return f"raises {last['raised']['type']}"
    return f"gives {value_words(last['value'])}"


def check_name(
    scenario: str, params: Wire, observations: Sequence[Observation], line_events: int | None = None
) -> str:
    """Return a check's name for people."""
    bound = "" if line_events is None else f" within {line_events} line events"
    return f"{scenario}({params_words(params)}) {outcome_words(observations)}{bound}"


def domain_words(seen: Mapping[str, Sequence[Wire]]) -> str:
    """Return a sentence for each scenario that says of which kinds its parameters are."""
    parts = []
    for scenario, rows in sorted(seen.items()):
        kinds: dict[str, dict[str, None]] = {}
        for params in rows:
            for name, value in params["dict"]:
                kind = _STEPS if may_be_steps(name, value) else _kind(value)
                kinds.setdefault(name, {}).setdefault(kind)
        listed = ", ".join(
            f"{name} ({' or '.join(sorted(values))})" for name, values in sorted(kinds.items())
        )
        parts.append(f"{scenario} takes {listed or 'nothing'}")
    return (
        "; ".join(parts)
        + ": values like those of the public checks, mixed and edited, as domain.py draws them."
    )


def _kind(wire: Wire) -> str:
    if wire is None:
        return _KINDS["null"]
    if type(wire) is bool:
        return _KINDS["bool"]
    if type(wire) is str:
        return _KINDS["text"]
    tag = next(iter(wire))
    return _KINDS.get(tag, f"a {tag}")
