"""The stage `reduce`: from captured releases to the smallest programs, and the domain that they hold on."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from pydantic import TypeAdapter

from authoring.contract.bench import CALL_CPU_S
from authoring.incident.annotated import allowed_by_annotations
from authoring.model.capture import Capture
from authoring.model.digest import value_digest
from authoring.model.errors import RefusedError
from authoring.model.execution import Died, Hung, Observed, Outcome, Refused, Request
from authoring.model.observation import Compare
from authoring.model.variants import VersionName
from authoring.model.wire import Wire, WireError
from authoring.reduction.asking import first_unexpected, observe_expecting
from authoring.reduction.covering import covering
from authoring.reduction.executed_size import executed_size
from authoring.reduction.flatten.answers import Answer, Faithful, Unfaithful
from authoring.reduction.flatten.flatten import flatten_versions
from authoring.reduction.flatten.program import FlatProgram
from authoring.reduction.flatten.stand_ins import with_stand_ins
from authoring.reduction.oracle import Budget, UnfaithfulError
from authoring.reduction.reduce import Counterexample, PhaseReport, Reduction, Search, Way, reduce
from authoring.reduction.sources.evidence import Executed, executed
from authoring.scenario.domain import ChangedCode, DomainCut, Membership, changed_code, derive_domain
from authoring.scenario.inputs import is_same, nearly_too_deep, thrifty
from authoring.system.extensions import without_extensions
from authoring.taskrepo.stages.best import best_of
from authoring.taskrepo.stages.bounds import Bounded, around, bounded_capture, bounds_of
from authoring.taskrepo.stages.carving import Inside, carve, inner_capture, inner_releases
from authoring.taskrepo.stages.cutting import Cutting, Narrowed, left_of
from authoring.taskrepo.stages.reduction_inputs import (
    VERSION_OF_SIDE,
    Releases,
    failing_requests,
    gathered,
    lifted_requests,
    neighbours_of,
    not_among,
    place_of,
    recorded_requests,
    types_of,
)
from authoring.taskrepo.stages.stored import inside_data, inside_of
from authoring.taskrepo.stages.tables import probes_of, scalars_of
from authoring.taskrepo.stages.verdicts import flats_of, packed, unpacked, verdicts_of, ways_of
from authoring.taskrepo.stages.work import Work

__all__ = ["Reduced", "reduce_incident"]

_DRAWN = 24
"""Inputs drawn for the oracle, all scenarios together."""
_SEARCHED = 800
"""Inputs with which a phase's end is attacked, at most."""
_SEARCHED_FIRST = 50
"""How many of them are asked at once, twice as many each time: every asking imports the releases anew."""
_SEARCHED_HANGS = 30
"""Hangs among them after which no more of them are asked for: each costs a release its whole budget."""
_COVERING = 40
"""Attacks that are asked in every trial, at most."""
_GLANCED = 160
"""Attacks that are asked after every few edits, at most."""
_HANGS = 3
_KNOWN_HANGS = 12
"""The same of inputs on which an earlier reduction was wrong: each of them has to be asked to be mended."""
_WRONG = 60
"""Inputs on which flat programs were wrong that the next ones are asked about while they are made, at most."""
_UNSTEADY = 40
"""Inputs that are left out for answering now so and now so, at most."""
_SEED = 20


@dataclass(frozen=True, slots=True)
class _Earlier:
    """How far a reduction of the same texts came."""

    known: tuple[str, ...]
    """Places of the inputs that a contract had found wrong before."""
    trials: int
    way: Way
    phases: tuple[PhaseReport, ...] = ()
    cache_hits: int = 0
    accepted: int = 0
    refusals: Mapping[str, int] = field(default_factory=dict)

    def and_then(self, later: Reduction) -> Reduction:
        """Return a reduction that went on from here with the cost of both."""
        return replace(
            later,
            trials=self.trials + later.trials,
            cache_hits=self.cache_hits + later.cache_hits,
            accepted=self.accepted + later.accepted,
            refusals=dict(sorted((Counter(self.refusals) + Counter(later.refusals)).items())),
            phases=(
                *self.phases,
                *(replace(one, name=f"again: {one.name}") if self.phases else one for one in later.phases),
            ),
        )


