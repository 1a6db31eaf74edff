"""Inputs that the project's own tests give: which calls say something about a scenario, and what they say.

The function that a parameter goes to, and the argument that it becomes, are found by running the reproducer's own
inputs: the argument equals the parameter in every one of them. Calls of that function by the tests give the
parameter further values; what a call does not tell stays as the reproducer has it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from authoring.incident.masking import mask
from authoring.model.execution import (
    Frame,
    Observed,
    ObservedTypes,
    Outcome,
    Package,
    Request,
    Traced,
    Watched,
)
from authoring.model.wire import Wire, decode, encode, sort_key

__all__ = [
    "Place",
    "TestRun",
    "fields_of",
    "places_of",
    "rows_of",
    "run_told",
    "tests_package",
    "tests_request",
]

_DEPTH = 2
"""How deep in an argument a parameter may lie."""
_LENGTH_CAP = 4_000
"""Characters of an input's wire text, at most."""
_PLAIN = frozenset(map(sort_key, (None, True, False, "", {"int": "0x0"}, {"int": "0x1"})))
"""Values that equal many arguments by chance: the argument's name has to be the parameter's too."""

_RUN = """\
def run(program, p, seen):
    import signal
    import sys
    import time

    import pytest

    class Watch:
        ran = 0
        troubles = []

        def pytest_collectreport(self, report):
            if report.failed:
                self.troubles.append(str(report.longrepr).strip().splitlines()[-1:])

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_protocol(self, item):
            self.ran += 1
            signal.setitimer(signal.ITIMER_REAL, p["test_s"])
            yield
            signal.setitimer(signal.ITIMER_REAL, 0)
            if time.process_time() > p["cpu_s"]:
                item.session.shouldstop = "no time left"

    def late(number, frame):
        raise TimeoutError("the test takes too long")

    signal.signal(signal.SIGALRM, late)
    sys.dont_write_bytecode = True
    watch = Watch()
    options = ["-q", "-s", "-o", "addopts=", "--continue-on-collection-errors"]
    options += ["-p", "no:cacheprovider", "-p", "no:faulthandler"]
    pytest.main([*options, *p["paths"]], plugins=[watch])
    seen([watch.ran, [line[:200] for lines in watch.troubles[:5] for line in lines]])
"""
"""Runs tests in the process of the package, so that calls of it can be watched; it ends in time by itself."""

Step = int | str
"""The index of an item in an argument, or the key of a dict."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a parameter goes."""

    param: str
    watched: Watched
    function: str
    """Its qualified name, for people."""
    argument: str
    steps: tuple[Step, ...] = ()
    """Where in the argument, which may be ``*args`` or ``**options``."""


@dataclass(frozen=True, slots=True)
class TestRun:
    """What running the tests told beside the calls."""

    ran: int
    troubles: tuple[str, ...]
    """Why modules could not be collected, the last line of each."""


def tests_package(package: Package) -> Package:
    """Return a package with the scenario that runs tests; :func:`tests_request` asks for it."""
    bind = "def bind(package):\n    return package\n"
    return Package(package.tree, package.modules, bind, _RUN, ObservedTypes())


def tests_request(paths: Sequence[str], cpu_s: float, test_s: float) -> Request:
    """Return the request to run tests at paths inside the box.

    No further test begins after ``cpu_s`` seconds of CPU, and each has ``test_s`` seconds.
    """
    return Request("run", encode({"paths": list(paths), "cpu_s": float(cpu_s), "test_s": float(test_s)}))


def run_told(outcome: Outcome) -> TestRun | None:
    """Return what a run of tests told; None where it did not come to its end."""
    if not isinstance(outcome, Observed) or "value" not in outcome.observations[-1]:
        return None
    match decode(outcome.observations[-1]["value"]):
        case [int(ran), list(troubles)]:
            return TestRun(ran, tuple(map(str, troubles)))
    return None


def fields_of(params: Wire) -> dict[str, Wire]:
    """Return the items of a wire dict by their keys, those that are text."""
    return {key: item for key, item in params["dict"] if type(key) is str}


