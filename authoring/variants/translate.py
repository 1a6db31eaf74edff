"""Carry a contract and observations over to a variant's names: only names of types are ever seen."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from authoring.model.contract import Contract, ScenarioSpec
from authoring.model.execution import Observed, Outcome
from authoring.model.observation import ExceptionBase, Observation

__all__ = ["translated", "under_names"]


def under_names(contract: Contract, vocabulary: Mapping[str, str]) -> Contract:
    """Return the contract with entry, exceptions, those of comparisons too, and observable types under new names."""

    def renamed(names: Sequence[str]) -> tuple[str, ...]:
        return tuple(_dotted(name, vocabulary) for name in names)

    types = contract.types.model_copy(
        update={"records": renamed(contract.types.records), "enums": renamed(contract.types.enums)}
    )
    entry = contract.entry.model_copy(update={"name": _dotted(contract.entry.name, vocabulary)})
    scenarios = tuple(_compared(spec, renamed) for spec in contract.scenarios)
    return contract.model_copy(
        update={"entry": entry, "raises": renamed(contract.raises), "types": types, "scenarios": scenarios}
    )


def _compared(spec: ScenarioSpec, renamed: Callable[[Sequence[str]], tuple[str, ...]]) -> ScenarioSpec:
    """Return a scenario whose comparison names the program's own exceptions anew; its base is built in."""
    exception = spec.compare.exception
    if not isinstance(exception, ExceptionBase):
        return spec
    anew = exception.model_copy(update={"types": renamed(exception.types)})
    return spec.model_copy(update={"compare": spec.compare.model_copy(update={"exception": anew})})


def _dotted(name: str, vocabulary: Mapping[str, str]) -> str:
    return ".".join(vocabulary.get(part, part) for part in name.split("."))


def translated(outcome: Outcome, vocabulary: Mapping[str, str]) -> Outcome:
    """Return an outcome with the names of exceptions, records (and their fields) and enums under a
    vocabulary.
    """
    if not isinstance(outcome, Observed):
        return outcome
    return Observed(tuple(_observation(each, vocabulary) for each in outcome.observations))


def _observation(observation: Observation, vocabulary: Mapping[str, str]) -> Observation:
    result = {
        name: _value(part, vocabulary)
        for name, part in observation.items()
        if name not in ("raised", "calls")
    }
    if "raised" in observation:
        raised = observation["raised"]
        result["raised"] = {**raised, "type": _dotted(raised["type"], vocabulary)}
    if "calls" in observation:
        calls = observation["calls"]
        result["calls"] = [[name, [_value(item, vocabulary) for item in args]] for name, args in calls]
    return result


def _value(wire: Any, vocabulary: Mapping[str, str]) -> Any:
    if isinstance(wire, list):
        return [_value(item, vocabulary) for item in wire]
    if not isinstance(wire, dict):
        return wire
    ((tag, body),) = wire.items()
    if tag == "record":
        fields = [[_dotted(name, vocabulary), _value(item, vocabulary)] for name, item in body[1]]
        return {"record": [_dotted(body[0], vocabulary), fields]}
    if tag == "enum":
        return {"enum": [_dotted(part, vocabulary) for part in body]}
    return {tag: _value(body, vocabulary)} if isinstance(body, list) else wire
