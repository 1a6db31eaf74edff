"""Record inputs while the project's own tests run on the fixed side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from authoring.incident.capture import Warned
from authoring.incident.own_tests import OwnTests, no_tests
from authoring.incident.recording import (
    Place,
    TestRun,
    places_of,
    rows_of,
    run_told,
    tests_package,
    tests_request,
)
from authoring.model.capture import Capture, Recorded, RecordedInput
from authoring.model.digest import tree_digest
from authoring.model.execution import Frame, How, Limits, Request, Watched
from authoring.reduction.covering import covering
from authoring.system.files import publish_tree
from authoring.system.packages import obtain_dependency
from authoring.taskrepo.stages.reduction_inputs import (
    Releases,
    lifted_requests,
    not_among,
    params_by_scenario,
)
from authoring.taskrepo.stages.work import Work

__all__ = ["Recording", "record"]

_PYTEST = ("pytest==8.3.5", "pluggy==1.5.0", "iniconfig==2.0.0", "packaging==24.2")
_LIMITS = Limits(import_s=30.0, call_s=240.0, run_s=300.0, cpu_s=240)
_CPU_S, _TEST_S = 60.0, 10.0
_WATCHED = 6
"""Functions whose calls are recorded, at most: the tests run once for each."""
_ASKED = 200
"""Recorded inputs of one scenario that the releases are asked, at most."""
_KEPT = 24
"""Those that are kept, at most: each is asked in every trial of the reduction."""


@dataclass(frozen=True, slots=True)
class Recording:
    """What was recorded, and what the author has to be told."""

    recorded: Recorded
    warnings: tuple[Warned, ...] = ()


def record(work: Work, capture: Capture, releases: Releases, tests: OwnTests) -> Recording:
    """Return what the tests give the capture's scenarios: inputs that every release answers with data.

    Raises :class:`UsageError` INC013 where the fixed release holds no such tests, and what obtaining pytest and the
    tests' pins raises.
    """
    work.progress.phase("record from the project's tests")
    lifted = lifted_requests(capture)
    reference = releases.packages["reference"]
    traces = work.runner.trace(reference, lifted, releases.package_how, with_frames=True)
    places = places_of(lifted, traces)
    calls, run = _calls(work, capture, releases, tests, places)
    found = [row for name in sorted(places) for row in _rows(lifted, name, places[name], calls)]
    kept = _telling(releases, lifted, found)
    count = sum(map(len, calls.values()))
    inputs = tuple(RecordedInput(scenario=one.scenario, params=one.params) for one in kept)
    recorded = Recorded(tests=run.ran if run else 0, calls=count, inputs=inputs)
    trouble = _trouble(run, recorded, places)
    return Recording(recorded, (Warned("INC030", trouble),) if trouble else ())


def _calls(
    work: Work, capture: Capture, releases: Releases, tests: OwnTests, places: Mapping[str, Sequence[Place]]
) -> tuple[dict[Watched, Sequence[Frame]], TestRun | None]:
    """Return the tests' calls of every function that a parameter goes to."""
    how, paths = _how(work, capture, releases, tests)
    package = tests_package(releases.packages["reference"])
    request = tests_request(paths, _CPU_S, _TEST_S)
    found: dict[Watched, Sequence[Frame]] = {}
    run = None
    watched = dict.fromkeys(place.watched for name in sorted(places) for place in places[name])
    for one in list(watched)[:_WATCHED]:
        (traced,) = work.runner.trace(package, [request], how, one)
        found[one] = traced.frames
        run = run_told(traced.outcome) or run
        work.progress.step(f"{sum(map(len, found.values()))} calls")
    return found, run


def _how(work: Work, capture: Capture, releases: Releases, tests: OwnTests) -> tuple[How, list[str]]:
    """Return how tests run, and where they lie in the box."""
    tree = releases.packages["reference"].tree
    for name in tests.inside:
        if not (tree / name).exists():
            raise no_tests(name)
    folders = list(releases.package_how.dependencies)
    folders += [obtain_dependency(pin, work.cache, capture.python).path for pin in (*_PYTEST, *tests.pins)]
    paths = [f"/tree/{name}" for name in tests.inside]
    if tests.files:
        paths += [f"/dep{len(folders)}/{name}" for name in tests.copied]
        folders.append(_copied(work, tests))
    limits = replace(_LIMITS, processes=capture.processes)
    return How(limits=limits, python=capture.python, dependencies=tuple(folders)), paths


def _copied(work: Work, tests: OwnTests) -> Path:
    files = dict(tests.files)
    folder = work.cache / "tests" / tree_digest(files)
    publish_tree(folder, files)
    return folder


def _rows(
    lifted: Sequence[Request],
    scenario: str,
    places: Sequence[Place],
    calls: Mapping[Watched, Sequence[Frame]],
) -> list[Request]:
    own = [one for one in lifted if one.scenario == scenario and one.line_events is None]
    return rows_of(own, places, calls)[:_ASKED] if own else []


def _telling(releases: Releases, lifted: Sequence[Request], found: Sequence[Request]) -> list[Request]:
    """Return the inputs that all releases answer, of each scenario those that take ways of their own first."""
    usable = releases.usable(not_among(lifted, found), limit_hangs=0)
    reference, how = releases.packages["reference"], releases.package_how
    traces = releases.runner.trace(reference, [*lifted, *usable], how)
    ways = [frozenset((file, line) for file, lines in one.lines.items() for line in lines) for one in traces]
    kept: list[Request] = []
    for scenario in params_by_scenario(usable):
        here = [at for at, one in enumerate(usable) if one.scenario == scenario]
        chosen = covering([ways[len(lifted) + at] for at in here], ways[: len(lifted)], _KEPT)
        rest = [at for at in range(len(here)) if at not in chosen]
        kept += [usable[here[at]] for at in sorted([*chosen, *rest[: _KEPT - len(chosen)]])]
    return kept


def _trouble(run: TestRun | None, recorded: Recorded, places: Mapping[str, Sequence[Place]]) -> str:
    """Say why nothing, or not everything, was recorded; nothing where all is well."""
    if not any(places.values()):
        return "No parameter of the reproducer is an argument of a function of the package; no test was run."
    if run is None:
        return "The tests ended their process, or did not end in time; nothing they did is known."
    unread = f" Not collected: {'; '.join(run.troubles)}." if run.troubles else ""
    if not run.ran:
        return f"No test ran.{unread}"
    if not recorded.calls:
        return f"{run.ran} tests ran, and none called what the reproducer calls.{unread}"
    if not recorded.inputs:
        none = "none gave an input that is new and that every side answers"
        return f"{recorded.calls} calls were recorded; {none}.{unread}"
    return unread.strip()
