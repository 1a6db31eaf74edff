"""Turn seeds into scenarios: self-contained functions, one for each shape, with named parameters."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst

from authoring.scenario.lifting.find import plain_assignment, single_constants
from authoring.scenario.lifting.lifted import Option
from authoring.scenario.lifting.literals import NOT_DATA, Constants, data_of
from authoring.scenario.lifting.opened import opened_with, within_opened
from authoring.scenario.lifting.parameters import (
    Lifter,
    Parameter,
    Signature,
    package_objects,
    written_cells,
)
from authoring.scenario.lifting.references import IsModule, Names, rewritten, unreserved
from authoring.scenario.lifting.seed import Seed, statements_of
from authoring.scenario.lifting.stand_ins import STAND_INS
from authoring.scenario.lifting.syntax import (
    Statement,
    block,
    bound_name,
    callee,
    code,
    dotted,
    expression,
    flat,
    formatted,
    replace_names,
    rewrite,
    single,
    statement,
    uses,
    walk,
)
from authoring.scenario.lifting.timers import without_timers
from authoring.scenario.lifting.views import Judgement, View

__all__ = ["Raw", "Shape", "finished", "parsed", "shaped", "with_single_uses"]

_NAME = "SCENARIO_NAME"


@dataclass(frozen=True, slots=True)
class Raw:
    """A seed's statements in canonical names, before literals are lifted."""

    seed: Seed
    lines: tuple[Statement, ...]
    own: tuple[bool, ...]

    @property
    def helpers(self) -> dict[str, cst.FunctionDef]:
        """The reproducer's own functions among the lines."""
        return {node.name.value: node for node in self.lines if isinstance(node, cst.FunctionDef)}


@dataclass(frozen=True, slots=True)
class Shape:
    """A seed's scenario under every view, with placeholders for name and parameters."""

    seed: Seed
    options: tuple[Option, ...]
    parameters: tuple[Parameter, ...]
    called: str
    """What the observation calls: the scenario's name, if it is free."""


_OWN_BEGIN, _OWN_END = "__own__()", "__shared__()"


def parsed(seed: Seed, is_own: Callable[[Statement], bool], is_module: IsModule, names: Names) -> Raw:
    """Return a seed's lines without timers and comments, its references to the package made canonical."""
    lines: list[Statement] = []
    for line in seed.lines:
        own = line.is_own or is_own(line.node)
        lines += [statement(_OWN_BEGIN if own else _OWN_END), line.node]
    text = cst.Module(body=lines).code
    module = _bare(without_timers(cst.parse_module(text)))
    module = rewritten(unreserved(module), is_module, names)
    found: list[tuple[Statement, bool]] = []
    own = False
    for node in flat(module.body):
        shown = code(node).strip()
        if shown in (_OWN_BEGIN, _OWN_END):
            own = shown == _OWN_BEGIN
        elif not _is_future(node):
            found.append((node, own))
    found = _without_dead_imports(found)
    return Raw(seed, tuple(node for node, _ in found), tuple(mine for _, mine in found))


def _is_future(node: Statement) -> bool:
    small = single(node)
    return isinstance(small, cst.ImportFrom) and dotted(small.module or cst.Name("x")) == "__future__"


def _without_dead_imports(found: list[tuple[Statement, bool]]) -> list[tuple[Statement, bool]]:
    read: set[str] = set()
    for node, _ in found:
        read |= uses(node).reads
    kept: list[tuple[Statement, bool]] = []
    for node, own in found:
        small = single(node)
        if isinstance(small, cst.Import) or (isinstance(small, cst.ImportFrom) and small.module is not None):
            if not uses(node).binds & read:
                continue
            if not isinstance(small.names, cst.ImportStar):
                aliases = [alias for alias in small.names if bound_name(alias) in read]
                kept.append((cst.SimpleStatementLine(body=[_only(small, aliases)]), own))
                continue
        kept.append((node, own))
    return kept


def _only(small: cst.Import | cst.ImportFrom, aliases: list[cst.ImportAlias]) -> cst.BaseSmallStatement:
    names = [alias.with_changes(comma=cst.MaybeSentinel.DEFAULT) for alias in aliases]
    names = [
        alias.with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
        for alias in names[:-1]
    ] + names[-1:]
    if isinstance(small, cst.ImportFrom):
        return small.with_changes(names=names, lpar=None, rpar=None)
    return small.with_changes(names=names)


def _without_docstring(body: cst.BaseSuite) -> cst.BaseSuite:
    lines = block(body)
    first = single(lines[0]) if lines else None
    if isinstance(first, cst.Expr) and isinstance(first.value, cst.SimpleString):
        return cst.IndentedBlock(body=lines[1:] or [statement("pass")])
    return body


