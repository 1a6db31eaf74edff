"""How entries, drafts and variants are kept between stages: plain JSON in the journal."""

import json
from typing import Any

from pydantic import TypeAdapter

from authoring.contract import Draft
from authoring.taskrepo.stages.bounds import Bounded
from authoring.taskrepo.stages.carving import Inside
from authoring.variants.material import VariantTask

__all__ = [
    "bounds_data",
    "bounds_of_data",
    "draft_data",
    "draft_of",
    "inside_data",
    "inside_of",
    "task_data",
    "task_of",
]

_DRAFT = TypeAdapter(Draft)
_TASK = TypeAdapter(VariantTask)
_INSIDE = TypeAdapter(Inside)
_BOUNDS = TypeAdapter(tuple[Bounded, ...])


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


def inside_data(inside: Inside | None) -> dict[str, Any] | None:
    """Return an entry with what was recorded there as JSON data."""
    if inside is None:
        return None
    data: dict[str, Any] = _INSIDE.dump_python(inside, mode="json")
    return data


def inside_of(data: dict[str, Any] | None) -> Inside | None:
    """Return the entry of :func:`inside_data`."""
    return None if data is None else _INSIDE.validate_json(json.dumps(data))


def bounds_data(bounds: tuple[Bounded, ...]) -> list[Any]:
    """Return bounds on line events as JSON data."""
    data: list[Any] = _BOUNDS.dump_python(bounds, mode="json")
    return data


def bounds_of_data(data: list[Any]) -> tuple[Bounded, ...]:
    """Return the bounds of :func:`bounds_data`."""
    return _BOUNDS.validate_json(json.dumps(data))
