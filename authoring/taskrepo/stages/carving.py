"""Move the incident's scenarios to an entry inside the package, where there is one that is worth it.

What is observed there are arguments with which the package's own code called the entry, recorded while outer inputs
ran, so that every input reaches the program through the public API. Each keeps the outer input that it came from.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from authoring.model.capture import Capture, LiftedCheck
from authoring.model.execution import Request
from authoring.model.observation import Compare
from authoring.model.variants import VersionName
from authoring.model.wire import Wire, WireError, sort_key
from authoring.reduction.carve import (
    CarvedEntry,
    Situation,
    choose_entry,
    differing,
    entry_original,
    entry_scenarios,
    recorded,
    relaxed_compare,
)
from authoring.scenario.domain import (
    ChangedCode,
    DomainCut,
    changed_code,
    derive_domain,
    holds,
    with_recorded,
)
from authoring.taskrepo.stages.reduction_inputs import (
    Releases,
    neighbours_of,
    not_among,
    params_by_scenario,
)
from authoring.taskrepo.stages.work import Work

__all__ = ["Inside", "carve", "inner_capture", "inner_releases"]

Row = tuple[str, Wire, Wire]
"""An outer scenario, its parameters, and those that they give the entry."""

_TRIED = 40
"""Outer inputs beside the reproducer's with which entries are tried."""
_OUTER = 2400
"""Outer inputs that are run to record what reaches the entry."""
_AT_ONCE = 200
_ENOUGH = 600
_LENGTH_CAP = 4_000
_FAULTS = 24
"""Recorded inputs at which a version differs, below which more are looked for after a first look around them."""
_TURNS = 3
_AROUND = 400
_SEED = 23


@dataclass(frozen=True, slots=True)
class Inside:
    """An entry inside the package, and what was recorded there."""

    entry: CarvedEntry
    recorded: tuple[Row, ...]
    """What was recorded, each of the entry's parameters once; the reproducer's first."""
    domain: str
    """The text of domain.py: outer scenarios as usual, and the entry's recorded arguments."""
    outer_domain: str = ""
    """The same without the entry."""
    compare: Compare = field(default_factory=Compare)
    """How what is observed there is compared: as strictly as its callers look at it."""

    def scenarios(self, outer: str) -> str:
        """Return the text of scenarios.py with the entry's scenario."""
        return entry_scenarios(outer, self.entry)

    def original(self, outer: str) -> str:
        """Return original.py that binds the entry too."""
        return entry_original(outer, self.entry)

    def without(self, cuts: Sequence[DomainCut]) -> "Inside":
        """Return the same without the recorded arguments that some cut takes."""
        left = tuple(row for row in self.recorded if not any(holds(cut.inputs, row[2]) for cut in cuts))
        domain = with_recorded(self.outer_domain, self.entry.scenario, [inner for _, _, inner in left], cuts)
        return replace(self, recorded=left, domain=domain)


def carve(
    work: Work,
    capture: Capture,
    releases: Releases,
    lifted: Sequence[Request],
    beside: Sequence[Request],
    functions: frozenset[str],
) -> Inside | None:
    """Choose an entry and record what reaches it; None where the package's own interface is the place to look.

    ``releases`` are bound at that interface, ``lifted`` are the reproducer's requests, and ``beside`` further ones that
    were seen; all of them answer these.
    """
    work.progress.phase("look for an entry inside")
    nothing = changed_code(dict.fromkeys(releases.packages, ""))
    seen = [*lifted, *beside]
    around = not_among(seen, neighbours_of(lifted, nothing, _SEED, _TRIED))
    requests = [*seen, *releases.usable(around, limit_hangs=3)]
    situation = Situation(
        work.runner,
        releases.package_how,
        releases.packages,
        requests,
        len(lifted),
        releases.expected(requests),
        capture.bindings,
        functions,
    )
    entry = choose_entry(situation)
    if entry is None:
        return None
    work.progress.phase("record what reaches the entry")
    code = _code_around(releases, entry)
    further = not_among(requests, neighbours_of(seen, code, _SEED, _OUTER))
    found = _recorded(work, releases, entry, [*requests, *further])
    found = _with_faults(work, releases, situation, entry, code, found)
    try:
        scenarios = releases.packages["reference"].scenarios
        outer = derive_domain(params_by_scenario(seen), code, scenarios=scenarios)
        domain = with_recorded(outer, entry.scenario, [inner for _, _, inner in found])
    except WireError:
        return None
    work.progress.phase("see what its callers look at")
    return Inside(entry, found, domain, outer, relaxed_compare(situation, entry, found))