def _bare(module: cst.Module) -> cst.Module:
    """Return a module without comments and the docstrings of functions and classes."""
    tight = cst.SimpleWhitespace("")
    return rewrite(
        module,
        {
            cst.EmptyLine: lambda *_: cst.RemoveFromParent(),
            cst.TrailingWhitespace: lambda _, new: new.with_changes(comment=None, whitespace=tight),
            cst.FunctionDef: lambda _, new: new.with_changes(body=_without_docstring(new.body)),
            cst.ClassDef: lambda _, new: new.with_changes(body=_without_docstring(new.body)),
        },
    )


def shaped(
    raw: Raw,
    filled: Mapping[str, frozenset[str]],
    varying: frozenset[str],
    original_of: Callable[[str], str | None],
    signature: Signature,
) -> Shape:
    """Return a seed's scenario under every view, with its literals lifted to placeholders."""
    raw = _joined(raw)
    lines = list(raw.lines)
    constants = with_single_uses(single_constants(lines), lines)
    held: set[str] = set()
    while True:
        known = {name: value for name, value in constants.values.items() if name not in held}
        lifter = Lifter(
            constants=type(constants)(known, constants.imports),
            helpers=raw.helpers,
            filled=filled,
            varying=varying,
            original_of=original_of,
            signature=signature,
            objects=package_objects(lines),
            scaffolding=_scaffolding(lines),
            cells=written_cells(lines, constants),
        )
        made = _lifted(raw, lifter, known)
        still = _still_read(made, raw, set(known))
        if not still:
            break
        held |= still
    made = _without_dead_constants(made, set(known))
    count = max((len(each.views) for each in raw.seed.judgements), default=1)
    options: list[Option] = []
    for at in range(count):
        words, text, only_bool = _under_view(made, raw.seed, at)
        if text not in [option.text for option in options]:
            options.append(Option(words, text, only_bool))
    return Shape(raw.seed, tuple(options), tuple(lifter.parameters), _called(raw, made))


def _scaffolding(lines: Sequence[Statement]) -> frozenset[str]:
    marks = [(line, opened_with(line)) for line in lines]
    kept = [line for line, mark in marks if mark is not None and callee(mark.args[0].value) in STAND_INS]
    return frozenset(uses(kept).binds)


def _joined(raw: Raw) -> Raw:
    """Return the lines with a value that is made only to be observed put where it is observed."""
    lines, own = list(raw.lines), list(raw.own)
    while len(lines) > 1:
        name, value = plain_assignment(lines[-2])
        small = single(lines[-1])
        if name is None or value is None or not isinstance(small, cst.Expr) or not own[-2]:
            break
        if opened_with(lines[-2]) is not None:
            break
        if data_of(value, single_constants(lines[:-1])) is not NOT_DATA:
            break
        if _reads(lines[-1], name) != 1 or any(name in uses(line).reads for line in lines[:-1]):
            break
        if isinstance(value, cst.Await | cst.Yield | cst.NamedExpr) or not _is_first(small, name, raw.seed):
            break
        if not isinstance(value, _BINDING_TIGHTLY):
            value = expression(code(value))
        lines[-2:] = [replace_names(lines[-1], {name: value})]
        own[-2:] = [True]
    return Raw(raw.seed, tuple(lines), tuple(own))


_BINDING_TIGHTLY = (cst.Call, cst.Attribute, cst.Name, cst.Subscript, cst.SimpleString, cst.List, cst.Dict)


def _is_first(node: cst.Expr, name: str, seed: Seed) -> bool:
    """Return whether an observation reads a name before it does anything else that could have an effect."""
    call = node.value
    if not isinstance(call, cst.Call) or callee(call) != "__seen__":
        return False
    judgement = seed.judgements[_number(call)]
    if any("\n" in view.template for view in judgement.views):
        subject = call.args[1].value if len(call.args) > 1 else None
        if subject is None or _reads(subject, name) != 1:
            return False
    done: list[bool] = []

    class Order(cst.CSTVisitor):
        def on_leave(self, original_node: cst.CSTNode) -> None:
            if isinstance(original_node, cst.Name) and original_node.value == name:
                done.append(True)
            elif not done and isinstance(
                original_node, cst.Call | cst.Subscript | cst.BinaryOperation | cst.Await
            ):
                done.append(False)

    call.visit(Order())
    return done[:1] == [True]


def _number(call: cst.Call) -> int:
    return int(str(getattr(call.args[0].value, "evaluated_value", "0")).split(",")[0])