_EARLIER: TypeAdapter[_Earlier] = TypeAdapter(_Earlier)
_FLATS: TypeAdapter[dict[VersionName, FlatProgram]] = TypeAdapter(dict[VersionName, FlatProgram])
_NAMES: dict[str, VersionName] = {version: version for version in VERSION_OF_SIDE.values()}


@dataclass(frozen=True, slots=True)
class Reduced:
    """What the stage gives."""

    programs: dict[VersionName, str]
    domain: str
    """The text of domain.py."""
    sizes: dict[VersionName, dict[str, int]]
    """By version: ``executed_in_functions``, ``executed``, ``reduced``."""
    trials: int
    report: dict[str, object]
    """How it went, as JSON data: phases, refusals by kind, cache hits, third-party modules."""
    inside: Inside | None = None
    """The entry inside the package at which the programs are observed; None: the package's own interface."""
    bounds: tuple[Bounded, ...] = ()
    """What is asked in place of those checks that tell the versions apart by what a call costs."""


def reduce_incident(
    work: Work,
    capture: Capture,
    trees: Mapping[VersionName, Path],
    dependencies: Sequence[Path],
    scenarios: str,
    original: str,
    domain: str | None = None,
    known: Sequence[Request] = (),
    *,
    may_carve: bool = False,
    accept_cuts: bool = False,
) -> Reduced:
    """Reduce the captured versions together; ``domain`` is the author's own domain.py where there is one.

    Where the releases answer the same without their compiled modules, what stands in for these is what is reduced.
    ``known`` are inputs on which an earlier reduction differed from its release; ``may_carve``: look for an entry
    inside the package; ``accept_cuts``: cut off the domain what saves much. Raises RefusedError RED… where no
    faithful program is found.
    """
    releases = Releases.of(work.runner, capture, trees, dependencies, scenarios, original, work.answers)
    pure = _without_compiled(work, capture, releases, trees, dependencies)
    if pure is not None:
        releases, trees, dependencies = pure

    def steps(run: _Standing, may_carve: bool) -> "_Reducing":
        return _Reducing(work, capture, trees, releases, run, domain, known, may_carve, accept_cuts)

    real = _Standing(releases, tuple(dependencies))
    standing = _with_stand_ins(work, capture, real, trees)
    if standing is not None:
        try:
            return steps(standing, may_carve).run()
        except RefusedError:
            work.progress.phase("reduce without stand-ins")
    first = steps(real, may_carve)
    try:
        return first.run()
    except RefusedError:
        if first.inside is None:
            raise
    return steps(real, False).run()


@dataclass(frozen=True, slots=True)
class _Standing:
    """The releases as they are traced and made flat: where some dependencies have stand-ins, with these."""

    releases: Releases
    dependencies: tuple[Path, ...]


def _with_stand_ins(
    work: Work, capture: Capture, real: _Standing, trees: Mapping[VersionName, Path]
) -> _Standing | None:
    """Return the releases with stand-ins for dependencies, where there are some and nothing answers differently."""
    dependencies = tuple(with_stand_ins(folder, work.cache) for folder in real.dependencies)
    if dependencies == real.dependencies:
        return None
    releases = _alike(work, capture, real.releases, trees, dependencies)
    return None if releases is None else _Standing(releases, dependencies)


def _without_compiled(
    work: Work,
    capture: Capture,
    releases: Releases,
    trees: Mapping[VersionName, Path],
    dependencies: Sequence[Path],
) -> tuple[Releases, Mapping[VersionName, Path], Sequence[Path]] | None:
    """Return the same without compiled modules, where there are some and nothing answers differently for it."""
    pure_trees = {version: without_extensions(tree, work.cache) for version, tree in trees.items()}
    pure_dependencies = [without_extensions(folder, work.cache) for folder in dependencies]
    if pure_trees == dict(trees) and pure_dependencies == list(dependencies):
        return None
    pure = _alike(work, capture, releases, pure_trees, pure_dependencies)
    return None if pure is None else (pure, pure_trees, pure_dependencies)


