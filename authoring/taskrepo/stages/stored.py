"""How drafts and variants are kept between stages: plain JSON in the journal."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, TypeVar

from pydantic import BaseModel

from authoring.contract import Draft, DraftFacts, LedgerLine
from authoring.model.contract import Contract
from authoring.model.task import Check, Checks, HiddenChecks, Pool
from authoring.model.variants import VariantSpec
from authoring.variants.material import VariantTask

__all__ = ["draft_data", "draft_of", "task_data", "task_of"]


def draft_data(draft: Draft) -> dict[str, Any]:
    """Return a draft as JSON data."""
    return {
        "contract": draft.contract.model_dump(mode="json", by_alias=True),
        "domain": draft.domain,
        "prompt_template": draft.prompt_template,
        "public": [check.model_dump(mode="json", by_alias=True) for check in draft.public],
        "hidden": [check.model_dump(mode="json", by_alias=True) for check in draft.hidden],
        "pools": [pool.model_dump(mode="json", by_alias=True) for pool in draft.pools],
        "hard_negative": draft.hard_negative,
        "mutants": [list(pair) for pair in draft.mutants],
        "facts": {**asdict(draft.facts), "patterns": dict(draft.facts.patterns)},
    }


def draft_of(data: Mapping[str, Any]) -> Draft:
    """Return the draft of :func:`draft_data`."""
    facts = dict(data["facts"])
    facts["ledger"] = tuple(
        LedgerLine(line["rule"], tuple(line["public"]), tuple(line["hidden"]), line["witness"])
        for line in facts["ledger"]
    )
    for name in ("equivalent", "survivors", "notes"):
        facts[name] = tuple(facts[name])
    return Draft(
        contract=_model(Contract, data["contract"]),
        domain=data["domain"],
        prompt_template=data["prompt_template"],
        public=tuple(_model(Check, check) for check in data["public"]),
        hidden=tuple(_model(Check, check) for check in data["hidden"]),
        pools=tuple(_model(Pool, pool) for pool in data["pools"]),
        hard_negative=data["hard_negative"],
        mutants=tuple((name, source) for name, source in data["mutants"]),
        facts=DraftFacts(**facts),
    )


Model = TypeVar("Model", bound=BaseModel)

_TEXTS = ("program", "reference", "hard_negative", "scenarios", "prompt")


def task_data(task: VariantTask) -> dict[str, Any]:
    """Return a variant's task as JSON data."""
    models = {name: getattr(task, name) for name in ("spec", "contract", "public", "hidden")}
    return {
        **{name: model.model_dump(mode="json", by_alias=True) for name, model in models.items()},
        **{name: getattr(task, name) for name in _TEXTS},
    }


def task_of(data: Mapping[str, Any]) -> VariantTask:
    """Return the task of :func:`task_data`."""
    return VariantTask(
        spec=_model(VariantSpec, data["spec"]),
        contract=_model(Contract, data["contract"]),
        public=_model(Checks, data["public"]),
        hidden=_model(HiddenChecks, data["hidden"]),
        **{name: data[name] for name in _TEXTS},
    )


def _model(kind: type[Model], data: Any) -> Model:
    """Read a part strictly: JSON text is the form in which lists may stand for tuples."""
    return kind.model_validate_json(json.dumps(data))
