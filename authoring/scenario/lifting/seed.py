"""Put together what one check needs: the script that judges it alone, and the raw form of its scenario."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import libcst as cst

from authoring.scenario.lifting.classes import without_case_base
from authoring.scenario.lifting.find import (
    MARK,
    Found,
    imports_of,
    judging_functions,
    plain_assignment,
    single_constants,
)
from authoring.scenario.lifting.items import Item, fails, holds_assertion, negated
from authoring.scenario.lifting.literals import Constants
from authoring.scenario.lifting.opened import within_opened
from authoring.scenario.lifting.references import IsModule, is_package_name
from authoring.scenario.lifting.slicing import Line, kept_lines
from authoring.scenario.lifting.stand_ins import PYTEST_STAND_IN, trimmed
from authoring.scenario.lifting.syntax import (
    Statement,
    Uses,
    block,
    bound_name,
    callee,
    code,
    dotted,
    flat,
    replace_names,
    rewrite,
    single,
    statement,
    uses,
    walk,
)
from authoring.scenario.lifting.views import Judgement, Sight, judge, must_end, must_raise

__all__ = ["Seed", "plant"]


@dataclass(frozen=True, slots=True)
class Seed:
    """One check with the statements that it needs, in the reproducer's own names."""

    found: Found
    kept: tuple[Line, ...]
    """The last line holds the mark."""
    script: str
    lines: tuple[Line, ...]
    """The same, with ``__seen__`` calls where something is observed."""
    judgements: tuple[Judgement, ...]
    """By the number in each ``__seen__`` call."""
    tainted: frozenset[str]


def plant(found: Found, is_module: IsModule) -> Seed:
    """Return a check's seed: its set-up sliced, its judgement and those of its helpers made observations."""
    body = _apart(found)
    lines = [Line(node) for node in found.module] + [Line(node, True) for node in body]
    item = found.item
    is_timed = item.kind == "assert" and _reads_clock(item.test, lines)
    extra = uses([item.node, *item.body, *([item.errors] if item.errors is not None else [])])
    constants = single_constants([line.node for line in lines])
    tainted = _tainted(lines, is_module)
    positions = range(len(lines)) if is_timed else kept_lines(lines, extra, constants, tainted)
    kept = [lines[position] for position in positions]
    tidied = _tidied(kept, item)
    if tidied != kept:
        # what only a base or a method that went needed is needed no longer
        kept = tidied if is_timed else [tidied[at] for at in kept_lines(tidied, extra, constants, tainted)]
    tainted = _tainted(kept, is_module)
    sight = Sight(tainted, single_constants([line.node for line in kept]))
    if is_timed:
        found = replace(found, item=replace(item, kind="inner", node=statement("pass")))
    observing = _Observing(sight, judging_functions(_functions(kept)))
    observed = [made for line in kept for made in _observed(line, found, observing)]
    if len(observed) == len(kept) and not is_timed:
        # what only the dropped side of a comparison needed is needed no longer
        observed = [observed[at] for at in kept_lines(observed, Uses(), constants_of(observed), tainted)]
    return Seed(
        found,
        tuple(kept),
        _script(found, item.node, kept),
        tuple(observed),
        tuple(observing.judgements),
        tainted,
    )


def _tidied(kept: list[Line], item: Item) -> list[Line]:
    """Return lines whose classes have only the bases and methods that something asks for."""
    judged = [item.node, *item.body]
    nodes = without_case_base([line.node for line in kept], judged)
    nodes = trimmed(nodes, [*nodes, *judged])
    return [replace(line, node=node) for line, node in zip(kept, nodes, strict=True)]


def _apart(found: Found) -> tuple[Statement, ...]:
    """Return the check function's statements with local names that the module binds too renamed."""
    if not found.body:
        return ()
    outer = uses(list(found.module)).binds
    local = uses([node for node in found.body if not _is_import(node)]).binds
    shared = {name for node in found.module if not _is_import(node) for name in uses(node).reads}
    names = {name: cst.Name(f"{name}_here") for name in local & outer & shared}
    return tuple(replace_names(node, names) for node in found.body) if names else found.body


def _is_import(node: Statement) -> bool:
    return isinstance(single(node), cst.Import | cst.ImportFrom)


def _functions(kept: Sequence[Line]) -> dict[str, cst.FunctionDef]:
    return {line.node.name.value: line.node for line in kept if isinstance(line.node, cst.FunctionDef)}