def _alike(
    work: Work,
    capture: Capture,
    releases: Releases,
    trees: Mapping[VersionName, Path],
    dependencies: Sequence[Path],
) -> Releases | None:
    """Return the releases made of other folders, where they answer every lifted check as before."""
    package = releases.packages["reference"]
    others = Releases.of(
        work.runner, capture, trees, dependencies, package.scenarios, package.original, work.answers
    )
    lifted = lifted_requests(capture)
    return others if others.expected(lifted) == releases.expected(lifted) else None


@dataclass(slots=True)
class _Reducing:
    """The steps of one reduction, with what they share."""

    work: Work
    capture: Capture
    trees: Mapping[VersionName, Path]
    releases: Releases
    standing: _Standing
    domain: str | None
    known: Sequence[Request]
    may_carve: bool
    accept_cuts: bool
    inside: Inside | None = None
    bounds: list[Bounded] = field(default_factory=list)

    def run(self) -> Reduced:
        """Take all steps."""
        lifted = self._bounded(self._lifted())
        self._require_failure(lifted)
        self.work.progress.phase("trace")
        recorded = self._usable(not_among(lifted, recorded_requests(self.capture)), limit_hangs=0)
        outside = ran = self._ran([*lifted, *recorded])
        if self.may_carve and not self.bounds and self._carved(lifted, recorded):
            lifted, recorded = self._lifted(), []
            self._require_failure(lifted)
            ran = self._ran(lifted)
        flats = self._flat([*lifted, *recorded], ran)
        code = changed_code({version: flat.source for version, flat in flats.items()})
        domain = self.domain if self.domain is not None else self._derived(code)
        membership = Membership(self.work.runner, self.releases.how, domain)
        if membership.is_narrowed:
            lifted = membership.inside(lifted)
            self._require_failure(lifted)
        requests = membership.inside(self._with_drawn([*lifted, *recorded], domain, flats))
        probes = self._probes(lifted, flats)
        telling = membership.inside(self._telling(requests, code, domain, probes, flats))
        wrong = self._wrong_on([*requests, *telling], flats)
        if wrong:
            flats, ran = self._flat_again(requests, wrong, flats, ran)
            wrong = self._wrong_on([*requests, *telling], flats)
        asked = [one for one in requests if one not in wrong]
        attacks = [one for one in telling if one not in wrong]
        telling_ways = self._covering(asked, attacks, flats)
        asked += telling_ways[:_COVERING]
        named = not_among([*asked, *telling_ways], [one for one in attacks if one in probes])
        glanced = [*telling_ways[_COVERING:], *named]
        reduction = self._reduced_without_unsteady(flats, lifted, asked, attacks, glanced)
        narrowed = self._narrowed(reduction, flats, lifted, attacks)
        if narrowed.taken:
            domain = self._cut_domain(code, narrowed.taken)
        return self._reduced(narrowed, domain, outside, flats, len(wrong))

    def _narrowed(
        self,
        reduction: Reduction,
        flats: Mapping[VersionName, FlatProgram],
        lifted: Sequence[Request],
        attacks: Sequence[Request],
    ) -> Narrowed:
        """Return the reduction with what could be cut off, and after it where cuts are accepted.

        Of a domain that its author wrote nothing is cut off.
        """
        inner = [] if self.inside is None else [params for _, _, params in self.inside.recorded]
        cutting = Cutting(
            self.work, self.capture, self.releases, types_of(self.capture), lifted, attacks, inner
        )
        if self.is_author_domain or not self.accept_cuts:
            return cutting.proposed(reduction)

        def again(
            before: Reduction, left: Sequence[Request], is_inside: Callable[[Request], bool]
        ) -> Reduction:
            sources = {name: replace(flat, source=before.state.project(name)) for name, flat in flats.items()}
            further = [one for one in attacks if is_inside(one)]
            return self._reduce(sources, left, further, [], before)

        return cutting.taken(reduction, again)

    @property
    def is_author_domain(self) -> bool:
        """Whether the domain is one that its author wrote."""
        return self.domain is not None and (self.inside is None or self.domain != self.inside.domain)

    def _cut_domain(self, code: ChangedCode, cuts: Sequence[DomainCut]) -> str:
        """Return the domain without what was cut off."""
        if self.inside is None:
            return self._derived(code, cuts)
        self.inside = self.inside.without(cuts)
        return self.inside.domain

    def _lifted(self) -> list[Request]:
        return self.releases.usable(lifted_requests(self.capture), limit_hangs=50, patient=True)

    def _bounded(self, lifted: list[Request]) -> list[Request]:
        """Return the requests with bounds on line events in place of those on which the versions differ in cost."""
        self.bounds = bounds_of(self.releases, lifted, failing_requests(self.capture))
        if not self.bounds:
            return lifted
        self.capture = bounded_capture(self.capture, self.bounds)
        beside = [other for one in self.bounds for other in (*one.requests[1:], one.plain)]
        lifted = self._lifted()
        return [*lifted, *self.releases.usable(not_among(lifted, beside), limit_hangs=50, patient=True)]

    def _worthwhile(
        self, requests: Sequence[Request], flats: Mapping[VersionName, FlatProgram]
    ) -> list[Request]:
        """Return the requests without most of those that are dear to ask, and those near the recursion limit."""
        program = self.releases.program("reference", flats["reference"].source)
        kept = self.work.once(
            ["thrifty", repr(program), repr(self.releases.how), list(map(place_of, requests))],
            lambda: thrifty(self.work.runner, program, requests, self.releases.how),
        )
        worth, own = [requests[at] for at in kept], lifted_requests(self.capture)
        deep = nearly_too_deep(self.work.runner, program, worth, self.releases.how, own)
        return [one for at, one in enumerate(worth) if at not in deep]

    def _usable(self, requests: Sequence[Request], limit_hangs: int) -> list[Request]:
        """Return the usable requests; where cost is what counts, only those that all releases answer at once."""
        if self.bounds:
            requests = self.releases.hasty().quick(requests)
        usable = self.releases.usable(requests, limit_hangs=limit_hangs)
        return self.releases.without_depth(usable, lifted_requests(self.capture))

    def _carved(self, lifted: Sequence[Request], recorded: Sequence[Request]) -> bool:
        """Go on at an entry inside the package, where there is one; tell whether."""
        functions = frozenset(check.scenario for check in self.capture.checks)
        kept = flats_of(self.work.journal, self.capture.incident)
        outer = list(map(place_of, [*lifted, *recorded]))
        key = value_digest(["carve", repr(self.releases.packages), outer, sorted(functions)])
        if key not in kept:
            found = carve(self.work, self.capture, self.releases, lifted, recorded, functions)
            kept[key] = json.dumps(inside_data(found))
        self.inside = inside_of(json.loads(kept[key]))
        if self.inside is None:
            return False
        self.capture = inner_capture(self.capture, self.inside)
        self.releases = inner_releases(self.releases, self.inside)
        run = inner_releases(self.standing.releases, self.inside)
        self.standing = replace(self.standing, releases=run)
        self.domain = self.domain or self.inside.domain
        return True

    def _wrong_on(
        self, requests: Sequence[Request], flats: Mapping[VersionName, FlatProgram]
    ) -> list[Request]:
        """Return the requests on which some flat text does not behave like its release."""
        wrong: set[str] = set()
        for version, flat in flats.items():
            subject = self.releases.program(version, flat.source)
            key = ["alike", version, repr(subject), repr(self.releases.how)]
            known: dict[str, bool] = self.work.once(key, dict)
            new = [one for one in requests if place_of(one) not in known]
            wanted = self.releases.answers(version, new)
            seen = observe_expecting(self.work.runner, subject, new, wanted, self.releases.how)
            for one, real, own in zip(new, wanted, seen, strict=True):
                known[place_of(one)] = _is_alike(real, own)
            wrong |= {place_of(one) for one in requests if not known[place_of(one)]}
        return [one for one in requests if place_of(one) in wrong]

    def _flat_again(
        self,
        requests: Sequence[Request],
        wrong: Sequence[Request],
        flats: dict[VersionName, FlatProgram],
        ran: dict[VersionName, Executed],
    ) -> tuple[dict[VersionName, FlatProgram], dict[VersionName, Executed]]:
        """Flatten with what ran for more requests; where that fails the first texts stay, and are asked less."""
        more = self._ran([*requests, *wrong])
        try:
            return self._flat([*requests, *wrong[:_WRONG]], more), more
        except RefusedError:
            return flats, ran

    def _require_failure(self, lifted: Sequence[Request]) -> None:
        answers = self.releases.expected(lifted)
        if all(
            _is_alike(broken, fixed)
            for broken, fixed in zip(answers["broken"], answers["reference"], strict=True)
        ):
            raise RefusedError(
                "RED060",
                "No scenario shows the failure: the broken and the fixed release give equal observations.",
                "Write the reproducer so that it compares plain data.",
                stage="reduce",
            )

    def _ran(self, requests: Sequence[Request]) -> dict[VersionName, Executed]:
        found: dict[VersionName, Executed] = {}
        run = self.standing.releases
        for version, package in run.packages.items():
            answers = self.releases.answers(version, requests)
            ending = [one for one, answer in zip(requests, answers, strict=True) if answer != Hung()]
            found[version] = executed(self.work.runner.trace(package, ending, run.package_how))
        return found

    def _flat(
        self, requests: Sequence[Request], ran: Mapping[VersionName, Executed]
    ) -> dict[VersionName, FlatProgram]:
        """Return flat programs that answer the requests as the releases do; those made before are taken again.

        So are those of an earlier reduction that knew of fewer requests, where they are right on all: this one goes on
        from its way then.
        """
        self.work.progress.phase("flatten")
        known = flats_of(self.work.journal, self.capture.incident)
        asked = [
            [one.scenario, one.params, *([] if one.line_events is None else [one.line_events])]
            for one in requests
        ]
        places = [binding.model_dump(mode="json") for binding in self.capture.bindings]
        folders = [str(path) for path in (*self.trees.values(), *self.standing.dependencies)]
        packages = [[package.scenarios, package.original] for package in self.releases.packages.values()]
        key, last = (value_digest([one, places, folders, packages]) for one in (asked, "last"))
        if key not in known:
            earlier = _FLATS.validate_json(known[last]) if last in known else {}
            is_right = bool(earlier) and not self._wrong_on(requests, earlier)
            flats = earlier if is_right else self._flattened(requests, ran)
            known[key] = known[last] = _FLATS.dump_json(flats).decode()
        return _FLATS.validate_json(known[key])

    def _flattened(
        self, requests: Sequence[Request], ran: Mapping[VersionName, Executed]
    ) -> dict[VersionName, FlatProgram]:
        """Flatten with few of the requests that hang, since each of them costs its budget in every question."""
        wanted = self.releases.expected(requests)
        every = {version: list(range(len(requests))) for version in self.trees}
        few = {version: _with_few_hangs(answers) for version, answers in wanted.items()}
        for chosen in (few, every):

            def questions(version: str, source: str, chosen: dict[VersionName, list[int]] = chosen) -> Answer:
                self.work.progress.step(version)
                name = _NAMES[version]
                at = chosen[name]
                return self._ask(name, source, [requests[n] for n in at], [wanted[name][n] for n in at])

            flats = flatten_versions(
                {str(version): tree for version, tree in self.trees.items()},
                self.capture.import_name,
                self.capture.bindings,
                {str(version): lines for version, lines in ran.items()},
                questions,
                self.standing.dependencies,
            )
            found = {_NAMES[version]: flat for version, flat in flats.items()}
            if chosen == every or not self._wrong_on(requests, found):
                break
        return found

    def _ask(
        self,
        version: VersionName,
        source: str,
        requests: Sequence[Request],
        wanted: Sequence[Outcome],
    ) -> Answer:
        """Ask whether a flat text behaves like its release on the requests."""
        subject = self.releases.program(version, source)
        found = first_unexpected(self.work.runner, subject, requests, wanted, self.releases.how, _is_alike)
        if found is None:
            return Faithful()
        at, flat = found
        return Unfaithful(self._reason(version, source, requests[at], wanted[at], flat), _shown(requests[at]))

    def _reason(
        self, version: VersionName, source: str, request: Request, real: Outcome, flat: Outcome
    ) -> str:
        """Say what differs; where an exception escaped, with its message, so that a missing name is known."""
        if isinstance(flat, Died):
            return f"{flat.reason}: {flat.detail}" if flat.detail else flat.reason
        subject = self.releases.program(version, source)
        telling = replace(subject, types=replace(subject.types, messages=True))
        (again,) = self.work.runner.observe(telling, [request], self.releases.how)
        last = again.observations[-1] if isinstance(again, Observed) and again.observations else {}
        if "raised" in last:
            return f"{last['raised'].get('type')}: {last['raised'].get('message', '')}"
        return f"{_kind(flat)} instead of {_kind(real)}"

    def _derived(self, code: ChangedCode, cuts: Sequence[DomainCut] = ()) -> str:
        seen: dict[str, list[Wire]] = {}
        lifted = [one for one in around(self.capture, self.bounds) if one.scenario]
        recorded = [(one.scenario, one.params) for one in recorded_requests(self.capture)]
        for scenario, params in [*((one.scenario, one.params) for one in lifted), *recorded]:
            if params not in seen.setdefault(scenario, []):
                seen[scenario].append(params)
        try:
            left = {name: left_of(rows, cuts) for name, rows in seen.items()}
            scenarios = self.releases.packages["reference"].scenarios
            annotated = allowed_by_annotations(self.capture, scenarios, self.trees["reference"])
            return derive_domain(left, code, cuts, annotated, scenarios)
        except WireError as error:
            raise RefusedError(
                "RED061",
                f"No domain can be derived: {error}.",
                "Write the reproducer so that its inputs are plain data.",
                stage="reduce",
            ) from error

    def _with_drawn(
        self, lifted: Sequence[Request], domain: str, flats: Mapping[VersionName, FlatProgram]
    ) -> list[Request]:
        """Return the lifted requests and drawn ones that all releases answer."""
        scenarios = sorted({one.scenario for one in lifted})
        share = max(4, _DRAWN // len(scenarios))
        drawn = [
            Request(scenario, params)
            for scenario in scenarios
            for params in self.work.runner.draw(domain, scenario, share, _SEED, self.releases.how)
        ]
        usable = self._usable(self._worthwhile(not_among(lifted, drawn), flats), limit_hangs=_HANGS)
        known_usable = self._usable(
            [one for one in self.known if one.scenario in scenarios], limit_hangs=_KNOWN_HANGS
        )
        return [*lifted, *usable, *known_usable]

    def _probes(self, lifted: Sequence[Request], flats: Mapping[VersionName, FlatProgram]) -> list[Request]:
        """Return inputs that name what tables of the flat programs hold; none at an entry inside the package."""
        if self.inside is not None:
            return []
        sources = [flat.source for _, flat in sorted(flats.items())]
        scalars = scalars_of(self.work.runner, sources, self.releases.how)
        return not_among(lifted, probes_of(scalars, lifted))

    def _telling(
        self,
        requests: Sequence[Request],
        code: ChangedCode,
        domain: str,
        probes: Sequence[Request],
        flats: Mapping[VersionName, FlatProgram],
    ) -> list[Request]:
        """Return inputs with which programs are attacked at the end of every phase: such as the contract will try.

        At an entry inside the package these are all that was recorded: what outer inputs do not lead to is none of its
        inputs.
        """
        if self.inside is None:
            is_edited = self.domain is not None
            offered = gathered(self.capture, domain, code, self.work.runner, self.releases.how, is_edited)
            seeds = [one for one in requests if one.line_events is None]
            offered += neighbours_of(seeds, code, _SEED, _SEARCHED - len(offered))
            offered = offered[:_SEARCHED]
        else:
            offered = [Request(self.inside.entry.scenario, inner) for _, _, inner in self.inside.recorded]
        new = not_among(requests, [*probes, *not_among(probes, offered)])
        found = self._worthwhile(new, flats)
        usable: list[Request] = []
        start, count, hangs = 0, _SEARCHED_FIRST, 0
        while start < len(found):
            some = found[start : start + count]
            start, count = start + count, count * 2
            kept = self._usable(some, limit_hangs=0)
            usable += kept
            hangs += sum(map(self.releases.is_late, some))
            if hangs > _SEARCHED_HANGS or len(kept) < len(some) // 2:
                break
        return usable

    def _covering(
        self, asked: Sequence[Request], attacks: Sequence[Request], flats: Mapping[VersionName, FlatProgram]
    ) -> list[Request]:
        """Return attacks that take ways through the flat programs which nothing asked so far takes, best first.

        The first are asked in every trial, others after every few edits: what only the attack at a phase's end
        refuses has cost the phase.
        """
        answers = self.releases.expected([*asked, *attacks])
        is_ending = [
            all(isinstance(own[at], Observed) for own in answers.values())
            for at in range(len(asked) + len(attacks))
        ]
        taken = [one for one, is_one in zip(asked, is_ending, strict=False) if is_one]
        offered = [one for one, is_one in zip(attacks, is_ending[len(asked) :], strict=True) if is_one]
        ways: list[set[tuple[str, int]]] = [set() for _ in (*taken, *offered)]
        for version, flat in flats.items():
            program = self.releases.program(version, flat.source)
            found = self.work.ways.through(self.work.runner, program, [*taken, *offered], self.releases.how)
            for way, own in zip(ways, found, strict=True):
                way |= {(version, line) for _, line in own}
        frozen = [frozenset(way) for way in ways]
        chosen = covering(frozen[len(taken) :], frozen[: len(taken)], _COVERING + _GLANCED)
        return [offered[at] for at in chosen]

    def _reduced_without_unsteady(
        self,
        flats: Mapping[VersionName, FlatProgram],
        lifted: Sequence[Request],
        asked: Sequence[Request],
        attacks: Sequence[Request],
        glanced: Sequence[Request],
    ) -> Reduction:
        """Reduce; leave out inputs on which a flat program itself answers by what was asked before them."""
        left_out: list[Request] = []
        while True:
            first, second, third = (
                [one for one in each if one not in left_out] for each in (asked, attacks, glanced)
            )
            try:
                return self._reduce(flats, first, second, third)
            except UnfaithfulError as error:
                if error.request in lifted or error.request in left_out or len(left_out) >= _UNSTEADY:
                    raise
                left_out.append(error.request)

    def _reduce(
        self,
        flats: Mapping[VersionName, FlatProgram],
        requests: Sequence[Request],
        telling: Sequence[Request],
        glanced: Sequence[Request],
        before: Reduction | None = None,
    ) -> Reduction:
        """Reduce; ``before`` is the reduction that is gone on with where the domain was cut."""
        budget = self.work.settings.budget
        texts = {version: flat.source for version, flat in flats.items()}
        key = self._key(None if before is None else texts)
        earlier = self._earlier(key)
        spent = earlier.trials + (0 if before is None else before.trials)
        with best_of(self.work, self.capture.incident) as best:
            reduction = reduce(
                texts,
                requests,
                self.releases.expected(requests),
                self.work.runner,
                self.releases.how,
                types_of(self.capture),
                self.releases.packages["reference"].scenarios,
                [binding.name for binding in self.capture.bindings],
                budget=Budget(
                    trials=max(0, budget.trials - spent),
                    cpu_s=max(0.0, budget.cpu_s - self.work.spent_cpu_s()),
                ),
                progress=self.work.progress,
                search=self._search(telling),
                glance=self._search(glanced) if glanced else None,
                store=verdicts_of(self.work.journal, self.capture.incident),
                earlier=earlier.way,
                on_state=best.tell if before is None else None,
                cpu_s=self.work.spent_cpu_s,
            )
        reduction = earlier.and_then(reduction)
        self._keep(key, reduction)
        return reduction

    def _earlier(self, key: str) -> _Earlier:
        """Return how far the reduction came that knew of most of the inputs, but not of all; else nothing."""
        kept = ways_of(self.work.journal, self.capture.incident)
        ways = [_EARLIER.validate_json(unpacked(kept[name])) for name in sorted(kept) if name.startswith(key)]
        fitting = [one for one in ways if set(one.known) < self._known_places()]
        return max(fitting, key=lambda one: len(one.known), default=_Earlier((), 0, Way()))

    def _keep(self, key: str, reduction: Reduction) -> None:
        earlier = _Earlier(
            tuple(sorted(self._known_places())),
            reduction.trials,
            reduction.way,
            reduction.phases,
            reduction.cache_hits,
            reduction.accepted,
            reduction.refusals,
        )
        name = f"{key}:{value_digest(list(earlier.known))}"
        ways_of(self.work.journal, self.capture.incident)[name] = packed(_EARLIER.dump_json(earlier))

    def _key(self, cut: Mapping[VersionName, str] | None) -> str:
        """Return the key of what is reduced: flat programs, or what was left of them when their domain was cut."""
        places = [check.scenario and [check.scenario, check.params] for check in self.capture.checks]
        return value_digest([cut, self.releases.packages["reference"].scenarios, self.domain, places])

    def _known_places(self) -> set[str]:
        return {place_of(one) for one in self.known}

    def _search(self, telling: Sequence[Request]) -> Search:
        """Return a search that attacks programs with inputs on which the releases are asked once."""
        answers = self.releases.expected(telling)

        def search(programs: Mapping[VersionName, str]) -> Counterexample | None:
            for version in sorted(programs):
                subject = self.releases.program(version, programs[version])
                found = first_unexpected(
                    self.work.runner, subject, telling, answers[version], self.releases.how, _is_alike
                )
                if found is not None:
                    at = found[0]
                    return Counterexample(telling[at], {name: answers[name][at] for name in answers})
            return None

        return search

    def _reduced(
        self,
        narrowed: Narrowed,
        domain: str,
        ran: Mapping[VersionName, Executed],
        flats: Mapping[VersionName, FlatProgram],
        dropped: int,
    ) -> Reduced:
        reduction = narrowed.reduction
        sizes: dict[VersionName, dict[str, int]] = {}
        for version, nodes in reduction.sizes.items():
            size = executed_size(self.trees[version], ran[version])
            sizes[version] = {
                "executed_in_functions": size.in_functions,
                "executed": size.all,
                "reduced": nodes,
            }
        report: dict[str, object] = {
            "phases": [asdict(phase) for phase in reduction.phases],
            "accepted": reduction.accepted,
            "runs": reduction.runs,
            "cache_hits": reduction.cache_hits,
            "refusals": reduction.refusals,
            "complete": reduction.complete,
            "ended": reduction.ended,
            "requests": len(reduction.requests),
            "dropped_requests": dropped,
            "left": narrowed.left,
            "held": [one.model_dump(mode="json") for one in narrowed.held],
            "cuts": narrowed.document.model_dump(mode="json"),
            "third_party": sorted({name for flat in flats.values() for name in flat.third_party}),
        }
        return Reduced(
            dict(reduction.programs),
            domain,
            sizes,
            reduction.trials,
            report,
            self.inside,
            tuple(self.bounds),
        )


def _with_few_hangs(answers: Sequence[Outcome]) -> list[int]:
    """Return the positions of answers, of the hangs among them the first few only."""
    hangs = [at for at, answer in enumerate(answers) if answer == Hung()]
    return [at for at in range(len(answers)) if at not in hangs[_HANGS:]]


def _is_alike(left: Outcome, right: Outcome) -> bool:
    """Tell whether two outcomes are the same in everything that is observed."""
    return is_same(left, right, Compare())


def _shown(request: Request) -> str:
    return f"{request.scenario}({json.dumps(request.params, sort_keys=True)})"[:400]


def _kind(outcome: Outcome) -> str:
    match outcome:
        case Observed(observations):
            return "raised" if observations and "raised" in observations[-1] else "a value"
        case Hung():
            return f"a call that does not end within {CALL_CPU_S:g} s of CPU"
        case Died(reason):
            return f"the end of the process ({reason})"
        case Refused(code):
            return f"an observation that cannot be encoded ({code})"