def places_of(requests: Sequence[Request], traces: Sequence[Traced]) -> dict[str, list[Place]]:
    """Return by scenario where its parameters go, one place each at most.

    ``traces`` tell the frames of each request. The outermost function is taken, and the first in the order of calls.
    """
    by_scenario: dict[str, list[tuple[Request, Traced]]] = {}
    for request, traced in zip(requests, traces, strict=True):
        by_scenario.setdefault(request.scenario, []).append((request, traced))
    return {scenario: _places(pairs) for scenario, pairs in by_scenario.items()}


def _places(pairs: Sequence[tuple[Request, Traced]]) -> list[Place]:
    """Return where the parameters of one scenario go in all of its requests."""
    found: list[Place] = []
    first, *others = [(fields_of(request.params), traced.frames) for request, traced in pairs]
    told = [[(place, value) for frame in frames for place, value in _values(frame)] for _, frames in others]
    for param in first[0]:
        wanted = [fields.get(param) for fields, _ in others]
        known = [
            {place for place, value in values if value == one}
            for one, values in zip(wanted, told, strict=True)
        ]
        for frame in sorted(first[1], key=lambda frame: frame.parent >= 0):
            here = [
                place
                for place, value in _values(frame)
                if value == first[0][param]
                and all(place in places for places in known)
                and _is_telling(param, place[1], [value, *wanted])
            ]
            if here:
                watched, argument, steps = min(
                    here, key=lambda place: (not _is_named(param, place[1]), len(place[2]))
                )
                found.append(Place(param, watched, frame.qualname, argument, steps))
                break
    return found


_Spot = tuple[Watched, str, tuple[Step, ...]]


def _values(frame: Frame) -> Iterator[tuple[_Spot, Wire]]:
    """Yield the values that a call is given, and what lies in them."""
    for argument, value in fields_of(frame.args or {"dict": []}).items():
        for steps, part in _parts(value, ()):
            yield (Watched(frame.file, frame.line), argument, steps), part


def _parts(value: Wire, steps: tuple[Step, ...]) -> Iterator[tuple[tuple[Step, ...], Wire]]:
    yield steps, value
    if len(steps) < _DEPTH:
        for step, item in _items(value):
            yield from _parts(item, (*steps, step))


def _items(value: Wire) -> list[tuple[Step, Wire]]:
    match value:
        case {"dict": list(pairs)}:
            return [(key, item) for key, item in pairs if type(key) is str]
        case {"list": list(items)} | {"tuple": list(items)}:
            return list(enumerate(items))
    return []


def _is_telling(param: str, argument: str, values: Sequence[Wire]) -> bool:
    """Tell whether values that are equal are so for a reason."""
    return _is_named(param, argument) or any(sort_key(value) not in _PLAIN for value in values)


def _is_named(param: str, argument: str) -> bool:
    return param.rstrip("0123456789_") == argument.rstrip("0123456789_")


def rows_of(
    requests: Sequence[Request], places: Sequence[Place], calls: Mapping[Watched, Sequence[Frame]]
) -> list[Request]:
    """Return what calls make of the requests of one scenario: each call of the next of them, those that are new.

    What holds a secret, or is very long, is left out.
    """
    known = {sort_key(one.params) for one in requests}
    found: dict[str, Request] = {}
    for watched, frames in calls.items():
        here = [place for place in places if place.watched == watched]
        for at, frame in enumerate(frames):
            told = {place.param: _at(fields_of(frame.args or {"dict": []}), place) for place in here}
            if not told or _ABSENT in told.values():
                continue
            base = requests[at % len(requests)]
            params = {"dict": [[key, told.get(key, item)] for key, item in base.params["dict"]]}
            text = sort_key(params)
            if text not in known and len(text) <= _LENGTH_CAP and not mask(text).found:
                found.setdefault(text, Request(base.scenario, params))
    return list(found.values())


_ABSENT: Wire = object()


def _at(fields: Mapping[str, Wire], place: Place) -> Wire:
    """Return the value at a place of a call, or that there is none."""
    value = fields.get(place.argument, _ABSENT)
    for step in place.steps:
        value = dict(_items(value)).get(step, _ABSENT) if value is not _ABSENT else _ABSENT
    return value
