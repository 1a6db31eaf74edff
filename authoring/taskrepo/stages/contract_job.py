"""One contract's way through the stages from `contract` to `commit`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import tomlkit

from authoring.contract import Beside, Draft, Wording, contract_text, merged_text, reworded
from authoring.contract.pools import POOL_SIZE
from authoring.model.alternatives import Alternatives
from authoring.model.capture import Capture
from authoring.model.contract import Contract, Origin
from authoring.model.digest import sha256_hex
from authoring.model.errors import RefusedError, UsageError
from authoring.model.execution import Package
from authoring.model.task import Check
from authoring.model.variants import Variants, VersionName
from authoring.scenario.inputs import Input, in_order
from authoring.taskrepo.commit import Publication
from authoring.taskrepo.stages.contract import draft_contract
from authoring.taskrepo.stages.generated import current_text, is_edited, write_generated
from authoring.taskrepo.stages.incident_job import IncidentJob
from authoring.taskrepo.stages.later import sentences
from authoring.taskrepo.stages.reduction_inputs import lifted_requests
from authoring.taskrepo.stages.separate import REPAIRED, Part, capture_of_part
from authoring.taskrepo.stages.settling import settle
from authoring.taskrepo.stages.stored import draft_data, task_data, task_of
from authoring.taskrepo.stages.validate import validate_tasks
from authoring.taskrepo.stages.vary import make_variants
from authoring.validation.validate import LaterRelease
from authoring.variants.material import Material, VariantTask
from authoring.variants.worded import base_constants, in_words

__all__ = ["ContractJob"]


@dataclass(eq=False)
class ContractJob:
    """A contract of one part of an incident; the stages before are the incident's."""

    job: IncidentJob
    part: Part
    siblings: "list[ContractJob]" = field(default_factory=list, repr=False)
    """All contracts of the incident in their order, this one too."""
    _draft: Draft | None = None
    _settled: Draft | None = field(default=None, repr=False)
    """The draft without an author's words."""
    _told: Wording | None = field(default=None, repr=False)
    """What his words are to it."""

    def __post_init__(self) -> None:
        self.work = self.job.work

    @property
    def _key(self) -> str:
        """The key of the contract's facts in the journal: the incident's id, and which part it is."""
        return f"{self.job.id}/{self.part.key}" if self.part.key else self.job.id

    @property
    def known_id(self) -> str:
        """The contract's id: the incident's; of one of several it is known once the contract was drafted."""
        return str(self.work.journal.get("contract-id", self._key) or "") if self.part.key else self.job.id

    @property
    def id(self) -> str:
        """The id of the drafted contract."""
        return self.draft.contract.id

    @property
    def draft(self) -> Draft:
        """What :meth:`make_draft` left."""
        if self._draft is None:
            raise LookupError("the contract is not drafted yet")
        return self._draft

    @property
    def _earlier(self) -> "list[ContractJob]":
        return self.siblings[: self.siblings.index(self)]

    def _made(self, name: str, made: str) -> str:
        """Return a file of the contract's folder as its author left it, else what was made for it."""
        path = f"contracts/{self.known_id}/{name}"
        return current_text(self.work, path) if self.known_id and is_edited(self.work, path) else made

    def _programs(self) -> dict[VersionName, str]:
        """Return the contract's programs, as their author left them."""
        versions: list[VersionName] = sorted(self.part.programs)
        return {name: self._made(f"program/{name}.py", self.part.programs[name]) for name in versions}

    @property
    def _repaired(self) -> str:
        """The source with every fault of the incident repaired, as its author left it; empty: it has one contract."""
        return self._made(REPAIRED, self.part.repaired) if self.part.key else ""

    @property
    def _scenarios(self) -> str:
        """The scenarios that the contract starts from."""
        made = self.job.scenarios()
        return self._made("scenarios.py", made) if self.part.key else made

    @property
    def _domain(self) -> str:
        return self._made("domain.py", self.job.domain())

    def _is_domain_closed(self) -> bool:
        """Tell whether only what domain.py draws is an input: its author edited it, or it holds what was recorded."""
        path = f"contracts/{self.known_id}/domain.py"
        return self.job.is_domain_closed() or (bool(self.known_id) and is_edited(self.work, path))

    def _are_scenarios_edited(self) -> bool:
        """Tell whether the contract starts from scenarios that their author edited."""
        ids = {self.job.id, self.known_id} - {""}
        return any(is_edited(self.work, f"contracts/{each}/scenarios.py") for each in ids)

    @property
    def _capture(self) -> Capture:
        return capture_of_part(self.job.seen, self.part)

    def make_draft(self, *, must_be_faithful: bool = False) -> Draft:
        """Do the stage `contract` in memory; what was drafted for the same inputs is taken again.

        Words are none of these inputs: an author's are put on what was drafted without them. Raises
        UnfaithfulInputsError where the draft has to be faithful and a program is seen to differ from its release.
        """
        programs, author, job = self._programs(), self._author(), self.job
        inputs = [
            job.captured["document"],
            job.captured["origin"],
            dict(programs),
            self._scenarios,
            self._domain,
            sha256_hex(self.work.workspace.key),
            *job.later_facts(),
            *self._part_facts(),
            *(
                {}
                if job.inside is None
                else job.inside.compare.model_dump(mode="json", exclude_defaults=True)
            ).items(),
        ]
        self._settled, self._told = settle(
            self.work,
            self._key,
            author,
            inputs,
            lambda asked: self._drafted(programs, asked, must_be_faithful),
        )
        names = [binding.name for binding in self._capture.bindings]
        self._draft = self._settled if author is None else reworded(self._settled, self._told, names)
        return self._draft

    def _part_facts(self) -> list[Any]:
        beside = self._beside()
        return [] if beside is None else [self.part.others, beside.repaired, sorted(beside.taken), beside.ids]

    def _beside(self) -> Beside | None:
        """Return what the contract has to know of the incident's other faults; None: it is about all of it."""
        if not self.part.key:
            return None
        shared = {
            Input(one.scenario, in_order(one.params), one.line_events).key
            for one in lifted_requests(self.job.seen)
        }
        shown = {
            Input(check.scenario, check.params, check.line_events).key
            for one in self._earlier
            for check in (*one.draft.public, *one.draft.hidden)
        }
        pooled = {
            Input(pool.scenario, in_order(params)).key
            for one in self._earlier
            for pool in one.draft.pools
            if len(pool.inputs) >= POOL_SIZE  # a smaller one holds all of its domain, and would leave nothing
            for params in pool.inputs
        }
        taken = frozenset((shown | pooled) - shared)
        return Beside(self._repaired, taken, tuple(one.id for one in self._earlier))

    def _author(self) -> Contract | None:
        path = f"contracts/{self.known_id}/contract.toml"
        if not self.known_id or not is_edited(self.work, path):
            return None
        try:
            content = tomlkit.parse(current_text(self.work, path)).unwrap()
            return Contract.model_validate(content, strict=False)
        except ValueError as error:
            raise UsageError(
                "CTR020",
                f"{path} cannot be read: {str(error).splitlines()[0]}.",
                "Mend it, or delete it to have it drafted anew.",
                stage="contract",
            ) from error

    def _drafted(
        self, programs: Mapping[VersionName, str], author: Contract | None, must_be_faithful: bool
    ) -> Draft:
        job, capture = self.job, self._capture
        asked = lifted_requests(capture)
        draft = draft_contract(
            self.work,
            job.source.incident,
            capture,
            programs,
            self._scenarios,
            self._domain,
            Origin.model_validate_json(json.dumps(job.captured["origin"])),
            originals=self._originals(),
            alternatives=job.alternatives(),
            dependencies=job.trees.dependencies,
            author=author,
            is_domain_edited=self._is_domain_closed(),
            is_scenarios_edited=self._are_scenarios_edited(),
            inside=None if job.inside is None else job.inside.entry,
            compares={} if job.inside is None else {job.inside.entry.scenario: job.inside.compare},
            must_be_faithful=must_be_faithful,
            bounds=[one for one in job.bounds if one.requests[0] in asked],
            contract_id=self.known_id,
            beside=self._beside(),
        )
        outer = job.outer_side
        return draft if outer is None else outer.of_draft(draft)

    def _originals(self) -> Mapping[VersionName, Package]:
        """Return the real releases that the programs are made of; an attempt that was cut has none."""
        originals = self.job.originals()
        if self.part.is_attempt_cut:
            return {version: one for version, one in originals.items() if version != "hard_negative"}
        return originals

    def write(self) -> None:
        """Leave the drafted contract in its folder; what its author edited stays."""
        draft = self.draft
        self.work.journal.put("contract-id", self._key, draft.contract.id)
        author = self._author()
        if self.part.key:
            self._write_shared()
        self.job.keep_relations(self.id, draft.scenarios)
        self._tell_later()
        text = (
            merged_text(draft.contract, self._text("contract.toml"))
            if author
            else contract_text(draft.contract)
        )
        self._write("contract.toml", text)
        self._write("prompt.md.j2", draft.prompt_template)
        if draft.hard_negative and "hard_negative" not in self.part.programs:
            self._write("program/hard_negative.py", draft.hard_negative)

    def _write_shared(self) -> None:
        """Write what a contract of a whole incident has from the stages before."""
        for version, source in sorted(self.part.programs.items()):
            self._write(f"program/{version}.py", source)
        self._write(REPAIRED, self.part.repaired)
        self._write("domain.py", self.job.domain())
        self._write("original.py", self.job.original())

    def _write(self, name: str, text: str) -> None:
        write_generated(self.work, f"contracts/{self.id}/{name}", text)

    def _text(self, name: str) -> str:
        return current_text(self.work, f"contracts/{self.id}/{name}")

    @property
    def later_document(self) -> Alternatives | None:
        """What came of every later release so far."""
        if self.job.later is None:
            return None
        failing = self.work.journal.get("later", self._key) or {}
        return self.job.later.concluded(self.draft.facts.later, failing)

    def _tell_later(self) -> None:
        """Leave beside the contract what came of later releases, and warn of what its author should know."""
        document = self.later_document
        if document is None:
            return
        self._write("alternatives.json", document.to_json().decode("ascii"))
        self.job.warn(sentences(document))

    @cached_property
    def tasks(self) -> tuple[VariantTask, ...]:
        """What the stage `vary` left."""
        programs, taken, draft, told = self._programs(), self._taken(), *self._in_plain_words()
        inputs = [draft_data(draft), dict(programs), *self._taken_facts(taken)]
        data = self.work.done("vary", self._key, inputs, lambda: self._varied(draft, programs, taken))
        self.job.warn(data["warnings"])
        self._write("source.py.j2", data["template"])
        self._write("variants.toml", data["variants"])
        prompt, constants = (
            self._text("prompt.md.j2"),
            base_constants(Material.of(draft, programs, "").programs),
        )
        return tuple(in_words(task_of(task), told, prompt, constants) for task in data["tasks"])

    def _in_plain_words(self) -> tuple[Draft, Wording]:
        """Return the draft that variants are made of, and the words that are put on them."""
        if self._settled is None or self._told is None:
            raise LookupError("the contract is not drafted yet")
        contract = self._settled.contract.model_copy(update={"tier": self._told.contract.tier})
        return replace(self._settled, contract=contract), self._told

    def _taken(self) -> tuple[Check, ...]:
        """Return the checks of the incident's other contracts: all drafts', and the variants' of those before."""
        others = [one for one in self.siblings if one is not self]
        drafted = [check for one in others for check in (*one.draft.public, *one.draft.hidden)]
        varied = [
            check
            for one in self._earlier
            for task in one.tasks
            for check in (*task.public.checks, *task.hidden.checks)
        ]
        return (*drafted, *varied)

    def _taken_facts(self, taken: Sequence[Check]) -> list[Any]:
        dumped = [check.model_dump(mode="json") for check in taken]
        return [dumped, self._repaired] if self.part.key else []

    def _varied(
        self, draft: Draft, programs: Mapping[VersionName, str], taken: tuple[Check, ...]
    ) -> dict[str, Any]:
        variation = make_variants(
            self.work,
            self._capture,
            draft,
            programs,
            draft.scenarios,
            self.job.program_dependencies(),
            is_domain_edited=self._is_domain_closed(),
            repaired=self._repaired,
            taken=taken,
        )
        outer = self.job.outer_side
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
        inputs = [*(task_data(task) for task in self.tasks), *self.job.later_facts()]
        result: dict[str, Any] = self.work.done("validate", self._key, inputs, self._validate)
        self.work.journal.put("later", self._key, result["later"])
        self._tell_later()
        return result

    def _validate(self) -> dict[str, Any]:
        found = validate_tasks(self.work, self.job.capture, self.tasks, *self._judged_beside())
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

    def _judged_beside(self) -> tuple[tuple[Path, ...], tuple[LaterRelease, ...]]:
        """Return the dependencies that are bound while validating, and the later releases that are judged too."""
        job = self.job
        outside = [one.label for one in self.draft.facts.later.releases if one.verdict == "outside"]
        later: tuple[LaterRelease, ...] = ()
        if job.later is not None and job.later.facts:
            later = job.later.releases(self.work, job.capture, outside)
        return (job.trees.dependencies if later else job.program_dependencies()), later

    def publication(self, date: datetime, reviewed_by: str) -> Publication:
        """Return all that the stage `commit` commits."""
        keys = sorted({key for keys in self.validated["records"].values() for key in keys})
        return Publication(
            incident=self.job.id,
            tasks=self.tasks,
            evidence=tuple(keys),
            files=self._files(),
            date=date,
            reviewed_by=reviewed_by,
        )

    def _files(self) -> dict[str, bytes]:
        """Return the private files of the incident and its contract, by path."""
        root = self.work.workspace.root
        folders = [f"incidents/{self.job.id}", f"contracts/{self.job.id}", f"contracts/{self.id}"]
        return {
            str(path.relative_to(root)): path.read_bytes()
            for folder in folders
            for path in sorted((root / folder).rglob("*"))
            if path.is_file() and not path.name.endswith((".new", ".partial"))
        }


def _variants_toml(variants: Variants) -> str:
    data = variants.model_dump(mode="json", exclude_defaults=False)
    return tomlkit.dumps(data)