def inner_capture(capture: Capture, inside: Inside) -> Capture:
    """Return the capture as it looks from the entry; a check whose input does not reach it counts as not lifted."""
    known = {(scenario, sort_key(params)): inner for scenario, params, inner in inside.recorded}

    def moved(check: LiftedCheck) -> LiftedCheck:
        inner = known.get((check.scenario, sort_key(check.params)))
        if inner is None:
            return check.model_copy(update={"scenario": "", "params": {"dict": []}})
        return check.model_copy(update={"scenario": inside.entry.scenario, "params": inner, "view": "value"})

    checks = tuple(moved(check) for check in capture.checks)
    return capture.model_copy(update={"checks": checks, "bindings": inside.entry.bindings, "recorded": None})


def _code_around(releases: Releases, entry: CarvedEntry) -> ChangedCode:
    """Return what changed in the module that holds the entry."""
    texts: dict[VersionName, str] = {}
    for version, package in releases.packages.items():
        path = package.tree / entry.file
        texts[version] = path.read_text("utf-8", "replace") if path.is_file() else ""
    return changed_code(texts)


def inner_releases(releases: Releases, inside: Inside) -> Releases:
    """Return the releases with the entry bound."""
    packages = {
        version: replace(
            package, scenarios=inside.scenarios(package.scenarios), original=inside.original(package.original)
        )
        for version, package in releases.packages.items()
    }
    return replace(releases, packages=packages, _known={})


def _with_faults(
    work: Work,
    releases: Releases,
    situation: Situation,
    entry: CarvedEntry,
    code: ChangedCode,
    found: tuple[Row, ...],
) -> tuple[Row, ...]:
    """Return what was recorded, with more around the outer inputs at which a version differs, again while few do.

    A hidden check has to differ from every public one, what is right next to a fault tells the reference from what is
    simpler, and nothing is drawn at an entry inside.
    """
    known = {sort_key(inner) for _, _, inner in found}
    faults = differing(situation, entry, list({sort_key(row[2]): row for row in found}.values()))
    near = faults
    for turn in range(_TURNS):
        if not near or (turn and len(faults) >= _FAULTS):
            break
        outer = [Request(scenario, params) for scenario, params, _ in near]
        around = not_among(outer, neighbours_of(outer, code, _SEED + turn, _AROUND))
        fresh = {sort_key(row[2]): row for row in _recorded(work, releases, entry, around)}
        new = [row for key, row in fresh.items() if key not in known]
        known |= fresh.keys()
        near = differing(situation, entry, new)
        faults = [*faults, *near]
        found = (*found, *new)
    return found


def _recorded(
    work: Work, releases: Releases, entry: CarvedEntry, outer: Sequence[Request]
) -> tuple[Row, ...]:
    """Return what reaches the entry, until there is enough or a batch brings nothing new.

    Of the outer inputs that lead to the same arguments all of the reproducer's are kept, and else the first.
    """
    found: dict[str, Row] = {}
    twins: list[Row] = []
    for start in range(0, len(outer), _AT_ONCE):
        batch = outer[start : start + _AT_ONCE]
        before = len(found)
        params = recorded(work.runner, releases.packages["reference"], entry, batch, releases.package_how)
        for request, inner in zip(batch, params, strict=True):
            if inner is None or len(sort_key(inner)) > _LENGTH_CAP:
                continue
            row = (request.scenario, request.params, inner)
            if found.setdefault(sort_key(inner), row) is not row and start == 0:
                twins.append(row)
        if len(found) >= _ENOUGH or (start and len(found) == before):
            break
        work.progress.step(f"{len(found)} recorded")
    return (*found.values(), *twins)
