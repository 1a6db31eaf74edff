"""The main job: the stages of one incident in their order, each done once for the same inputs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import tomlkit

from authoring.contract import Draft, UnfaithfulInputsError, contract_text, merged_text
from authoring.contract.hearing import Alternative
from authoring.execution import find_interpreter
from authoring.incident.capture import Captured, capture
from authoring.incident.obtain import Trees, obtain
from authoring.model.alternatives import Alternatives
from authoring.model.capture import Capture
from authoring.model.contract import Contract, Origin
from authoring.model.digest import sha256_hex
from authoring.model.errors import CannotJudgeError, RefusedError, UsageError
from authoring.model.execution import Package, Request
from authoring.model.variants import Variants, VersionName
from authoring.model.wire import Wire
from authoring.system.clock import commit_date
from authoring.taskrepo.commit import Committed, Publication, commit
from authoring.taskrepo.stages.carving import Inside, inner_capture
from authoring.taskrepo.stages.contract import draft_contract
from authoring.taskrepo.stages.generated import current_text, is_edited, write_generated
from authoring.taskrepo.stages.later import Later, later_of, sentences
from authoring.taskrepo.stages.outer_parts import OuterSide
from authoring.taskrepo.stages.reduce import reduce_incident
from authoring.taskrepo.stages.reduction_inputs import VERSION_OF_SIDE, Releases
from authoring.taskrepo.stages.source import (
    Source,
    incident_toml,
    read_capture,
    remember_source,
    reproducer_name,
)
from authoring.taskrepo.stages.stored import (
    draft_data,
    draft_of,
    inside_data,
    inside_of,
    task_data,
    task_of,
)
from authoring.taskrepo.stages.validate import validate_tasks
from authoring.taskrepo.stages.vary import make_variants
from authoring.taskrepo.stages.verdicts import flats_of, verdicts_of
from authoring.taskrepo.stages.work import Work
from authoring.validation.validate import LaterRelease
from authoring.variants.material import VariantTask

__all__ = ["STAGES", "Job"]

_REDUCTIONS = 4
"""Most reductions of one incident: after the first, with inputs on which the contract found it wrong."""

_COUNTEREXAMPLES = 24

STAGES = ("capture", "reduce", "contract", "vary", "validate", "commit")
"""The stages in their order."""


@dataclass
class Job:
    """One incident's way through the stages in one workspace, which is locked by the caller."""

    work: Work
    source: Source
    date: str = ""
    reviewed_by: str = ""
    warnings: list[str] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The incident's id, which is its contract's too."""
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
        self.warnings += [warning for warning in result["warnings"] if warning not in self.warnings]
        incident = self.source.incident
        folder = f"incidents/{self.id}"
        reproducer = reproducer_name(incident)
        write_generated(self.work, f"{folder}/incident.toml", incident_toml(incident))
        write_generated(self.work, f"{folder}/{reproducer}", result["reproducer"])
        write_generated(self.work, f"{folder}/capture.json", result["document"])
        for name, text in sorted(self.source.attachments.items()):
            write_generated(self.work, f"{folder}/{name}", text)
        remember_source(self.work, self.source)
        write_generated(self.work, self._scenarios_path, self._with_relations(result["scenarios"]))
        write_generated(self.work, self._original_path, self._with_entry(result["original"]))
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
        document = found.capture.model_copy(update={"source_sha256": self.source.sha256})
        return {
            "document": document.to_json().decode("ascii"),
            "scenarios": found.scenarios,
            "original": found.original,
            "reproducer": found.reproducer,
            "origin": self._origin().model_dump(mode="json"),
            "warnings": [f"{warning.code}: {warning.message}" for warning in found.warnings],
        }

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

    def _scenarios(self) -> str:
        """Return the scenarios that the contract starts from, with that of an entry inside the package."""
        outer, inside = self._outer_scenarios(), self.inside
        return outer if inside is None else inside.scenarios(outer)

    def _with_entry(self, captured: str) -> str:
        """Return a captured binding with the entry that a reduction added to this very one before."""
        known = self.work.journal.get("original", self.id)
        is_its = known is not None and known["captured"] == sha256_hex(captured.encode())
        return str(known["text"]) if is_its else captured

    def _keep_entry(self, inside: Inside | None) -> None:
        captured: str = self.captured["original"]
        text = captured if inside is None else inside.original(captured)
        known = {"captured": sha256_hex(captured.encode()), "text": text}
        self.work.journal.put("original", self.id, known)
        write_generated(self.work, self._original_path, text)

    @property
    def inside(self) -> Inside | None:
        """The entry inside the package at which the programs are observed; None: its own interface."""
        return inside_of(self.reduced["inside"])

    @property
    def seen(self) -> Capture:
        """The capture document as it looks from where the programs are observed."""
        inside = self.inside
        return self.capture if inside is None else inner_capture(self.capture, inside)

    def _is_domain_closed(self) -> bool:
        """Tell whether only what domain.py draws is an input: its author edited it, or it holds what was recorded."""
        return self.inside is not None or is_edited(self.work, f"contracts/{self.id}/domain.py")

    def _with_relations(self, captured: str) -> str:
        """Return captured scenarios with the relations that a contract added to these very ones before."""
        known = self.work.journal.get("scenarios", self.id)
        is_theirs = known is not None and known["captured"] == sha256_hex(captured.encode())
        return str(known["text"]) if is_theirs else captured

    def _keep_relations(self, draft: Draft) -> None:
        captured = sha256_hex(self.captured["scenarios"].encode())
        self.work.journal.put("scenarios", self.id, {"captured": captured, "text": draft.scenarios})
        write_generated(self.work, self._scenarios_path, draft.scenarios)

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
        result: dict[str, Any] = self.work.done(
            "reduce",
            self.id,
            [*inputs, domain, known, may_carve],
            lambda: self._reduce(domain, known, may_carve),
        )
        self._keep_entry(inside_of(result["inside"]))
        for version, source in sorted(result["programs"].items()):
            write_generated(self.work, f"contracts/{self.id}/program/{version}.py", source)
        write_generated(self.work, domain_path, result["domain"])
        return result

    def _counterexamples(self) -> list[list[Any]]:
        """Return the inputs on which earlier reductions differed from their releases: scenario and parameters."""
        return list(self.work.journal.get("counterexamples", self.id) or ())

    def _reduce(self, domain: str | None, known: Sequence[Sequence[Any]], may_carve: bool) -> dict[str, Any]:
        reduced = reduce_incident(
            self.work,
            self.capture,
            self._version_trees(),
            self.trees.dependencies,
            self._outer_scenarios(),
            self._outer_original(),
            domain,
            [Request(scenario, params) for scenario, params in known],
            may_carve=may_carve,
        )
        return {**asdict(replace(reduced, inside=None)), "inside": inside_data(reduced.inside)}

    def _version_trees(self) -> dict[VersionName, Path]:
        return {VERSION_OF_SIDE[side]: tree.path for side, tree in self.trees.sides.items()}

    def _program_dependencies(self) -> tuple[Path, ...]:
        """Return the dependencies' folders where the reduced programs still import some, else nothing."""
        return self.trees.dependencies if self.reduced["report"]["third_party"] else ()

    def _programs(self) -> dict[VersionName, str]:
        """Return the reduced programs, as their author left them."""
        versions: list[VersionName] = sorted(self.reduced["programs"])
        return {version: self._text(f"program/{version}.py") for version in versions}

    @cached_property
    def draft(self) -> Draft:
        """What the stage `contract` left; where an entry inside the package allows none, one from outside."""
        try:
            return self._settled_draft()
        except RefusedError:
            if not self._leave_inside():
                raise
            return self._settled_draft()

    def _leave_inside(self) -> bool:
        """Observe the programs at the package's own interface from now on; tell whether they were not yet."""
        if self.inside is None:
            return False
        self.work.journal.put("outside", self.id, True)
        self.__dict__.pop("reduced", None)
        self.__dict__.pop("draft", None)
        return True

    def _settled_draft(self) -> Draft:
        """Draft, and where that finds a reduction wrong on some inputs, reduce again with these."""
        draft = None
        for _ in range(_REDUCTIONS - 1):
            try:
                draft = self._drafted(must_be_faithful=True)
                different: Sequence[tuple[str, Wire]] = draft.counterexamples
            except UnfaithfulInputsError as error:
                draft = None
                different = [(one.scenario, one.params) for one in error.inputs]
            known = self._counterexamples()
            found = [list(each) for each in different if list(each) not in known]
            if not found:
                break
            self.work.journal.put("counterexamples", self.id, [*known, *found[:_COUNTEREXAMPLES]])
            self.__dict__.pop("reduced", None)
            draft = None
        draft = draft or self._drafted()
        verdicts_of(self.work.journal, self.id).clear()
        flats_of(self.work.journal, self.id).clear()
        return draft

    def _drafted(self, *, must_be_faithful: bool = False) -> Draft:
        programs = self._programs()
        contract_path = f"contracts/{self.id}/contract.toml"
        author = self._author(contract_path)
        domain_edited = self._is_domain_closed()
        inputs = [
            self.captured["document"],
            self.captured["origin"],
            dict(programs),
            self._scenarios(),
            self._text("domain.py"),
            author.model_dump(mode="json", by_alias=True) if author else None,
            sha256_hex(self.work.workspace.key),
            *self._later_facts(),
        ]
        data = self.work.done(
            "contract",
            self.id,
            inputs,
            lambda: draft_data(self._draft(programs, author, domain_edited, must_be_faithful)),
        )
        draft = draft_of(data)
        self._keep_relations(draft)
        self._tell_later(draft)
        text = (
            merged_text(draft.contract, self._text("contract.toml"))
            if author
            else contract_text(draft.contract)
        )
        write_generated(self.work, contract_path, text)
        write_generated(self.work, f"contracts/{self.id}/prompt.md.j2", draft.prompt_template)
        if draft.hard_negative and "hard_negative" not in programs:
            path = f"contracts/{self.id}/program/hard_negative.py"
            write_generated(self.work, path, draft.hard_negative)
        return draft

    def _author(self, path: str) -> Contract | None:
        if not is_edited(self.work, path):
            return None
        try:
            content = tomlkit.parse(self._text("contract.toml")).unwrap()
            return Contract.model_validate(content, strict=False)
        except ValueError as error:
            raise UsageError(
                "CTR020",
                f"contracts/{self.id}/contract.toml cannot be read: {str(error).splitlines()[0]}.",
                "Mend it, or delete it to have it drafted anew.",
                stage="contract",
            ) from error

    def _draft(
        self,
        programs: Mapping[VersionName, str],
        author: Contract | None,
        domain_edited: bool,
        must_be_faithful: bool,
    ) -> Draft:
        draft = draft_contract(
            self.work,
            self.source.incident,
            self.seen,
            programs,
            self._scenarios(),
            self._text("domain.py"),
            Origin.model_validate_json(json.dumps(self.captured["origin"])),
            originals=self._originals(),
            alternatives=self._alternatives(),
            dependencies=self.trees.dependencies,
            author=author,
            is_domain_edited=domain_edited,
            is_inside=self.inside is not None,
            must_be_faithful=must_be_faithful,
        )
        outer = self._outer_side()
        return draft if outer is None else outer.of_draft(draft)

    def _outer_side(self) -> OuterSide | None:
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

    def _later_facts(self) -> list[Any]:
        return [self.later.facts] if self.later is not None and self.later.facts else []

    def _alternatives(self) -> list[Alternative]:
        """Return the later releases that drafting hears: none at an entry inside the package, which they may lack."""
        if self.later is None or self.inside is not None:
            return []
        return self.later.alternatives(self.work, self.capture)

    @property
    def later_document(self) -> Alternatives | None:
        """What came of every later release so far."""
        return self._later_document(self.draft)

    def _later_document(self, draft: Draft) -> Alternatives | None:
        if self.later is None:
            return None
        failing = self.work.journal.get("later", self.id) or {}
        return self.later.concluded(draft.facts.later, failing)

    def _tell_later(self, draft: Draft) -> None:
        """Leave beside the contract what came of later releases, and warn of what its author should know."""
        document = self._later_document(draft)
        if document is None:
            return
        write_generated(
            self.work, f"contracts/{self.id}/alternatives.json", document.to_json().decode("ascii")
        )
        self.warnings += [said for said in sentences(document) if said not in self.warnings]

    def _originals(self) -> Mapping[VersionName, Package]:
        """Return the real releases, bound through original.py."""
        return self._releases(self._scenarios(), self._text("original.py")).packages

    def _releases(self, scenarios: str, original: str) -> Releases:
        trees, dependencies = self._version_trees(), self.trees.dependencies
        return Releases.of(self.work.runner, self.capture, trees, dependencies, scenarios, original)

    @cached_property
    def tasks(self) -> tuple[VariantTask, ...]:
        """What the stage `vary` left."""
        try:
            data = self._varied()
        except RefusedError:
            if not self._leave_inside():
                raise
            data = self._varied()
        self.warnings += [warning for warning in data["warnings"] if warning not in self.warnings]
        write_generated(self.work, f"contracts/{self.id}/source.py.j2", data["template"])
        write_generated(self.work, f"contracts/{self.id}/variants.toml", data["variants"])
        return tuple(task_of(task) for task in data["tasks"])

    def _varied(self) -> dict[str, Any]:
        draft, programs = self.draft, self._programs()
        inputs = [draft_data(draft), dict(programs), self._text("prompt.md.j2")]
        varied: dict[str, Any] = self.work.done("vary", self.id, inputs, lambda: self._vary(programs))
        return varied

    def _vary(self, programs: Mapping[VersionName, str]) -> dict[str, Any]:
        variation = make_variants(
            self.work,
            self.seen,
            self.draft,
            programs,
            self.draft.scenarios,
            self._program_dependencies(),
            is_domain_edited=self._is_domain_closed(),
        )
        outer = self._outer_side()
        tasks = variation.tasks if outer is None else [outer.of_task(task) for task in variation.tasks]
        return {
            "template": variation.template,
            "variants": _variants_toml(variation.variants),
            "tasks": [task_data(task) for task in tasks],
            "warnings": list(variation.warnings),
        }

    @cached_property
    def validated(self) -> dict[str, Any]:
        """What the stage `validate` left: ``records``, ``flake_bounds``, ``counts``."""
        inputs = [*(task_data(task) for task in self.tasks), *self._later_facts()]
        result: dict[str, Any] = self.work.done("validate", self.id, inputs, self._validate)
        self.work.journal.put("later", self.id, result["later"])
        self._tell_later(self.draft)
        return result

    def _validate(self) -> dict[str, Any]:
        found = validate_tasks(self.work, self.capture, self.tasks, *self._beside())
        complaints = [each for each in found.complaints if not each.release]
        if complaints:
            first = complaints[0]
            raise RefusedError(
                first.code,
                f"{first.task}: {first.message}.",
                f"{len(complaints)} cells do not hold; see `authoring explain {first.code}`.",
                stage="validate",
            )
        return {
            "records": found.records,
            "flake_bounds": found.flake_bounds,
            "counts": found.counts,
            "later": {each.release: each.message for each in found.complaints if each.release},
        }

    def _beside(self) -> tuple[tuple[Path, ...], tuple[LaterRelease, ...]]:
        """Return the dependencies that are bound while validating, and the later releases that are judged too."""
        outside = [one.label for one in self.draft.facts.later.releases if one.verdict == "outside"]
        later: tuple[LaterRelease, ...] = ()
        if self.later is not None and self.later.facts:
            later = self.later.releases(self.work, self.capture, outside)
        return (self.trees.dependencies if later else self._program_dependencies()), later

    @cached_property
    def committed(self) -> Committed:
        """What the stage `commit` did."""
        keys = sorted({key for keys in self.validated["records"].values() for key in keys})
        self.work.progress.phase("commit")
        return commit(
            self.work.workspace,
            Publication(
                incident=self.id,
                tasks=self.tasks,
                evidence=tuple(keys),
                files=self._files(),
                date=self._date(),
                reviewed_by=self.reviewed_by or self.work.settings.reviewed_by,
            ),
        )

    def _date(self) -> datetime:
        """Return the commits' date; the one of a run that was interrupted stays, so that it ends the same."""
        known = self.work.journal.get("date", self.id)
        if known is None:
            known = commit_date(self.source.incident.discovered, self.date).isoformat()
            self.work.journal.put("date", self.id, known)
        return datetime.fromisoformat(known)

    def _files(self) -> dict[str, bytes]:
        """Return the private files of the incident and its contract, by path."""
        root = self.work.workspace.root
        return {
            str(path.relative_to(root)): path.read_bytes()
            for folder in ("incidents", "contracts")
            for path in sorted((root / folder / self.id).rglob("*"))
            if path.is_file() and not path.name.endswith((".new", ".partial"))
        }

    def until(self, stage: str) -> None:
        """Do the stages up to and with ``stage``; what is done for the same inputs is not done again."""
        for name, attribute in zip(STAGES, _ATTRIBUTES, strict=True):
            getattr(self, attribute)
            if name == stage:
                return


_ATTRIBUTES = ("captured", "reduced", "draft", "tasks", "validated", "committed")


def _variants_toml(variants: Variants) -> str:
    data = variants.model_dump(mode="json", exclude_defaults=False)
    return tomlkit.dumps(data)


def _short(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