def _tainted(kept: Sequence[Line], is_module: IsModule) -> frozenset[str]:
    """Return the names whose values come from the package, or were changed by it."""
    imports = imports_of([line.node for line in kept])
    found = {name for name, full in imports.items() if is_package_name(full, is_module)}
    while True:
        wider = set(found)
        for line in kept:
            seen = uses(line.node)
            if isinstance(single(line.node), cst.Import | cst.ImportFrom) or not seen.reads & wider:
                continue
            wider |= seen.binds
            if not isinstance(line.node, cst.FunctionDef | cst.ClassDef):
                wider |= _changed(line.node)
        if wider == found:
            return frozenset(found)
        found = wider


def _changed(node: Statement) -> set[str]:
    """Return the variables that a statement changes through a method, an attribute or an item."""
    small = single(node)
    roots: set[str] = set()
    if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call):
        roots.add((dotted(small.value.func) or "").split(".")[0])
    if isinstance(small, cst.Assign):
        for target in small.targets:
            roots |= uses(target.target).reads if not isinstance(target.target, cst.Name) else set()
    return roots - {""}


class _Observing:
    """Replaces judgements inside other code by ``__seen__`` calls, and keeps them in their order."""

    def __init__(self, sight: Sight, judging: frozenset[str]) -> None:
        self.sight = sight
        self.judging = judging
        self.judgements: list[Judgement] = []

    def add(self, judgement: Judgement) -> Statement:
        """Record a judgement and return the statement that stands for it."""
        self.judgements.append(judgement)
        number = f'"{",".join([str(len(self.judgements) - 1), *judgement.hints])}"'
        subjects = ", ".join(f"({code(subject)})" for subject in judgement.subjects)
        return statement(f"__seen__({number}, {subjects})")

    def rewritten(self, node: Statement) -> list[Statement]:
        """Return a statement with its judgements made observations; one that is judged itself may become several."""
        made: Any = rewrite(node, {cst.SimpleStatementLine: self._line, cst.If: self._condition})
        return list(made) if isinstance(made, cst.FlattenSentinel) else [made]

    def _line(self, _: cst.SimpleStatementLine, line: cst.SimpleStatementLine) -> Any:
        if not any(isinstance(small, cst.Assert) for small in line.body):
            return line
        return cst.FlattenSentinel([self._observed(each) for each in flat([line])])

    def _observed(self, line: Statement) -> Statement:
        small = single(line)
        if isinstance(small, cst.Assert) and not fails(small):
            return self.add(judge(small.test, self.sight))
        return line

    def _condition(self, _: cst.If, node: cst.If) -> cst.BaseStatement:
        body = block(node.body)
        if node.orelse is None and body and fails(body[-1]) and not holds_assertion(body[:-1]):
            return self.add(judge(negated(node.test), self.sight))
        return node


def _observed(line: Line, found: Found, observing: _Observing) -> list[Line]:
    if isinstance(line.node, cst.FunctionDef | cst.ClassDef):
        if isinstance(line.node, cst.FunctionDef) and not holds_assertion(line.node):
            return [line]
        return [Line(made, line.is_own) for made in observing.rewritten(line.node)]
    if MARK not in code(line.node):
        return [line]
    return [Line(node, True) for node in flat(_put(_observations(found, observing), line.node))]


def _put(lines: list[Statement], node: Statement) -> list[Statement]:
    """Return a statement with lines where the mark stands in it."""

    def marked(_: cst.SimpleStatementLine, line: cst.SimpleStatementLine) -> Any:
        return cst.FlattenSentinel(lines) if code(line).strip() == MARK else line

    made: Any = rewrite(node, {cst.SimpleStatementLine: marked})
    return list(made) if isinstance(made, cst.FlattenSentinel) else [made]


def _observations(found: Found, observing: _Observing) -> list[Statement]:
    """Return the statements that observe what the check judges."""
    item = found.item
    if item.kind == "assert" and item.test is not None:
        return [observing.add(judge(item.test, observing.sight))]
    if item.kind == "inner":
        return _observed_inside(item, observing)
    body = list(item.body) if item.kind == "raises" else [item.node]
    last = single(body[-1]) if body else None
    value = last.value if isinstance(last, cst.Expr) else None
    if value is None and last is not None and item.kind == "raises":
        value = plain_assignment(last)[1]
    if value is None:
        return [*body, observing.add(must_end(None))]
    return [*body[:-1], observing.add(must_raise(value) if item.kind == "raises" else must_end(value))]


