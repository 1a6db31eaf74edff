"""The main job: the stages of one incident in their order, each done once for the same inputs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from authoring.contract import UnfaithfulInputsError
from authoring.model.errors import RefusedError
from authoring.model.variants import VersionName
from authoring.model.wire import Wire
from authoring.system.clock import commit_date
from authoring.taskrepo.commit import Committed, audit, commit
from authoring.taskrepo.stages.contract import how_of
from authoring.taskrepo.stages.contract_job import ContractJob
from authoring.taskrepo.stages.generated import forget_generated
from authoring.taskrepo.stages.incident_job import IncidentJob
from authoring.taskrepo.stages.separate import PARTS, Part, separate, whole
from authoring.taskrepo.stages.verdicts import flats_of, verdicts_of, ways_of
from authoring.variants.material import VariantTask

__all__ = ["STAGES", "Job"]

_REDUCTIONS = 6
"""Most reductions of one incident: after the first, with inputs on which the contract found it wrong."""

_COUNTEREXAMPLES = 24

STAGES = ("capture", "reduce", "contract", "vary", "validate", "commit")
"""The stages in their order."""


@dataclass
class Job(IncidentJob):
    """One incident's way through all stages: what is done for the incident, then each of its contracts'."""

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """What the incident's contracts are about: all of it, or an independent fault each.

        It stays one where it was committed as one, or where the contracts of its faults were refused.
        """
        programs = self._programs()
        is_one = self.work.journal.get("one", self.id) or self.work.workspace.path("hidden", self.id).is_dir()
        if is_one:
            return (whole(programs),)
        domain, scenarios = self.domain(), self.scenarios()
        seen = self.seen.model_dump(mode="json")
        data = self.work.done(
            "separate",
            self.id,
            [seen, dict(programs), scenarios, domain],
            lambda: PARTS.dump_python(self._separated(programs, scenarios, domain), mode="json"),
        )
        return PARTS.validate_json(json.dumps(data))

    def _separated(
        self, programs: Mapping[VersionName, str], scenarios: str, domain: str
    ) -> tuple[Part, ...]:
        how = how_of(self.capture, self.program_dependencies())
        work = self.work
        return separate(work.runner, work.progress, self.seen, programs, scenarios, domain, how)

    @cached_property
    def contracts(self) -> tuple[ContractJob, ...]:
        """The incident's contracts, drafted: what the stage `contract` left."""
        while True:
            try:
                contracts = self._settled()
                break
            except RefusedError:
                if not self._step_back():
                    raise
        for one in contracts:
            one.write()
        return contracts

    def _step_back(self) -> bool:
        """Take what asks less of the programs where a contract was refused; tell whether there is something.

        First one contract for all faults, then programs that are observed at the package's own interface. What was
        committed stands: an incident of which a part was is not made one contract any more.
        """
        if self._is_part_committed():
            return False
        if len(self.parts) > 1:
            self.work.journal.put("one", self.id, True)
            self._forget("parts", "contracts")
            return True
        if self.inside is None:
            return False
        self.work.journal.put("outside", self.id, True)
        self._forget("reduced", "inside", "outer_side", "seen", "parts", "contracts")
        return True

    def _is_part_committed(self) -> bool:
        """Tell whether one of several contracts stands: then they are not made one any more."""
        return len(self.parts) > 1 and any(self.work.workspace.path("hidden").glob(f"{self.id}--*"))

    def _forget(self, *names: str) -> None:
        for name in names:
            self.__dict__.pop(name, None)

    def _settled(self) -> tuple[ContractJob, ...]:
        """Draft, and where that finds a reduction wrong on some inputs, reduce again with these."""
        contracts: tuple[ContractJob, ...] = ()
        for _ in range(_REDUCTIONS - 1):
            try:
                contracts = self._drafted(must_be_faithful=True)
                different: Sequence[tuple[str, Wire, int | None]] = [
                    each for one in contracts for each in one.draft.counterexamples
                ]
            except UnfaithfulInputsError as error:
                contracts = ()
                different = [(one.scenario, one.params, one.line_events) for one in error.inputs]
            known = self._counterexamples()
            found = [list(each) for each in different if list(each) not in known]
            if not found:
                break
            self.work.journal.put("counterexamples", self.id, [*known, *found[:_COUNTEREXAMPLES]])
            self._forget("reduced", "inside", "outer_side", "seen", "parts")
            contracts = ()
        contracts = contracts or self._drafted()
        for kept in (verdicts_of, flats_of, ways_of):
            kept(self.work.journal, self.id).clear()
        return contracts

    def _drafted(self, *, must_be_faithful: bool = False) -> tuple[ContractJob, ...]:
        contracts = [ContractJob(self, part) for part in self.parts]
        for one in contracts:
            one.siblings = contracts
            one.make_draft(must_be_faithful=must_be_faithful)
        return tuple(contracts)

    @cached_property
    def tasks(self) -> tuple[VariantTask, ...]:
        """What the stage `vary` left, of all contracts."""
        while True:
            contracts = self.contracts
            try:
                return tuple(task for one in contracts for task in one.tasks)
            except RefusedError:
                if not self._given_up(contracts):
                    raise

    def _given_up(self, contracts: Sequence[ContractJob]) -> bool:
        """Take a step back from drafted contracts; tell whether there was one."""
        if self._is_part_committed():
            return False
        # before the step is remembered: a rerun after a crash would not look for them any more
        for one in contracts:
            if one.id != self.id:
                forget_generated(self.work, f"contracts/{one.id}")
        return self._step_back()

    @cached_property
    def validated(self) -> tuple[dict[str, Any], ...]:
        """What the stage `validate` left, by contract."""
        self.until("vary")
        return tuple(one.validated for one in self.contracts)

    @cached_property
    def committed(self) -> tuple[Committed, ...]:
        """What the stage `commit` did, by contract: each is whole in both repositories before the next begins.

        None is committed where any shows what another hides: faults that cannot be told apart so are one contract's.
        """
        self.until("validate")
        self.work.progress.phase("commit")
        reviewer = self.reviewed_by or self.work.settings.reviewed_by
        publications = [one.publication(self._date(), reviewer) for one in self.contracts]
        if len(publications) > 1:  # one alone is audited where it is committed
            try:
                audit(self.work.workspace, publications)
            except RefusedError as error:
                if error.code != "TSK003" or not self._given_up(self.contracts):
                    raise
                self._forget("tasks", "validated")
                return self.committed
        return tuple(commit(self.work.workspace, one) for one in publications)

    def _date(self) -> datetime:
        """Return the commits' date; the one of a run that was interrupted stays, so that it ends the same."""
        known = self.work.journal.get("date", self.id)
        if known is None:
            known = commit_date(self.source.incident.discovered, self.date).isoformat()
            self.work.journal.put("date", self.id, known)
        return datetime.fromisoformat(known)

    def until(self, stage: str) -> None:
        """Do the stages up to and with ``stage``; what is done for the same inputs is not done again."""
        for name, attribute in zip(STAGES, _ATTRIBUTES, strict=True):
            getattr(self, attribute)
            if name == stage:
                return


_ATTRIBUTES = ("captured", "reduced", "contracts", "tasks", "validated", "committed")
