"""Give checks at an entry inside the package the outer input that each was recorded from."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from authoring.contract import Draft
from authoring.model.contract import ScenarioSpec
from authoring.model.execution import How, Observed, Package, Request, Runner
from authoring.model.task import Check, OuterPart
from authoring.model.wire import Wire
from authoring.scenario.inputs import Input, in_order
from authoring.taskrepo.stages.carving import Inside
from authoring.variants.material import VariantTask

__all__ = ["OuterSide"]


class OuterSide:
    """The outer inputs of an entry's arguments, and what the reference's release observes on them."""

    def __init__(self, inside: Inside, runner: Runner, how: How, reference: Package) -> None:
        self._entry = inside.entry.scenario
        self._requests: dict[str, Request] = {}
        """By the key of the entry's input."""
        for scenario, params, inner in inside.recorded:
            self._requests.setdefault(self._key(inner), Request(scenario, params))
        self._runner, self._how, self._reference = runner, how, reference
        self._seen: dict[str, OuterPart] = {}

    def of_all(self) -> dict[str, OuterPart]:
        """Return the outer part of all that was recorded, where that is data, by the key of the entry's input."""
        self._observe(self._requests)
        return dict(self._seen)

    def of_draft(self, draft: Draft) -> Draft:
        """Return a draft whose checks at the entry have their outer parts, and whose contract says so."""
        public, hidden = (
            self._checks(checks, draft.contract.raises) for checks in (draft.public, draft.hidden)
        )
        used = sorted({one.outer.scenario for one in (*public, *hidden) if one.outer is not None})
        specs = [
            spec.model_copy(update={"level": "entry", "outer": used[0]})
            if spec.id == self._entry and used
            else spec
            for spec in draft.contract.scenarios
        ]
        known = {spec.id: spec for spec in specs if spec.level == "outer"}
        outer = [known.get(name, ScenarioSpec(id=name, function=name, level="outer")) for name in used]
        inner = [spec for spec in specs if spec.level != "outer"]
        contract = draft.contract.model_copy(update={"scenarios": (*inner, *outer)})
        return replace(draft, contract=contract, public=public, hidden=hidden)

    def of_task(self, task: VariantTask) -> VariantTask:
        """Return a variant whose checks at recorded arguments have their outer parts."""
        raises = task.contract.raises
        public = task.public.model_copy(update={"checks": self._checks(task.public.checks, raises)})
        hidden = task.hidden.model_copy(update={"checks": self._checks(task.hidden.checks, raises)})
        return replace(task, public=public, hidden=hidden)

    def _checks(self, checks: Sequence[Check], raises: Sequence[str]) -> tuple[Check, ...]:
        keys = {one.id: self._key(one.params) for one in checks if one.scenario == self._entry}
        self._observe(keys.values())
        return tuple(
            one.model_copy(update={"outer": part})
            if (part := self._seen.get(keys.get(one.id, ""))) is not None and _is_behaviour(part, raises)
            else one
            for one in checks
        )

    def _key(self, inner: Wire) -> str:
        return Input(self._entry, in_order(inner)).key

    def _observe(self, keys: Iterable[str]) -> None:
        """Find out what the outer inputs of recorded arguments give on the reference's release, where that is data."""
        asked = [key for key in dict.fromkeys(keys) if key in self._requests and key not in self._seen]
        if not asked:
            return
        requests = [self._requests[key] for key in asked]
        outcomes = self._runner.observe(self._reference, requests, self._how)
        for key, request, outcome in zip(asked, requests, outcomes, strict=True):
            if isinstance(outcome, Observed):
                self._seen[key] = OuterPart(
                    scenario=request.scenario, params=request.params, expect=outcome.observations
                )


def _is_behaviour(part: OuterPart, raises: Sequence[str]) -> bool:
    raised = part.expect[-1].get("raised") if part.expect else None
    return bool(part.expect) and (raised is None or raised["type"] in raises)