def _observed_inside(item: Item, observing: _Observing) -> list[Statement]:
    small = single(item.node)
    if isinstance(small, cst.Pass):
        return [observing.add(must_end(None))]
    if isinstance(small, cst.Expr) and not _calls_judging(item.node, observing.judging):
        return [item.node, observing.add(must_end(None))]
    return observing.rewritten(item.node)


def _calls_judging(node: Statement, judging: frozenset[str]) -> bool:
    return bool(uses(node).reads & judging)


_CLOCKS = frozenset(
    [
        "time",
        "perf_counter",
        "monotonic",
        "process_time",
        "time_ns",
        "perf_counter_ns",
        "monotonic_ns",
        "default_timer",
    ]
)


def _reads_clock(test: cst.BaseExpression | None, lines: Sequence[Line]) -> bool:
    """Return whether a test judges how long something took: the box bounds that, so it has only to end."""
    if not isinstance(test, cst.Comparison):
        return False
    clocks: set[str] = set()
    for line in lines:
        if isinstance(line.node, cst.SimpleStatementLine) and (
            _calls_clock(line.node) or uses(line.node).reads & clocks
        ):
            clocks |= uses(line.node).binds
    is_order = all(
        isinstance(each.operator, cst.LessThan | cst.LessThanEqual | cst.GreaterThan | cst.GreaterThanEqual)
        for each in test.comparisons
    )
    return is_order and (_calls_clock(test) or bool(uses(test).reads & clocks))


def _calls_clock(node: cst.CSTNode) -> bool:
    return any(callee(each).rpartition(".")[2] in _CLOCKS for each in walk(node))


def _script(found: Found, judged: Statement, kept: Sequence[Line]) -> str:
    module = [line.node for line in kept if not line.is_own]
    own = [line.node for line in kept if line.is_own]
    lines = [made for node in module for made in _put([judged], node)]
    if own:
        body = within_opened([made for node in own for made in _put([judged], node)])
        kind = "async def" if found.is_async else "def"
        name = (found.function or "check").replace(".", "_")
        name = name if name.isidentifier() else "check"
        whole = cst.parse_statement(f"{kind} {name}():\n    pass\n")
        assert isinstance(whole, cst.FunctionDef)
        lines.append(whole.with_changes(body=cst.IndentedBlock(body=body)))
        call = f"{name}()"
        lines += (
            [statement("import asyncio"), statement(f"asyncio.run({call})")]
            if found.is_async
            else [statement(call)]
        )
    return _with_stand_in(cst.Module(body=_futures_first(lines)))


def _futures_first(lines: list[Statement]) -> list[Statement]:
    def is_future(node: Statement) -> bool:
        small = single(node)
        return isinstance(small, cst.ImportFrom) and dotted(small.module or cst.Name("x")) == "__future__"

    return [node for node in lines if is_future(node)] + [node for node in lines if not is_future(node)]


def _with_stand_in(module: cst.Module) -> str:
    text = module.code
    if "pytest" not in uses(list(flat(module.body))).reads | set(imports_of(flat(module.body)).values()):
        needs = any(full.startswith("pytest.") for full in imports_of(flat(module.body)).values())
        if not needs and "import pytest" not in text:
            return text
    kept: list[Statement] = []
    for node in flat(module.body):
        small = single(node)
        if isinstance(small, cst.Import) and any(code(alias.name) == "pytest" for alias in small.names):
            kept += statements_of(PYTEST_STAND_IN)
            for alias in small.names:
                if code(alias.name) != "pytest":
                    kept.append(
                        statement(f"import {code(alias.with_changes(comma=cst.MaybeSentinel.DEFAULT))}")
                    )
                elif alias.asname is not None:
                    kept.append(statement(f"{bound_name(alias)} = pytest"))
        elif isinstance(small, cst.ImportFrom) and dotted(small.module or cst.Name("x")) == "pytest":
            kept += statements_of(PYTEST_STAND_IN)
            if not isinstance(small.names, cst.ImportStar):
                names = [(code(alias.asname.name) if alias.asname else code(alias.name), code(alias.name))
                         for alias in small.names]  # fmt: skip
                kept += [statement(f"{bound} = pytest.{name}") for bound, name in names]
        else:
            kept.append(node)
    return cst.Module(body=kept).code


def statements_of(text: str) -> list[Statement]:
    """Return the statements of a text of ours."""
    return list(cst.parse_module(text).body)


def constants_of(lines: Sequence[Line]) -> Constants:
    """Return the constants among lines."""
    return single_constants([line.node for line in lines])
