"""Find the checks of a reproducer: what each judges, and the set-up before it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import libcst as cst

from authoring.scenario.lifting.items import Item, holds_assertion
from authoring.scenario.lifting.literals import NOT_DATA, Constants, data_of, is_changeable
from authoring.scenario.lifting.normalise import Context, normalised
from authoring.scenario.lifting.pytest_forms import Cases, Module, cases_of, is_fixture
from authoring.scenario.lifting.syntax import (
    Statement,
    block,
    code,
    dotted,
    flat,
    parameter_names,
    rewrite,
    single,
    statement,
    uses,
)

__all__ = ["MARK", "Found", "Unfit", "find_checks", "imports_of", "judging_functions", "single_constants"]

MARK = "__check__()"
"""The statement that stands where the check stands."""

_CHECK_NAME = re.compile(r"(?:check|test)_\w+")
CHECKS_CAP = 150


@dataclass(frozen=True, slots=True)
class Found:
    """One check: its place in the reproducer, the statements before it, and what is judged."""

    id: str
    function: str
    line: int
    origin: str
    """The same for the checks that come from one statement of the reproducer."""
    module: tuple[Statement, ...]
    """Set-up at module level, then, for a check at module level, the statement that holds :data:`MARK`."""
    body: tuple[Statement, ...]
    """Set-up in the check's own function, then the statement that holds :data:`MARK`; empty at module level."""
    item: Item
    is_async: bool = False


@dataclass(frozen=True, slots=True)
class Unfit:
    """A test that cannot be taken out of its suite, and why."""

    id: str
    line: int
    reason: str


Position = Callable[[cst.CSTNode, int], int]
"""The line of a node, or the given one where the node is not of the original text."""


@dataclass(slots=True)
class _Frame:
    """A function, or the module, in which checks are found."""

    label: str
    module: list[Statement]
    is_function: bool
    is_async: bool = False
    found: list[tuple[Item, list[Statement], str]] = field(default_factory=list)


def find_checks(
    module: cst.Module, position: Position, *, only: str = "", evaluated: frozenset[str] = frozenset()
) -> tuple[list[Found], list[Unfit]]:
    """Return the checks of a reproducer in their order, and the tests that could not be taken.

    ``only`` limits it to one test function (``test_a`` or ``TestA::test_a``); for the ids in ``evaluated`` the
    judgements before the check are evaluated, with what they say dropped, instead of being left out.
    """
    body = [node for node in flat(module.body) if not _is_docstring(node)]
    guards = [node for node in body if _is_main_guard(node)]
    body = [node for node in body if not _is_main_guard(node)]
    cases, unfit = _cases(body, position, only)
    context = _context(body)
    if unfit and not cases and not holds_assertion(list(filter(_is_statement, body)), context.asserting):
        return [], unfit
    if cases:
        beside = [
            Unfit(
                "at module level",
                position(node, 1),
                "it stands beside functions that check; move it into one",
            )
            for node in body
            if _is_statement(node) and holds_assertion(node, context.asserting)
        ]
        return _from_functions(body, cases, context, position, evaluated), [*unfit, *beside]
    items = [Item(node, position(node, 1)) for node in body]
    inside = [Item(node, position(node, 1)) for guard in guards for node in _guarded(guard)]
    if not holds_assertion([item.node for item in items if _is_statement(item.node)], context.asserting):
        items += inside
    found = _Frame("", [], False)
    _walk(_ending(normalised(items, context)), [], found, position, evaluated)
    return _numbered(found), unfit


def _is_docstring(node: Statement) -> bool:
    small = single(node)
    return isinstance(small, cst.Expr) and isinstance(
        small.value, cst.SimpleString | cst.ConcatenatedString | cst.Ellipsis
    )


def _is_main_guard(node: Statement) -> bool:
    return isinstance(node, cst.If) and "__name__" in uses(node.test).reads and "__main__" in code(node.test)


def _guarded(guard: Statement) -> list[Statement]:
    return block(guard.body) if isinstance(guard, cst.If) else []


def _is_statement(node: Statement) -> bool:
    return not isinstance(node, cst.FunctionDef | cst.ClassDef)


def judging_functions(functions: dict[str, cst.FunctionDef]) -> frozenset[str]:
    """Return the functions that judge something, themselves or by calling one that does."""
    found: frozenset[str] = frozenset()
    while True:
        more = frozenset(name for name, node in functions.items() if holds_assertion(node, found))
        if more == found:
            return found
        found = more


def _context(body: list[Statement]) -> Context:
    functions = {node.name.value: node for node in body if isinstance(node, cst.FunctionDef)}
    return Context(functions, judging_functions(functions), single_constants(body))


