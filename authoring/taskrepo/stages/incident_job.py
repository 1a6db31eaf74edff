"""An incident's way through the stages `capture` and `reduce`, and what its contracts need of it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from authoring.contract.hearing import Alternative
from authoring.execution import find_interpreter
from authoring.incident.capture import Captured, Warned, capture
from authoring.incident.obtain import Trees, obtain
from authoring.model.capture import Capture, Recorded
from authoring.model.contract import Origin
from authoring.model.cuts import Cuts
from authoring.model.errors import CannotJudgeError, RefusedError, UsageError
from authoring.model.execution import Package, Request
from authoring.model.reduction import ENDINGS
from authoring.model.variants import VersionName
from authoring.scenario.domain import Membership
from authoring.taskrepo.stages.added import keep_added, with_added
from authoring.taskrepo.stages.best import forget_best
from authoring.taskrepo.stages.bounds import Bounded, bounded_capture
from authoring.taskrepo.stages.carving import Inside, inner_capture
from authoring.taskrepo.stages.contract import how_of
from authoring.taskrepo.stages.cutting import capture_inside
from authoring.taskrepo.stages.generated import (
    current_text,
    is_edited,
    write_generated,
)
from authoring.taskrepo.stages.later import Later, later_of
from authoring.taskrepo.stages.outer_parts import OuterSide
from authoring.taskrepo.stages.recording import record
from authoring.taskrepo.stages.reduce import reduce_incident
from authoring.taskrepo.stages.reduction_file import of_done
from authoring.taskrepo.stages.reduction_inputs import VERSION_OF_SIDE, Releases
from authoring.taskrepo.stages.source import (
    Source,
    incident_toml,
    read_capture,
    remember_source,
    reproducer_name,
)
from authoring.taskrepo.stages.stored import (
    bounds_data,
    bounds_of_data,
    inside_data,
    inside_of,
)
from authoring.taskrepo.stages.work import Work

__all__ = ["IncidentJob"]


@dataclass
class IncidentJob:
    """One incident in one workspace, which is locked by the caller."""

    work: Work
    source: Source
    date: str = ""
    reviewed_by: str = ""
    warnings: list[str] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The incident's id; where it has one contract, the contract's too."""
        return self.source.incident.id

    @cached_property
    def task_python(self) -> str:
        """The task's Python: as asked for, else the newest of the incident's that is found, else our own."""
        wanted = self.source.python or self.work.settings.python
        if wanted:
            return _short(find_interpreter(wanted).version)
        for version in sorted(self.source.incident.python, key=_numbers, reverse=True):
            try:
                return _short(find_interpreter(version).version)
            except CannotJudgeError:
                continue
        own = _short(find_interpreter("").version)
        if self.source.incident.python:
            named = ", ".join(self.source.incident.python)
            self.warnings.append(f"None of the Pythons {named} is found; the task uses {own}.")
        return own

    @cached_property
    def trees(self) -> Trees:
        """The unpacked sides and dependencies; obtained only where a stage has to look at them."""
        self.work.progress.phase("obtain")
        return obtain(self.source.incident, self.source.folder, self.work.cache, self.task_python)

    @cached_property
    def captured(self) -> dict[str, Any]:
        """What the stage `capture` left: its document, scenarios, binding, masked reproducer and origin."""
        self._require_own_id()
        self.work.progress.phase("capture")
        result: dict[str, Any] = self.work.done(
            "capture", self.id, [self.source.sha256, self.task_python], self._capture
        )
        self.warn(result["warnings"])
        incident = self.source.incident
        folder = f"incidents/{self.id}"
        reproducer = reproducer_name(incident)
        write_generated(self.work, f"{folder}/incident.toml", incident_toml(incident))
        write_generated(self.work, f"{folder}/{reproducer}", result["reproducer"])
        write_generated(self.work, f"{folder}/capture.json", result["document"])
        for name, text in sorted(self.source.attachments.items()):
            write_generated(self.work, f"{folder}/{name}", text)
        remember_source(self.work, self.source)
        for name, space in (("scenarios", "scenarios"), ("original", "original")):
            text = with_added(self.work.journal, space, self.id, result[name])
            write_generated(self.work, f"contracts/{self.id}/{name}.py", text)
        return result

    def _capture(self) -> dict[str, Any]:
        found: Captured = capture(
            self.source.incident,
            self.trees,
            self.source.reproducer,
            self.work.runner,
            self.task_python,
            self.work.progress,
            self.source.only,
        )
        recorded, told = self._recorded(found)
        document = found.capture.model_copy(
            update={"source_sha256": self.source.sha256, "recorded": recorded}
        )
        return {
            "document": document.to_json().decode("ascii"),
            "scenarios": found.scenarios,
            "original": found.original,
            "reproducer": found.reproducer,
            "origin": self._origin().model_dump(mode="json"),
            "warnings": [f"{warning.code}: {warning.message}" for warning in (*found.warnings, *told)],
        }

    def _recorded(self, found: Captured) -> tuple[Recorded | None, tuple[Warned, ...]]:
        """Return what the project's own tests give, and what is to be told of it.

        Where the tests are not at hand, as in a clone, what was recorded from them before stays.
        """
        if not self.source.tests:
            path = self.work.workspace.path("incidents", self.id, "capture.json")
            return (read_capture(path).recorded if path.is_file() else None), ()
        releases = self._releases_of(found.capture, found.scenarios, found.original)
        recording = record(self.work, found.capture, releases, self.source.tests)
        return recording.recorded, recording.warnings

    def _origin(self) -> Origin:
        incident, fixed = self.source.incident, self.trees.sides["fixed"]
        labels = (incident.broken, incident.attempt, incident.fixed) if incident.package else ()
        return Origin(
            package=incident.package or self.trees.import_name,
            releases=tuple(label for label in labels if label),
            licence=incident.licence or fixed.licence,
            notices=fixed.notices,
        )

    def _require_own_id(self) -> None:
        """Refuse an id that other inputs have taken, before anything is obtained or written."""
        path = self.work.workspace.path("incidents", self.id, "capture.json")
        if not path.is_file():
            return
        taken = read_capture(path)
        if taken.source_sha256 and taken.source_sha256 != self.source.sha256:
            raise UsageError(
                "TSK010",
                f"The id {self.id} is taken: this workspace holds it with other inputs.",
                "Give another id, or the inputs that the id was made from.",
                stage="capture",
            )

    @cached_property
    def capture(self) -> Capture:
        """The capture document."""
        return Capture.from_json(self.captured["document"].encode())

    @property
    def _scenarios_path(self) -> str:
        return f"contracts/{self.id}/scenarios.py"

    @property
    def _original_path(self) -> str:
        return f"contracts/{self.id}/original.py"

    def _outer_scenarios(self) -> str:
        """Return the scenarios of the package's own interface: captured, or what their author made of the file."""
        captured: str = self.captured["scenarios"]
        return self._text("scenarios.py") if is_edited(self.work, self._scenarios_path) else captured

    def _outer_original(self) -> str:
        """Return the text that binds the package's own interface."""
        captured: str = self.captured["original"]
        return self._text("original.py") if is_edited(self.work, self._original_path) else captured

    def scenarios(self) -> str:
        """Return the scenarios that the contracts start from, with that of an entry inside the package."""
        outer, inside = self._outer_scenarios(), self.inside
        return outer if inside is None else inside.scenarios(outer)

    def original(self) -> str:
        """Return the text that binds the package's own interface, and the entry inside the package."""
        return self._text("original.py")

    def _keep_entry(self, inside: Inside | None) -> None:
        captured: str = self.captured["original"]
        text = captured if inside is None else inside.original(captured)
        keep_added(self.work.journal, "original", self.id, captured, text)
        write_generated(self.work, self._original_path, text)

    def keep_relations(self, contract: str, text: str) -> None:
        """Leave a contract's scenarios, with its relations, in its folder; a rerun starts from them."""
        if contract == self.id:
            keep_added(self.work.journal, "scenarios", self.id, self.captured["scenarios"], text)
        write_generated(self.work, f"contracts/{contract}/scenarios.py", text)

    @cached_property
    def inside(self) -> Inside | None:
        """The entry inside the package at which the programs are observed; None: its own interface."""
        return inside_of(self.reduced["inside"])

    @cached_property
    def seen(self) -> Capture:
        """The capture document as it looks from where the programs are observed; what is cut off is not lifted."""
        inside = self.inside
        bounded = bounded_capture(self.capture, self.bounds)
        seen = bounded if inside is None else inner_capture(self.capture, inside)
        return capture_inside(seen, Membership(self.work.runner, how_of(seen), self.domain()))

    @property
    def bounds(self) -> tuple[Bounded, ...]:
        """What is asked in place of those checks that tell the versions apart by what a call costs."""
        return bounds_of_data(self.reduced.get("bounds", []))

    def is_domain_closed(self) -> bool:
        """Tell whether only what domain.py draws is an input: its author edited it, or it holds what was recorded."""
        return self.inside is not None or is_edited(self.work, f"contracts/{self.id}/domain.py")

    def _text(self, name: str) -> str:
        return current_text(self.work, f"contracts/{self.id}/{name}")

    @cached_property
    def reduced(self) -> dict[str, Any]:
        """What the stage `reduce` left: ``programs``, ``domain``, ``sizes``, ``trials``, ``report``."""
        inputs = [self.captured["document"], self._outer_scenarios(), self._outer_original()]
        domain_path = f"contracts/{self.id}/domain.py"
        domain = self._text("domain.py") if is_edited(self.work, domain_path) else None
        known = self._counterexamples()
        may_carve = not self.work.journal.get("outside", self.id)
        accept_cuts = self._accepts_cuts()
        try:
            result: dict[str, Any] = self.work.done(
                "reduce",
                self.id,
                [*inputs, domain, known, may_carve, accept_cuts],
                lambda: self._reduce(domain, known, may_carve, accept_cuts),
            )
        except RefusedError:
            forget_best(self.work, self.id)
            raise
        self._keep_entry(inside_of(result["inside"]))
        for version, source in sorted(result["programs"].items()):
            write_generated(self.work, f"contracts/{self.id}/program/{version}.py", source)
        write_generated(self.work, domain_path, result["domain"])
        cuts = Cuts.model_validate_json(json.dumps(result["report"]["cuts"]))
        write_generated(self.work, f"contracts/{self.id}/cuts.json", cuts.to_json().decode("ascii"))
        report = of_done(result["sizes"], result["trials"], result["report"])
        write_generated(self.work, f"contracts/{self.id}/reduction.json", report.to_json().decode("ascii"))
        if report.ended:
            self.warn([f"The reduction is not complete: {ENDINGS[report.ended]}."])
        return result

    def _accepts_cuts(self) -> bool:
        """Tell whether cuts are accepted; once they were, they are for every later run, until domain.py is deleted."""
        if self.work.settings.accept_cuts:
            self.work.journal.put("accept-cuts", self.id, True)
        elif not self.work.workspace.path("contracts", self.id, "domain.py").is_file():
            self.work.journal.forget("accept-cuts", self.id)
        return bool(self.work.journal.get("accept-cuts", self.id))

    def _counterexamples(self) -> list[list[Any]]:
        """Return inputs on which earlier reductions differed from their releases: scenario, parameters, bound."""
        return list(self.work.journal.get("counterexamples", self.id) or ())

    def _reduce(
        self, domain: str | None, known: Sequence[Sequence[Any]], may_carve: bool, accept_cuts: bool
    ) -> dict[str, Any]:
        reduced = reduce_incident(
            self.work,
            self.capture,
            self._version_trees(),
            self.trees.dependencies,
            self._outer_scenarios(),
            self._outer_original(),
            domain,
            [Request(scenario, params, line_events=bound) for scenario, params, bound in known],
            may_carve=may_carve,
            accept_cuts=accept_cuts,
        )
        return {
            **asdict(replace(reduced, inside=None, bounds=())),
            "inside": inside_data(reduced.inside),
            "bounds": bounds_data(reduced.bounds),
        }

    def _version_trees(self) -> dict[VersionName, Path]:
        return {VERSION_OF_SIDE[side]: tree.path for side, tree in self.trees.sides.items()}

    def domain(self) -> str:
        """Return the text of domain.py, as its author left it."""
        return self._text("domain.py")

    def program_dependencies(self) -> tuple[Path, ...]:
        """Return the dependencies' folders where the reduced programs still import some, else nothing."""
        return self.trees.dependencies if self.reduced["report"]["third_party"] else ()

    def _programs(self) -> dict[VersionName, str]:
        """Return the reduced programs, as their author left them."""
        versions: list[VersionName] = sorted(self.reduced["programs"])
        return {version: self._text(f"program/{version}.py") for version in versions}

    @cached_property
    def outer_side(self) -> OuterSide | None:
        """Return what finds the outer parts of checks at an entry inside the package."""
        inside = self.inside
        if inside is None:
            return None
        releases = self._releases(self._outer_scenarios(), self._outer_original())
        return OuterSide(inside, self.work.runner, releases.package_how, releases.packages["reference"])

    @cached_property
    def later(self) -> Later | None:
        """The later releases of the package that are tried; None where there are none to ask for."""
        captured = self.captured["scenarios"], self.captured["original"]
        return later_of(self.work, self.source.incident, self.capture, captured, lambda: self.trees)

    def later_facts(self) -> list[Any]:
        """Return what later stages depend on of the later releases."""
        return [self.later.facts] if self.later is not None and self.later.facts else []

    def alternatives(self) -> list[Alternative]:
        """Return the later releases that drafting hears: from outside where they may lack the entry."""
        found = [] if self.later is None else self.later.alternatives(self.work, self.capture)
        if not found or self.outer_side is None:
            return found
        outer = self.outer_side.of_all()
        return [replace(one, outer=outer) for one in found]

    def originals(self) -> Mapping[VersionName, Package]:
        """Return the real releases, bound through original.py."""
        return self._releases(self.scenarios(), self.original()).packages

    def _releases(self, scenarios: str, original: str) -> Releases:
        return self._releases_of(self.capture, scenarios, original)

    def _releases_of(self, capture: Capture, scenarios: str, original: str) -> Releases:
        trees, dependencies = self._version_trees(), self.trees.dependencies
        return Releases.of(
            self.work.runner, capture, trees, dependencies, scenarios, original, self.work.answers
        )

    def warn(self, warnings: Sequence[str]) -> None:
        """Add what the author has to be told, each sentence once."""
        self.warnings += [said for said in warnings if said not in self.warnings]


def _short(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