def _reads(node: cst.CSTNode, name: str) -> int:
    """Return how often a node reads a name, counting what repeats or defers the reading as often."""
    count = 0

    class Count(cst.CSTVisitor):
        depth = 0

        def on_visit(self, node: cst.CSTNode) -> bool:
            self.depth += isinstance(node, _DEFERRING)
            return True

        def on_leave(self, original_node: cst.CSTNode) -> None:
            nonlocal count
            self.depth -= isinstance(original_node, _DEFERRING)
            if isinstance(original_node, cst.Name) and original_node.value == name:
                count += 2 if self.depth else 1

    node.visit(Count())
    return count


_DEFERRING = (cst.FunctionDef, cst.ClassDef, cst.Lambda, cst.BaseComp, cst.For, cst.While)


def with_single_uses(constants: Constants, lines: list[Statement]) -> Constants:
    """Return the constants, with data that can change but that one place alone reads."""
    values = dict(constants.values)
    bound = [name for node in lines for name in uses(node).binds]
    for node in lines:
        name, value = plain_assignment(node)
        if name is None or value is None or name in values or bound.count(name) != 1:
            continue
        data = data_of(value, constants)
        if (
            data is not NOT_DATA
            and data
            and sum(_reads(line, name) for line in lines if line is not node) == 1
        ):
            values[name] = data
    return Constants(values, constants.imports)


def _lifted(raw: Raw, lifter: Lifter, known: dict[str, object]) -> list[Statement]:
    made: list[Statement] = []
    definitions = [node for node in raw.lines if isinstance(node, cst.FunctionDef | cst.ClassDef)]
    captured = uses(definitions).reads if definitions else set()
    for node, own in zip(raw.lines, raw.own, strict=True):
        target = _constant_target(node, known)
        is_captured = bool(uses(node).binds & captured)
        if (
            own
            and target is None
            and not is_captured
            and not isinstance(node, cst.FunctionDef | cst.ClassDef)
        ):
            made.append(lifter.lift_statement(node))
        else:
            made.append(node)
    return made


def _constant_target(node: Statement, known: dict[str, object]) -> str | None:
    small = single(node)
    if (
        isinstance(small, cst.Assign)
        and len(small.targets) == 1
        and isinstance(small.targets[0].target, cst.Name)
    ):
        name = small.targets[0].target.value
        return name if name in known else None
    return None


def _still_read(made: list[Statement], raw: Raw, known: set[str]) -> set[str]:
    """Return the check's own constants that something reads although they were lifted elsewhere or not at all."""
    read: set[str] = set()
    for node in made:
        if _constant_target(node, dict.fromkeys(known)) is None:
            read |= uses(node).reads
    own = {_constant_target(node, dict.fromkeys(known)) for node in raw.lines}
    return {name for name in own if name is not None and name in read}


def _without_dead_constants(made: list[Statement], known: set[str]) -> list[Statement]:
    while True:
        left = [line for line in made if not _is_dead_constant(line, made, known)]
        if len(left) == len(made):
            return left
        made = left


def _is_dead_constant(node: Statement, made: list[Statement], known: set[str]) -> bool:
    name = _constant_target(node, dict.fromkeys(known))
    return name is not None and all(name not in uses(other).reads for other in made)


class _Observe:
    """Puts one view of each judgement where its ``__seen__`` call stands."""

    def __init__(self, judgements: Sequence[Judgement], at: int) -> None:
        self.judgements = judgements
        self.at = at
        self.used: list[View] = []

    def put(self, module: cst.Module) -> cst.Module:
        """Return a module with its observations under this view; globals of functions become variables."""
        return rewrite(
            module,
            {cst.SimpleStatementLine: self._line, cst.Global: lambda _, new: cst.Nonlocal(names=new.names)},
        )

    def _line(self, _: cst.SimpleStatementLine, line: cst.SimpleStatementLine) -> Any:
        small = single(line)
        value = small.value if isinstance(small, cst.Expr) else None
        if not isinstance(value, cst.Call) or callee(value) != "__seen__":
            return line
        views = self.judgements[_number(value)].views
        view = views[min(self.at, len(views) - 1)]
        self.used.append(view)
        text = view.template
        for place, arg in enumerate(value.args[1:]):
            text = text.replace(f"({{{place}}})", f"({_loose(arg.value)})")
            text = text.replace(f"{{{place}}}", _tight(arg.value))
        return cst.FlattenSentinel(statements_of(text + "\n"))


def _loose(node: cst.BaseExpression) -> str:
    """Return an expression's text as the only argument of a call."""
    is_open = isinstance(node, cst.Tuple | cst.GeneratorExp | cst.NamedExpr | cst.Yield)
    return _tight(node) if is_open else code(node.with_changes(lpar=[], rpar=[]) if node.lpar else node)