def imports_of(body: list[Statement]) -> dict[str, str]:
    """Return ``{name: what is imported under it}`` for the imports among statements."""
    found: dict[str, str] = {}
    for node in body:
        small = single(node)
        if isinstance(small, cst.Import):
            for alias in small.names:
                whole = dotted(alias.name) or ""
                bound = code(alias.asname.name) if alias.asname else whole.split(".")[0]
                found[bound] = whole if alias.asname else bound
        elif (
            isinstance(small, cst.ImportFrom) and not isinstance(small.names, cst.ImportStar) and small.module
        ):
            for alias in small.names:
                bound = code(alias.asname.name) if alias.asname else code(alias.name)
                found[bound] = f"{dotted(small.module)}.{code(alias.name)}"
    return found


def single_constants(body: list[Statement]) -> Constants:
    """Return the names that stand for data: bound once, by a plain assignment, to data that cannot change."""
    counts: dict[str, int] = {}
    for node in body:
        for name in uses(node).binds:
            counts[name] = counts.get(name, 0) + 1
    constants = Constants({}, imports_of(body))
    for node in body:
        target, value = plain_assignment(node)
        if target is None or value is None or counts[target] != 1:
            continue
        data = data_of(value, constants)
        if data is not NOT_DATA and (not is_changeable(data) or _only_iterated(target, body)):
            constants = Constants({**constants.values, target: data}, constants.imports)
    return constants


def _only_iterated(name: str, body: list[Statement]) -> bool:
    """Return whether a list's name occurs only where loops run over it."""
    loops = sum(isinstance(node, cst.For) and name in uses(node.iter).reads for node in body)
    nested = sum(
        name in uses(inner.iter).reads
        for node in body
        if isinstance(node, cst.FunctionDef)
        for inner in block(node.body)
        if isinstance(inner, cst.For)
    )
    return loops + nested > 0 and sum(name in uses(node).reads for node in body) <= loops + nested


def plain_assignment(node: cst.CSTNode) -> tuple[str | None, cst.BaseExpression | None]:
    """Return name and value of ``name = value``, else two Nones."""
    small = single(node)
    if (
        isinstance(small, cst.Assign)
        and len(small.targets) == 1
        and isinstance(small.targets[0].target, cst.Name)
    ):
        return small.targets[0].target.value, small.value
    if isinstance(small, cst.AnnAssign) and isinstance(small.target, cst.Name) and small.value is not None:
        return small.target.value, small.value
    return None, None


def _cases(body: list[Statement], position: Position, only: str) -> tuple[list[Cases], list[Unfit]]:
    called = _called_names(body)
    cases: list[Cases] = []
    unfit: list[Unfit] = []
    module = Module(body, imports_of(body), _all_constants(body), _bound_once(body))
    for made in cases_of(module, lambda name: bool(_CHECK_NAME.fullmatch(name)), only):
        function = made.function
        if isinstance(made.refusal, str):
            if function.name.value in called and parameter_names(function.params):
                continue
            unfit.append(Unfit(made.label, position(function, 1), made.refusal))
        elif not (function.name.value in called and parameter_names(function.params)):
            cases.append(made)
    return cases, unfit


def _bound_once(body: list[Statement]) -> dict[str, cst.BaseExpression]:
    """Return the values of the names that statements bind once, by a plain assignment."""
    bound = [name for node in body for name in uses(node).binds]
    pairs = [plain_assignment(node) for node in body]
    return {name: value for name, value in pairs if name and value is not None and bound.count(name) == 1}


def _all_constants(body: list[Statement]) -> Constants:
    """Return the names that stand for data where a module has been read to its end, those for lists too."""
    constants = Constants({}, imports_of(body))
    for name, value in _bound_once(body).items():
        data = data_of(value, constants)
        if data is not NOT_DATA:
            constants = Constants({**constants.values, name: data}, constants.imports)
    return constants


def _called_names(body: list[Statement]) -> set[str]:
    """Return the names that module-level code or other functions read: helpers, not checks."""
    found: set[str] = set()
    for node in body:
        own = node.name.value if isinstance(node, cst.FunctionDef) else ""
        found |= uses(node).reads - {own}
    return found


def _from_functions(
    body: list[Statement], cases: list[Cases], context: Context, position: Position, evaluated: frozenset[str]
) -> list[Found]:
    taken = {id(case.top) for case in cases if isinstance(case.top, cst.FunctionDef)}
    module = [
        _bared(node, cases)
        for node in body
        if id(node) not in taken and not _is_other_test(node, cases) and not is_fixture(node)
    ]
    module = [line for node in module for line in _without_judgement(node, context)]
    found: list[Found] = []
    for case in cases:
        frame = _Frame(case.label, module, True, case.waits)
        start = position(case.function, 1)
        pairs = [(written, line) for written, line in case.lines if not _is_docstring(line)]
        lines = [line for _, line in pairs]
        items = [Item(node, start) for node in case.before]
        items += [Item(line, position(written, start)) for written, line in pairs]
        local = single_constants([*body, *case.before, *lines])
        local_context = replace(context, constants=local)
        _walk(_ending(normalised(items, local_context)), [], frame, position, evaluated)
        found += _numbered(frame)
    return found[:CHECKS_CAP]


