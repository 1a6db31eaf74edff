"""How drafts and variants are kept between stages: plain JSON in the journal."""

import json
from typing import Any

from pydantic import TypeAdapter

from authoring.contract import Draft
from authoring.variants.material import VariantTask

__all__ = ["draft_data", "draft_of", "task_data", "task_of"]

_DRAFT = TypeAdapter(Draft)
_TASK = TypeAdapter(VariantTask)


def draft_data(draft: Draft) -> dict[str, Any]:
    """Return a draft as JSON data."""
    data: dict[str, Any] = _DRAFT.dump_python(draft, mode="json", by_alias=True)
    return data


def draft_of(data: dict[str, Any]) -> Draft:
    """Return the draft of :func:`draft_data`."""
    return _DRAFT.validate_json(json.dumps(data))


def task_data(task: VariantTask) -> dict[str, Any]:
    """Return a variant's task as JSON data."""
    data: dict[str, Any] = _TASK.dump_python(task, mode="json", by_alias=True)
    return data


def task_of(data: dict[str, Any]) -> VariantTask:
    """Return the task of :func:`task_data`."""
    return _TASK.validate_json(json.dumps(data))