def _tight(node: cst.BaseExpression) -> str:
    """Return an expression's text, in parentheses only where an operator beside it could take part of it."""
    loose = (
        cst.BooleanOperation | cst.Comparison | cst.UnaryOperation | cst.Lambda | cst.IfExp | cst.NamedExpr
    )
    bare = node.with_changes(lpar=[], rpar=[]) if node.lpar else node
    text = code(bare)
    is_split = "\n" in text or isinstance(node, loose | cst.BinaryOperation | cst.GeneratorExp | cst.Await)
    is_tuple = isinstance(node, cst.Tuple) and not text.startswith("(")
    return f"({text})" if is_split or is_tuple or isinstance(node, cst.Tuple) else text


def _under_view(made: list[Statement], seed: Seed, at: int) -> tuple[str, str, bool]:
    observe = _Observe(seed.judgements, at)
    module = observe.put(cst.Module(body=made))
    lines = flat(module.body)
    for view in observe.used:
        if view.helper and view.helper not in [code(line) for line in lines]:
            lines = [*statements_of(view.helper), *lines]
    lines = _imports_first([node for node, _ in _without_dead_imports([(line, True) for line in lines])])
    lines = within_opened(lines)
    if seed.found.is_async:
        lines = _in_coroutine(lines)
    whole = cst.parse_statement(f"def {_NAME}(program, p, seen):\n    pass\n")
    assert isinstance(whole, cst.FunctionDef)
    text = code(whole.with_changes(body=cst.IndentedBlock(body=lines)))
    main = observe.used[-1] if observe.used else View("ends", "")
    return main.words, text, any(view.only_bool for view in observe.used)


def _imports_first(lines: list[Statement]) -> list[Statement]:
    def is_import(node: Statement) -> bool:
        return isinstance(single(node), cst.Import | cst.ImportFrom)

    shown: set[str] = set()
    first: list[Statement] = []
    for node in filter(is_import, lines):
        if code(node) not in shown:
            shown.add(code(node))
            first.append(node)
    return first + [node for node in lines if not is_import(node)]


def _in_coroutine(lines: list[Statement]) -> list[Statement]:
    whole = cst.parse_statement("async def run():\n    pass\n")
    assert isinstance(whole, cst.FunctionDef)
    return [
        statement("import asyncio"),
        whole.with_changes(body=cst.IndentedBlock(body=lines)),
        statement("asyncio.run(run())"),
    ]


_SKIPPED = frozenset(
    [
        "list",
        "len",
        "sorted",
        "str",
        "tuple",
        "dict",
        "set",
        "frozenset",
        "type",
        "bool",
        "repr",
        "any",
        "all",
        "min",
        "max",
        "sum",
        "round",
        "abs",
        "iter",
        "next",
        "isinstance",
        "asyncio.run",
        "itertools.islice",
        "islice",
        "vars",
        "int",
        "float",
        "bytes",
    ]
)


_SCAFFOLDING = frozenset(
    """
    format join strip count setUp setUpClass asyncSetUp setup_method setup_class setUpModule setup_module
    setup_function subTest setattr delattr setitem delitem setenv delenv chdir syspath_prepend readouterr
    catch_warnings simplefilter filterwarnings SimpleNamespace mkdtemp Patches Printed Logged __opened__
    __opened_async__ set_level at_level
    """.split()
)
"""Calls that give a scenario no name: they are of its set-up, or say how something is looked at."""


def _called(raw: Raw, made: list[Statement]) -> str:
    """Return a name for the scenario: of the reproducer's function or the package's name that it calls."""
    found: list[str] = []

    def look(line: Statement) -> None:
        for node in walk(line):
            name = callee(node)
            last = name.rpartition(".")[2]
            if (
                not name
                or name == "__seen__"
                or name in _SKIPPED
                or last in _SCAFFOLDING
                or name.startswith(("self.assert", "re."))
                or last.startswith("assert_")
            ):
                continue
            if "." in name or name in raw.helpers:
                found.append(last)

    marked = [line for line in made if "__seen__" in code(line) and not isinstance(line, cst.FunctionDef)]
    for line in [*marked[:1], *[node for node in reversed(made) if not isinstance(node, cst.FunctionDef)]]:
        look(line)
        if found:
            break
    name = found[0] if found else raw.seed.found.function or "check"
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    name = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")
    return name if name.isidentifier() and name not in ("program", "p", "seen") else "check"


def finished(text: str, name: str, keys: Sequence[str]) -> str:
    """Return a scenario's text with its name and the names of its parameters."""
    for number in range(len(keys), 0, -1):
        text = text.replace(f'p["@{number}"]', f'p["{keys[number - 1]}"]')
    return formatted(text.replace(_NAME, name))
