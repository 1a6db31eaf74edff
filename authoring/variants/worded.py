"""Put a contract's words on a variant: its prompt, and what its task says of rules and mechanism."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from authoring.contract.worded import Wording
from authoring.model.variants import VersionName
from authoring.reduction.align import merge_text
from authoring.variants.base import examples_of
from authoring.variants.material import VariantTask
from authoring.variants.render import render_prose
from authoring.variants.slots import find_slots

__all__ = ["base_constants", "in_words"]


def base_constants(programs: Mapping[VersionName, str]) -> dict[str, Any]:
    """Return the base's values of the constant slots; every version that the template renders is given."""
    return {slot.name: slot.value for slot in find_slots(merge_text(programs).lines)}


def in_words(task: VariantTask, told: Wording, template: str, constants: Mapping[str, Any]) -> VariantTask:
    """Return a variant under other words; ``template`` is the text of prompt.md.j2.

    Raises ``UsageError`` (VAR002) where the template cannot be rendered.
    """
    spec, public = task.spec, told.of_checks(task.public.checks)
    return replace(
        task,
        contract=told.of_contract(task.contract),
        prompt=render_prose(template, spec.vocabulary, {**constants, **spec.constants}, examples_of(public)),
        public=task.public.model_copy(update={"checks": public}),
        hidden=task.hidden.model_copy(update={"checks": told.of_checks(task.hidden.checks)}),
    )
