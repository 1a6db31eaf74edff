"""Which inputs a domain.py allows, as its own functions ``allows_<scenario>`` tell in a box."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from authoring.model.errors import RefusedError
from authoring.model.execution import How, Observed, Outcome, Program, Request, Runner
from authoring.model.wire import sort_key
from authoring.scenario.domain.cut import PREDICATE

__all__ = ["Membership"]


@dataclass(slots=True)
class Membership:
    """The predicates of one domain.py; a scenario that has none allows everything."""

    runner: Runner
    how: How
    domain: str
    _program: Program | None = field(init=False)
    _scenarios: frozenset[str] = field(init=False)
    _known: dict[tuple[str, str], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        source, self._scenarios = _predicates(self.domain)
        asked = "\n\n\n".join(
            f"def {name}(program, p, seen):\n    seen(program.{PREDICATE}{name}(p))"
            for name in sorted(self._scenarios)
        )
        self._program = Program(source, "domain", asked) if self._scenarios else None

    @property
    def is_narrowed(self) -> bool:
        """Whether some scenario has a predicate."""
        return self._program is not None

    def allows(self, requests: Sequence[Request]) -> list[bool]:
        """Tell of each request whether its parameters lie inside.

        Raises RefusedError SCN030 where a predicate does not answer.
        """
        keys = [(one.scenario, sort_key(one.params)) for one in requests]
        new = {
            key: one
            for key, one in zip(keys, requests, strict=True)
            if one.scenario in self._scenarios and key not in self._known
        }
        if new and self._program is not None:
            plain = [Request(one.scenario, one.params) for one in new.values()]
            how = replace(self.how, dependencies=(), fork_per_request=False)
            outcomes = self.runner.observe(self._program, plain, how)
            for (key, one), outcome in zip(new.items(), outcomes, strict=True):
                self._known[key] = _answer(one, outcome)
        return [self._known.get(key, True) for key in keys]

    def inside(self, requests: Sequence[Request]) -> list[Request]:
        """Return the requests whose parameters lie inside, in their order."""
        return [one for one, is_in in zip(requests, self.allows(requests), strict=True) if is_in]


def _answer(request: Request, outcome: Outcome) -> bool:
    if isinstance(outcome, Observed) and len(outcome.observations) == 1:
        said = outcome.observations[0].get("value")
        if isinstance(said, bool):
            return said
    raise RefusedError(
        "SCN030",
        f"{PREDICATE}{request.scenario} of domain.py gives no answer for some parameters.",
        "Have it return True or False for all parameters, without Hypothesis.",
        proof=f"{request.scenario} {request.params}",
    )


def _predicates(domain: str) -> tuple[str, frozenset[str]]:
    """Return the part of a domain.py that its predicates need, and the scenarios that have one."""
    try:
        tree = ast.parse(domain)
    except (SyntaxError, ValueError, RecursionError):
        return "", frozenset()
    named = {name: node for node in tree.body for name in _names(node)}
    wanted = [name for name in named if name.startswith(PREDICATE)]
    needed: set[str] = set()
    waiting = list(wanted)
    while waiting:
        name = waiting.pop()
        if name in named and name not in needed:
            needed.add(name)
            waiting += [node.id for node in ast.walk(named[name]) if isinstance(node, ast.Name)]
    kept = [node for node in tree.body if needed & set(_names(node))]
    source = "\n\n\n".join(ast.unparse(node) for node in kept)
    return source + "\n", frozenset(name.removeprefix(PREDICATE) for name in wanted)


def _names(node: ast.stmt) -> list[str]:
    """Return the names that a statement of the module binds."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign | ast.AnnAssign):
        parts = (part for part in ast.walk(node) if isinstance(part, ast.Name))
        return [part.id for part in parts if isinstance(part.ctx, ast.Store)]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [(alias.asname or alias.name).split(".")[0] for alias in node.names]
    return []