def _is_other_test(node: Statement, cases: list[Cases]) -> bool:
    if not isinstance(node, cst.FunctionDef) or not _CHECK_NAME.fullmatch(node.name.value):
        return False
    return all(node.name.value not in uses(case.function).reads for case in cases) and (
        not parameter_names(node.params) or node.name.value.startswith("test_")
    )


def _bared(node: Statement, cases: list[Cases]) -> Statement:
    """Return a test class, or a base of one, without its tests, where its helpers are needed."""
    if not isinstance(node, cst.ClassDef):
        return node
    return next((case.bare[node.name.value] for case in cases if node.name.value in case.bare), node)


def _without_judgement(node: Statement, context: Context) -> list[Statement]:
    if not _is_statement(node) or not holds_assertion(node, context.asserting):
        return [node]
    return _softened(Item(node, 1), context)


def _ending(items: list[Item]) -> list[Item]:
    """Where nothing is judged, make the last statement, or each call at module level, one that has to end."""
    if any(item.kind != "setup" for item in items):
        return items
    calls = [
        position
        for position, item in enumerate(items)
        if isinstance(single(item.node), cst.Expr) and not code(item.node).startswith("print")
    ]
    last = [position for position, item in enumerate(items) if _may_fail(item.node)][-1:]
    chosen = set(calls or last)
    return [replace(item, kind="ends") if at in chosen else item for at, item in enumerate(items)]


def _may_fail(node: Statement) -> bool:
    small = single(node)
    return not isinstance(small, cst.FunctionDef | cst.ClassDef | cst.Import | cst.ImportFrom | cst.Pass)


def _walk(
    items: list[Item], before: list[Statement], frame: _Frame, position: Position, evaluated: frozenset[str]
) -> list[Statement]:
    """Record the checks among items; return the statements that stay as set-up for what follows."""
    kept = list(before)
    for item in items:
        if item.is_judged or item.kind == "inner":
            frame.found.append((item, [*kept, statement(MARK)], _origin(item)))
            kept += _evaluated(item, evaluated)
        elif item.kind == "with" and isinstance(item.node, cst.With):
            kept += _within(item, kept, frame, position, evaluated)
        else:
            kept.append(item.node)
    return kept


def _origin(item: Item) -> str:
    return str(item.line)


def _within(
    item: Item, before: list[Statement], frame: _Frame, position: Position, evaluated: frozenset[str]
) -> list[Statement]:
    """Record the checks inside a with block, each in a copy of the block that ends with it."""
    assert isinstance(item.node, cst.With)
    inner_frame = _Frame(frame.label, frame.module, frame.is_function)
    lines = [Item(node, position(node, item.line)) for node in block(item.node.body)]
    context = Context({}, frozenset(), Constants({}, {}))
    left = _walk(normalised(lines, context), [], inner_frame, position, evaluated)
    for inner, statements_before, origin in inner_frame.found:
        body = cst.IndentedBlock(body=statements_before)
        frame.found.append((inner, [*before, item.node.with_changes(body=body)], origin))
    body = cst.IndentedBlock(body=left or [statement("pass")])
    return [item.node.with_changes(body=body)]


def _evaluated(item: Item, evaluated: frozenset[str]) -> list[Statement]:
    """Return what stays of a judged statement for those after it."""
    if item.kind == "ends":
        return [item.node]
    if item.kind == "inner" and not isinstance(single(item.node), cst.Expr):
        return [_soft(item.node)]
    if not evaluated:
        return []
    lines = [statement(code(item.test))] if item.test is not None else list(item.body)
    soft = cst.parse_statement("with contextlib.suppress(Exception):\n    pass\n")
    assert isinstance(soft, cst.With)
    return [statement("import contextlib"), soft.with_changes(body=cst.IndentedBlock(body=lines))]


def _soft(node: Statement) -> Statement:
    """Return a statement without the assertions in it."""

    def without(_: cst.SimpleStatementLine, line: cst.SimpleStatementLine) -> cst.SimpleStatementLine:
        kept = [small for small in line.body if not isinstance(small, cst.Assert)]
        return line.with_changes(body=kept or [cst.Pass()])

    return rewrite(node, {cst.SimpleStatementLine: without})


def _softened(item: Item, context: Context) -> list[Statement]:
    lines: list[Statement] = []
    for each in normalised([item], context):
        if each.kind == "setup":
            lines.append(each.node)
        elif each.kind in ("with", "inner") and not isinstance(single(each.node), cst.Expr):
            lines.append(_soft(each.node))
    return lines


def _numbered(frame: _Frame) -> list[Found]:
    count = len(frame.found)
    made: Iterator[tuple[int, tuple[Item, list[Statement], str]]] = enumerate(frame.found[:CHECKS_CAP], 1)
    found = []
    for number, (item, lines, origin) in made:
        name = frame.label or "check"
        label = f"{name}_{number}" if not frame.is_function else name if count == 1 else f"{name}.{number}"
        module = (*frame.module,) if frame.is_function else tuple(lines)
        body = tuple(lines) if frame.is_function else ()
        scope = frame.label if frame.is_function else origin
        found.append(Found(label, frame.label, item.line, scope, module, body, item, frame.is_async))
    return found
