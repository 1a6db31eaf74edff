"""A runner inside the test's own process, for texts that the tests themselves hold.

It has the form of the one door but no box: never give it anything from outside. A call that takes too many line
events has hung.
"""

import copy
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

from authoring.model.execution import (
    Died,
    How,
    Hung,
    Observed,
    ObservedTypes,
    Outcome,
    Program,
    Refused,
    Request,
    ScriptRun,
    Subject,
    Traced,
    Watched,
)
from authoring.model.wire import Wire, WireError, decode, encode, sort_key

LINES_CAP = 20_000


class _TooLong(BaseException):
    """The call ran more lines than it may."""


class MemoryRunner:
    """Observe programs by running them here; counts calls and requests."""

    def __init__(self) -> None:
        self.calls = 0
        self.requests = 0

    def observe(self, subject: Subject, requests: Sequence[Request], how: How) -> list[Outcome]:
        """Run the requests one after another, the module and the scenarios built anew for each."""
        assert isinstance(subject, Program)
        self.calls += 1
        self.requests += len(requests)
        code = compile(subject.source, subject.module, "exec")
        scenarios = compile(subject.scenarios, "scenarios.py", "exec")
        limit = sys.getrecursionlimit()
        outcomes = []
        for request in requests:
            try:
                outcomes.append(_observe(code, scenarios, request, subject))
            finally:
                sys.setrecursionlimit(limit)  # scenarios may set it, as in a process of their own
        return outcomes

    def first_unlike(
        self,
        subject: Subject,
        requests: Sequence[Request],
        how: How,
        is_like: Callable[[int, Outcome], bool],
    ) -> tuple[int, Outcome] | None:
        """Run all requests and return the first that is not like it should be."""
        for at, outcome in enumerate(self.observe(subject, requests, how)):
            if not is_like(at, outcome):
                return at, outcome
        return None

    def trace(
        self,
        subject: Subject,
        requests: Sequence[Request],
        how: How,
        watched: Watched | None = None,
        *,
        with_frames: bool = False,
    ) -> list[Traced]:
        """Run the requests and say which lines of the program ran; arguments and results are left out."""
        assert isinstance(subject, Program)
        outcomes = self.observe(subject, requests, how)
        file = f"{subject.module}.py"
        return [
            Traced(outcome, {file: lines}, {file: frozenset()}, len(lines), ())
            for outcome, lines in zip(outcomes, _ran(subject, requests), strict=True)
        ]

    def draw(
        self, domain: str, scenario: str, n: int, seed: int, how: How, constants: Wire = None
    ) -> list[Wire]:
        """Draw distinct parameter dicts with an inner test function."""
        import hypothesis

        namespace: dict[str, Any] = {}
        exec(compile(domain, "domain.py", "exec"), namespace)
        drawn: dict[str, Wire] = {}

        @hypothesis.seed(seed)
        @hypothesis.settings(
            max_examples=n,
            database=None,
            deadline=None,
            phases=[hypothesis.Phase.generate],
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        @hypothesis.given(namespace[scenario](constants))
        def keep(params: Any) -> None:
            wire = encode(params)
            drawn.setdefault(sort_key(wire), wire)

        keep()
        return list(drawn.values())

    def mutate(
        self,
        values: Sequence[Wire],
        n: int,
        seed: int,
        how: How,
        *,
        domain: str = "",
        scenario: str = "",
        constants: Wire = None,
    ) -> list[Wire]:
        """Mutate nothing."""
        raise NotImplementedError

    def shrink(
        self,
        domain: str,
        scenario: str,
        is_wanted: Callable[[Wire], bool],
        tries: int,
        seed: int,
        how: How,
        constants: Wire = None,
    ) -> Wire | None:
        """Shrink nothing."""
        raise NotImplementedError

    def script(self, tree: Any, reproducer: str, how: How) -> ScriptRun:
        """Run no scripts."""
        raise NotImplementedError


def _observe(
    code: Any, scenarios: Any, request: Request, subject: Program, ran: set[int] | None = None
) -> Outcome:
    module = types.ModuleType(subject.module)
    sys.modules[subject.module] = module
    try:
        sys.settrace(_limited(code.co_filename, ran, own=True))
        try:
            exec(code, module.__dict__)
        finally:
            sys.settrace(None)
        namespace: dict[str, Any] = {}
        exec(scenarios, namespace)
    except _TooLong:
        return Died("import: late")
    except Exception as error:
        return Died(f"import failed: {type(error).__name__}")
    observations: list[dict[str, Wire]] = []
    params = decode(request.params)
    before = copy.deepcopy(params)
    try:
        sys.settrace(_limited(code.co_filename, ran, bound=request.line_events))
        try:
            namespace[request.scenario](
                module, params, lambda value: observations.append({"value": encode(value)})
            )
        finally:
            sys.settrace(None)
    except _TooLong:
        return Hung()
    except WireError as error:
        return Refused("EXE000", str(error))
    except Exception as error:
        observations.append({"raised": {"type": _type_name(error, module, subject.types)}})
    if params != before and observations:
        observations[-1]["args_after"] = encode(params)
    return Observed(tuple(observations))


def _ran(subject: Program, requests: Sequence[Request]) -> list[frozenset[int]]:
    code = compile(subject.source, subject.module, "exec")
    scenarios = compile(subject.scenarios, "scenarios.py", "exec")
    found: list[frozenset[int]] = []
    for request in requests:
        lines: set[int] = set()
        _observe(code, scenarios, request, subject, lines)
        found.append(frozenset(lines))
    return found


def _type_name(error: Exception, module: Any, observed: ObservedTypes) -> str:
    for kind in type(error).__mro__:
        for name in observed.raises:
            if getattr(module, name, None) is kind:
                return name
        if kind.__module__ == "builtins":
            return kind.__name__
    return "Exception"


def _limited(file: str, ran: set[int] | None, *, own: bool = False, bound: int | None = None) -> Any:
    """Return a trace function that counts lines; ``own``: the program's alone, since an import may load libraries."""
    left = LINES_CAP if bound is None else bound

    def local(frame: Any, event: str, arg: Any) -> Any:
        nonlocal left
        if own and frame.f_code.co_filename != file:
            return None
        if ran is not None and event == "line" and frame.f_code.co_filename == file:
            ran.add(frame.f_lineno)
        left -= 1
        if left < 0:
            raise _TooLong
        return local

    return local


__all__ = ["MemoryRunner"]
