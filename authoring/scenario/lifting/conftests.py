"""Give a test module the fixtures that it has from the conftest files beside and above it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import libcst as cst

from authoring.scenario.lifting.classes import decorator_name
from authoring.scenario.lifting.fixtures import Fixture, fixture_of, is_fixture
from authoring.scenario.lifting.stand_ins import BUILT_IN_FIXTURES
from authoring.scenario.lifting.syntax import Statement, block, code, flat, parameter_names, single, uses

__all__ = ["with_fixtures"]


@dataclass(frozen=True, slots=True)
class _Conftest:
    body: Sequence[Statement]

    def fixtures(self) -> list[Fixture]:
        """Return its fixtures, in their order."""
        return [
            fixture_of(node, False)
            for node in self.body
            if isinstance(node, cst.FunctionDef) and is_fixture(node)
        ]

    def needed(self, fixture: Fixture) -> list[Statement] | None:
        """Return the statements that define a fixture, with all that it names, or None where they are not all here."""
        positions = {id(node): at for at, node in enumerate(self.body)}
        pending: list[Statement] = [fixture.function]
        found: dict[int, Statement] = {}
        while pending:
            node = pending.pop()
            small = single(node)
            if isinstance(small, cst.ImportFrom) and small.relative:
                return None
            found[positions[id(node)]] = node
            reads = uses(node).reads
            pending += [
                other
                for at, other in enumerate(self.body)
                if at not in found and other not in pending and uses(other).binds & reads
            ]
        return [found[at] for at in sorted(found)]


def with_fixtures(text: str, conftests: Iterable[str]) -> str:
    """Return a module's text with what it asks of conftest files, the nearest first, put at its end.

    What a name of the module's own would clash with is left out, and what asks for a fixture that is nowhere; a test
    that needs it is then refused as one whose fixture is missing.
    """
    body = _body(text)
    files = [_Conftest(found) for found in map(_body, conftests) if found]
    if not body or not files:
        return text
    known = {
        fixture_of(node, False).name
        for node in body
        if isinstance(node, cst.FunctionDef) and is_fixture(node)
    }
    bound = set(uses(body).binds)
    chosen = _chosen(files, _asked(body), known)
    added: list[str] = []
    present = {code(node).strip() for node in body}
    for file, fixture in chosen:
        lines = file.needed(fixture)
        fresh = [node for node in lines or [] if code(node).strip() not in present]
        if lines is None or any(uses(node).binds & bound for node in fresh):
            continue
        for node in fresh:
            present.add(code(node).strip())
            added.append(code(node).strip("\n"))
            bound |= uses(node).binds
    return "\n".join([text.rstrip("\n"), "", "", *added, ""]) if added else text


def _body(text: str) -> list[Statement]:
    try:
        return flat(cst.parse_module(text).body)
    except (cst.ParserSyntaxError, RecursionError):
        return []


def _asked(body: Sequence[Statement]) -> set[str]:
    """Return the names that tests and fixtures of a module could ask for."""
    found: set[str] = set()
    for node in body:
        lines = [node, *(block(node.body) if isinstance(node, cst.ClassDef) else [])]
        for line in lines:
            if isinstance(line, cst.FunctionDef):
                found |= parameter_names(line.params)
            if isinstance(line, cst.FunctionDef | cst.ClassDef):
                found |= {name for each in line.decorators for name in _used(each)}
    return found


def _used(mark: cst.Decorator) -> list[str]:
    call = mark.decorator
    if not decorator_name(mark).endswith("usefixtures") or not isinstance(call, cst.Call):
        return []
    return [str(getattr(arg.value, "evaluated_value", "")) for arg in call.args]


def _chosen(files: Sequence[_Conftest], asked: set[str], known: set[str]) -> list[tuple[_Conftest, Fixture]]:
    """Return the fixtures that are asked for, or that run unasked, with those that they ask for in turn."""
    nearest: dict[str, tuple[_Conftest, Fixture]] = {}
    for file in files:
        for fixture in file.fixtures():
            nearest.setdefault(fixture.name, (file, fixture))
    there = known | set(nearest) | set(BUILT_IN_FIXTURES) | {"request"}
    wanted = set(asked)
    while True:
        wider = set(wanted)
        for name, (_, fixture) in nearest.items():
            params = parameter_names(fixture.function.params)
            if name in wanted or (fixture.autouse and params <= there - {"request"}):
                wider |= {name, *params}
        if wider == wanted:
            break
        wanted = wider
    return [pair for name, pair in nearest.items() if name in wanted and name not in known]
