"""Whether checks tell right from almost right: mutants of another tool, rewritings, and programs that must fail."""

from dataclasses import dataclass, field, replace

from authoring.model.digest import sha256_hex
from authoring.model.evidence import Record
from authoring.model.task import HiddenChecks
from authoring.scenario.rewrites import rewrites_of
from authoring.taskrepo.commit import RUN_CHECKS
from authoring.taskrepo.stages.contract import how_of
from authoring.taskrepo.stages.work import Work
from authoring.validation.judge import Judge, Judged, Known, program_of
from authoring.validation.laboratory import make_laboratory
from authoring.variants.hardcoded import public_answers
from authoring.variants.material import VariantTask
from tests.measures.committed import Committed
from tests.measures.equivalence import Survivor, told_apart
from tests.measures.foreign import mutmut_mutants

__all__ = ["Strength", "strength"]

_SEED = 15_485_863
_REWRITINGS = 20


@dataclass(slots=True)
class Strength:
    """What was measured of one contract."""

    id: str
    mutants: int = 0
    accepted_public: int = 0
    """Mutants that pass every public check, equivalent ones included."""
    rejected_hidden: int = 0
    """Of these, those that hidden checks reject."""
    rejected_pool: int = 0
    """Of these, those that only the pools reject."""
    equivalent: int = 0
    """Mutants that pass everything and that no input told from the reference."""
    searched: int = 0
    """Inputs on which each of these was tried."""
    survivors: list[Survivor] = field(default_factory=list)
    rewritings: int = 0
    rejected_rewritings: list[str] = field(default_factory=list)
    wrong: dict[str, str] = field(default_factory=dict)
    """Verdicts of programs that must fail, by name: public, then hidden checks and pools."""

    @property
    def share(self) -> float | None:
        """The share of the non-equivalent mutants accepted by the public checks that the rest rejects."""
        rejected = self.rejected_hidden + self.rejected_pool
        known = rejected + len(self.survivors)
        return rejected / known if known else None


class _Forgetful:
    """Evidence that is not kept: every mutant is another program."""

    def find(self, key: str) -> Record | None:
        """Know nothing."""
        return None

    def add(self, record: Record) -> None:
        """Keep nothing."""


@dataclass(slots=True)
class _Tiers:
    """The parts of a task, each judged on its own by the product's judge."""

    public: tuple[VariantTask, Judge]
    hidden: tuple[VariantTask, Judge]
    pools: tuple[VariantTask, Judge]

    @classmethod
    def of(cls, task: VariantTask, judge: Judge) -> "_Tiers":
        def only(public: bool, hidden: bool, pools: bool) -> tuple[VariantTask, Judge]:
            kept = HiddenChecks(
                task=task.hidden.task,
                scenarios_sha256=task.hidden.scenarios_sha256,
                checks=task.hidden.checks if hidden else (),
                pools=task.hidden.pools if pools else (),
            )
            shown = task.public if public else task.public.model_copy(update={"checks": ()})
            return replace(task, public=shown, hidden=kept), replace(
                judge, known=Known(), evidence=_Forgetful()
            )

        return cls(only(True, False, False), only(False, True, False), only(False, False, True))

    def failing(self, source: str) -> str:
        """Return the first part that rejects a program, or nothing."""
        for name, part in (("public", self.public), ("hidden", self.hidden), ("pools", self.pools)):
            if rejected(part, source):
                return name
        return ""


def rejected(part: tuple[VariantTask, Judge], source: str) -> list[str]:
    """Return the questions of a part that a program fails."""
    task, judge = part
    record = judge.judge(Judged(task, program_of(task, source), sha256_hex(source.encode())))
    return [check for check, verdict in record.result.checks if verdict != "pass"]


def strength(one: Committed, work: Work, limit: int = 0) -> Strength:
    """Try mutmut's mutants of the reference (at most ``limit``), rewritings and wrong programs on a contract."""
    base = one.stored.base
    how = how_of(one.stored.capture, one.trees.dependencies)
    laboratory = make_laboratory(
        work.runner, how, work.workspace.key, work.workspace.path("evidence"), RUN_CHECKS
    )
    tiers = _Tiers.of(base, laboratory.judge)
    measured = Strength(one.id)
    if tiers.failing(base.reference):
        raise ValueError(f"the reference of {one.id} fails its own {tiers.failing(base.reference)}")
    unknown = []
    for mutant in mutmut_mutants(base.reference, limit):
        measured.mutants += 1
        failing = tiers.failing(mutant)
        measured.accepted_public += failing != "public"
        measured.rejected_hidden += failing == "hidden"
        measured.rejected_pool += failing == "pools"
        unknown += [] if failing else [mutant]
    if unknown:
        measured.searched, measured.survivors = told_apart(one, work, unknown, how)
        measured.equivalent = len(unknown) - len(measured.survivors)
    for rewriting in rewrites_of(base.reference, _REWRITINGS, _SEED):
        measured.rewritings += 1
        failing = tiers.failing(rewriting.source)
        if failing:
            measured.rejected_rewritings.append(f"{' '.join(rewriting.steps)} by {failing}")
    table = public_answers(base)
    for name, source in (
        ("do-nothing", base.program),
        ("hard-coded", table),
        ("hard negative", base.hard_negative),
    ):
        if source:
            measured.wrong[name] = _verdicts(tiers, source)
    return measured


def _verdicts(tiers: _Tiers, source: str) -> str:
    public, beyond = (
        rejected(tiers.public, source),
        rejected(tiers.hidden, source) or rejected(tiers.pools, source),
    )
    return f"{'fails' if public else 'passes'} public, {'fails' if beyond else 'PASSES'} hidden"
