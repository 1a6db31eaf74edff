"""Lift the literals that a check hands to the package into parameters of its scenario."""

import datetime
import decimal
import fractions
import keyword
import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import libcst as cst

from authoring.scenario.lifting.literals import NOT_DATA, Constants, data_of
from authoring.scenario.lifting.syntax import (
    Statement,
    all_parameters,
    block,
    callee,
    code,
    dotted,
    single,
    uses,
    walk,
)

__all__ = ["Lifter", "Parameter", "package_objects", "placeholder", "written_cells"]

Signature = Callable[[str], Sequence[str] | None]
"""From ``module:name`` of the package to the names of its positional parameters, where that is known."""

_OPERATIONS = frozenset(
    [
        "encode",
        "decode",
        "join",
        "format",
        "strip",
        "lstrip",
        "rstrip",
        "startswith",
        "endswith",
        "sleep",
        "getattr",
        "hasattr",
        "setattr",
        "isinstance",
        "issubclass",
        "print",
        "open",
        "strftime",
        "object",
        "patch",
        "writestr",
        "getLogger",
        "simplefilter",
        "filterwarnings",
        "catch_warnings",
        "import_module",
        "Barrier",
        "Semaphore",
        "BoundedSemaphore",
        "Timer",
    ]
)
"""Calls whose literals say what is done, not what it is done to."""
_KNOBS = frozenset(
    [
        "timeout",
        "daemon",
        "max_workers",
        "processes",
        "block",
        "blocking",
        "wait",
        "cancel_futures",
        "raising",
        "stacklevel",
    ]
)
"""Keywords of calls outside the package that say with what means something is done."""
_WAITS = {"result": 0, "exception": 0, "wait": 0, "acquire": 0, "wait_for": 1, "timeout": 0}
"""Calls outside the package that wait, and from which argument on they say how."""
_PATTERNS = ("re.search", "re.match", "re.fullmatch")
"""Calls whose first argument is the question itself: of another pattern nothing was ever said."""
_WRAPPERS = frozenset(
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
        "enumerate",
        "zip",
        "map",
        "filter",
        "islice",
        "reversed",
        "vars",
        "int",
        "float",
        "bytes",
        "run",
        "gather",
    ]
)
"""Calls that shape a result: their own literals stay."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A literal that became a parameter: its value, and the name it would like."""

    value: Any
    hint: str
    is_weak: bool
    """Whether the hint only says the value's type."""


def placeholder(number: int) -> str:
    """Return the text that stands for a parameter until it is named."""
    return f'p["@{number}"]'


_TYPE_HINTS: tuple[tuple[type, str], ...] = (
    (bool, "flag"),
    (str, "text"),
    (bytes, "data"),
    (int, "number"),
    (float, "number"),
    (decimal.Decimal, "number"),
    (fractions.Fraction, "number"),
    (datetime.datetime, "moment"),
    (datetime.date, "day"),
    (datetime.timedelta, "span"),
    (dict, "mapping"),
    (list, "items"),
    (tuple, "items"),
    (set, "items"),
    (frozenset, "items"),
)


def _type_hint(value: Any) -> str:
    return next((hint for kind, hint in _TYPE_HINTS if isinstance(value, kind)), "value")


@dataclass(slots=True)
class Lifter:
    """Collects the parameters of one scenario while its expressions are rewritten."""

    constants: Constants
    helpers: Mapping[str, cst.FunctionDef]
    filled: Mapping[str, frozenset[str]]
    """For each helper the parameters that some check passes to it."""
    varying: frozenset[str]
    """The package's functions that checks call with differing sets of keywords."""
    original_of: Callable[[str], str | None]
    signature: Signature
    objects: frozenset[str] = frozenset(["program"])
    """``program``, and the names that stand for objects of the package, dotted ones too."""
    scaffolding: frozenset[str] = frozenset()
    """Variables that hold what stands in for a fixture of pytest's own."""
    cells: frozenset[str] = frozenset()
    """Variables that hold a container of which an item is replaced later."""
    parameters: list[Parameter] = field(default_factory=list)
    by_name: dict[str, int] = field(default_factory=dict)

    def _param(self, node: cst.BaseExpression | None, value: Any, hint: str) -> cst.BaseExpression:
        name = node.value if isinstance(node, cst.Name) and node.value in self.constants.values else ""
        if name and name in self.by_name:
            return cst.parse_expression(placeholder(self.by_name[name]))
        wanted = _identifier(hint) or _identifier(name)
        self.parameters.append(Parameter(value, wanted or _type_hint(value), not wanted))
        if name:
            self.by_name[name] = len(self.parameters)
        return cst.parse_expression(placeholder(len(self.parameters)))

    def lift(self, node: cst.BaseExpression, hint: str | None) -> cst.BaseExpression:
        """Return an expression with its literals lifted; ``hint`` None: not where it is a literal itself."""
        value = data_of(node, self.constants)
        if value is not NOT_DATA:
            return node if hint is None else self._param(node, value, hint)
        rule = next((rule for kinds, rule in _RULES if isinstance(node, kinds)), None)
        return node if rule is None else rule(self, node, hint)

    def _call_of(self, node: cst.Call, _: str | None) -> cst.BaseExpression:
        name = callee(node)
        last = name.rpartition(".")[2]
        func = node.func
        if isinstance(func, cst.Attribute):
            func = func.with_changes(value=self._receiver(func.value))
        elif not isinstance(func, cst.Name):
            func = self.lift(func, None)
        if name in self.helpers:
            bound = self._bound(node, self.helpers[name])
            if bound is not None:
                return node.with_changes(func=func, args=bound)
        if last in _OPERATIONS or (
            last in _WRAPPERS and name in (last, f"asyncio.{last}", f"itertools.{last}")
        ):
            args = [arg.with_changes(value=self.lift(arg.value, None)) for arg in node.args]
        else:
            args = self._with_options(node, name) or self._args(node, self._positional_hints(name))
        return node.with_changes(func=func, args=args)

    def _is_knob(self, node: cst.Call, position: int) -> bool:
        """Return whether an argument only says how long, or by what means, something outside the package works."""
        if _begins_with(node.func, self.objects):
            return False
        keyword, name = node.args[position].keyword, callee(node)
        if name in _PATTERNS and position == 0:
            return True
        if name.startswith(("self.assert", "self.subTest", "self.skip")) or ".assert_" in name:
            return True
        if name.split(".")[0] in self.scaffolding:
            return not (name.endswith(".setenv") and position == 1)
        first = _WAITS.get(name.rpartition(".")[2], len(node.args))
        return position >= first if keyword is None else keyword.value in _KNOBS

    def _with_options(self, node: cst.Call, name: str) -> list[cst.Arg] | None:
        """Return the arguments with all keywords as one parameter, where checks differ in which they give."""
        named = [arg for arg in node.args if arg.keyword is not None]
        values = {
            arg.keyword.value: data_of(arg.value, self.constants) for arg in named if arg.keyword is not None
        }
        is_plain = all(value is not NOT_DATA for value in values.values())
        if name not in self.varying or not is_plain or any(arg.star for arg in node.args):
            return None
        bare = node.with_changes(args=[arg for arg in node.args if arg.keyword is None])
        args = self._args(bare, self._positional_hints(name))
        return [*args, cst.Arg(self._param(None, values, "options"), star="**")]

    def _positional_hints(self, name: str) -> list[str]:
        if not name.startswith("program."):
            return []
        original = self.original_of(name.split(".")[1])
        rest = name.split(".")[2:]
        known = self.signature(".".join([original, *rest])) if original is not None else None
        return list(known or [])

    def _args(self, node: cst.Call, hints: list[str]) -> list[cst.Arg]:
        args = []
        for position, arg in enumerate(node.args):
            if arg.keyword is not None:
                hint = arg.keyword.value
            elif arg.star:
                hint = "items" if arg.star == "*" else "options"
            else:
                hint = hints[position] if position < len(hints) else ""
            wanted = None if self._is_knob(node, position) else hint
            args.append(arg.with_changes(value=self.lift(arg.value, wanted)))
        return args

    def _receiver(self, node: cst.BaseExpression) -> cst.BaseExpression:
        return self.lift(node, None)

    def _bound(self, node: cst.Call, function: cst.FunctionDef) -> list[cst.Arg] | None:
        """Return the arguments of a call of the reproducer's own function, one for each of its parameters."""
        positional: list[cst.BaseExpression] = []
        named: dict[str, cst.BaseExpression] = {}
        for arg in node.args:
            if arg.star == "*":
                value = data_of(arg.value, self.constants)
                if not isinstance(value, list | tuple):
                    return None
                positional += [cst.parse_expression(repr(item)) for item in value]
            elif arg.star:
                value = data_of(arg.value, self.constants)
                if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
                    return None
                named |= {key: cst.parse_expression(repr(item)) for key, item in value.items()}
            elif arg.keyword is not None:
                named[arg.keyword.value] = arg.value
            else:
                positional.append(arg.value)
        return self._arranged(function, positional, named)

    def _arranged(
        self,
        function: cst.FunctionDef,
        positional: list[cst.BaseExpression],
        named: dict[str, cst.BaseExpression],
    ) -> list[cst.Arg] | None:
        params, filled = function.params, self.filled.get(function.name.value, frozenset())
        plain = [*params.posonly_params, *params.params]
        extra = positional[len(plain) :]
        args: list[cst.Arg] = []
        skipped = False
        for position, param in enumerate([*plain, *params.kwonly_params]):
            name = param.name.value
            value = (
                positional[position] if position < min(len(positional), len(plain)) else named.pop(name, None)
            )
            if value is None and param.default is not None and name in filled:
                value = param.default if data_of(param.default, self.constants) is not NOT_DATA else None
            if value is None:
                skipped = True
                continue
            by_keyword = skipped or position >= len(plain)
            if skipped and extra and position < len(plain):
                return None
            hint = None if name in _KNOBS and not self._passes_on(function, name) else name
            args.append(cst.Arg(self.lift(value, hint), keyword=cst.Name(name) if by_keyword else None))
        return self._with_stars(function, args, extra, named)

    def _passes_on(self, function: cst.FunctionDef, name: str) -> bool:
        """Return whether a function of the reproducer hands a parameter of its own to the package."""
        calls = [node for node in walk(function.body) if isinstance(node, cst.Call)]
        own = [call for call in calls if _begins_with(call.func, self.objects)]
        return any(name in uses(arg.value).reads for call in own for arg in call.args)

    def _with_stars(
        self,
        function: cst.FunctionDef,
        args: list[cst.Arg],
        extra: list[cst.BaseExpression],
        named: dict[str, cst.BaseExpression],
    ) -> list[cst.Arg] | None:
        params, filled = function.params, self.filled.get(function.name.value, frozenset())
        if isinstance(params.star_arg, cst.Param):
            name = params.star_arg.name.value
            values = [data_of(item, self.constants) for item in extra]
            at = next((at for at, arg in enumerate(args) if arg.keyword is not None), len(args))
            if any(value is NOT_DATA for value in values):
                args[at:at] = [cst.Arg(self.lift(item, name)) for item in extra]
            elif extra or name in filled:
                args.insert(at, cst.Arg(self._param(None, values, name), star="*"))
        elif extra:
            return None
        if params.star_kwarg is not None:
            name = params.star_kwarg.name.value
            loose = {key: data_of(item, self.constants) for key, item in named.items()}
            if any(value is NOT_DATA for value in loose.values()):
                args += [cst.Arg(self.lift(item, key), keyword=cst.Name(key)) for key, item in named.items()]
            elif loose or name in filled:
                args.append(cst.Arg(self._param(None, loose, name), star="**"))
        elif named:
            return None
        return args

    def _attribute(self, node: cst.Attribute, _: str | None) -> cst.BaseExpression:
        return node.with_changes(value=self._receiver(node.value))

    def _subscript(self, node: cst.Subscript, _: str | None) -> cst.BaseExpression:
        made = []
        for element in node.slice:
            index = element.slice
            if isinstance(index, cst.Index):
                value = data_of(index.value, self.constants)
                name = "key" if isinstance(value, str | bytes) else "index"
                made.append(
                    element.with_changes(slice=index.with_changes(value=self.lift(index.value, name)))
                )
            else:
                made.append(element)
        return node.with_changes(value=self._receiver(node.value), slice=made)

    def _binary(self, node: cst.BinaryOperation, _: str | None) -> cst.BaseExpression:
        left, right = self._operand(node.left, node.right), self._operand(node.right, node.left)
        return node.with_changes(left=left, right=right)

    def _operand(self, node: cst.BaseExpression, other: cst.BaseExpression) -> cst.BaseExpression:
        return self.lift(node, "operand" if "program" in uses(other).reads else None)

    def _both(self, node: cst.BooleanOperation, _: str | None) -> cst.BaseExpression:
        return node.with_changes(left=self.lift(node.left, None), right=self.lift(node.right, None))

    def _comparison(self, node: cst.Comparison, _: str | None) -> cst.BaseExpression:
        made = [each.with_changes(comparator=self.lift(each.comparator, None)) for each in node.comparisons]
        return node.with_changes(left=self.lift(node.left, None), comparisons=made)

    def _inner(self, node: Any, _: str | None) -> cst.BaseExpression:
        made: cst.BaseExpression = node.with_changes(expression=self.lift(node.expression, None))
        return made

    def _display(self, node: Any, hint: str | None) -> cst.BaseExpression:
        inner = None if hint is None else hint or "item"
        made: cst.BaseExpression = node.with_changes(
            elements=[each.with_changes(value=self.lift(each.value, inner)) for each in node.elements]
        )
        return made

    def _mapping(self, node: cst.Dict, hint: str | None) -> cst.BaseExpression:
        made = []
        for each in node.elements:
            key = data_of(each.key, self.constants) if isinstance(each, cst.DictElement) else None
            inner = None if hint is None else key if isinstance(key, str) else "item"
            made.append(each.with_changes(value=self.lift(each.value, inner)))
        return node.with_changes(elements=made)

    def lift_statement(self, node: Statement) -> Statement:
        """Return a statement with the literals of its expressions lifted; definitions and imports stay."""
        if isinstance(node, cst.SimpleStatementLine):
            return node.with_changes(body=[self._small(small) for small in node.body])
        if isinstance(node, cst.For):
            return node.with_changes(iter=self.lift(node.iter, "steps" if _is_of_steps(node) else "items"))
        if isinstance(node, cst.With):
            items = [item.with_changes(item=self.lift(item.item, None)) for item in node.items]
            return node.with_changes(items=items, body=self._suite(node.body))
        if isinstance(node, cst.Try):
            return node.with_changes(body=self._suite(node.body))
        return node

    def _suite(self, body: cst.BaseSuite) -> cst.BaseSuite:
        if not isinstance(body, cst.IndentedBlock):
            return body
        return body.with_changes(body=[self.lift_statement(line) for line in block(body)])

    def _small(self, small: cst.BaseSmallStatement) -> cst.BaseSmallStatement:
        if isinstance(small, cst.Expr):
            return small.with_changes(value=self._expression(small.value))
        if isinstance(small, cst.Assign):
            target = dotted(small.targets[0].target) if len(small.targets) == 1 else None
            if target in self.cells:
                return small
            hint = target.rpartition(".")[2] if target and not self._is_start(small.value) else None
            return small.with_changes(value=self.lift(small.value, hint))
        if isinstance(small, cst.AugAssign):
            return small.with_changes(value=self.lift(small.value, "operand"))
        return small

    def _is_start(self, value: cst.BaseExpression) -> bool:
        """Return whether a value is a mere starting point: nothing, a flag, something empty."""
        data = data_of(value, self.constants)
        return data is not NOT_DATA and (data is None or isinstance(data, bool) or data in ([], {}, (), ""))

    def _expression(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """Return an expression statement lifted; the subjects of an observation are lifted one by one."""
        if isinstance(node, cst.Call) and code(node.func) == "__seen__":
            number, *subjects = node.args
            hints = str(getattr(number.value, "evaluated_value", "")).split(",")[1:]
            made = [number]
            for at, arg in enumerate(subjects):
                hint = hints[at] if at < len(hints) and hints[at] else None
                made.append(arg.with_changes(value=self.lift(arg.value, hint)))
            return node.with_changes(args=made)
        return self.lift(node, None)


_RULES: tuple[tuple[Any, Callable[[Lifter, Any, str | None], cst.BaseExpression]], ...] = (
    (cst.Call, Lifter._call_of),
    (cst.Attribute, Lifter._attribute),
    (cst.Subscript, Lifter._subscript),
    (cst.BinaryOperation, Lifter._binary),
    (cst.BooleanOperation, Lifter._both),
    (cst.Comparison, Lifter._comparison),
    ((cst.UnaryOperation, cst.Await), Lifter._inner),
    ((cst.Tuple, cst.List, cst.Set), Lifter._display),
    (cst.Dict, Lifter._mapping),
)


def package_objects(lines: Sequence[Statement]) -> frozenset[str]:
    """Return ``program`` and the dotted names that lines, at any depth, bind to what a call of the package gives."""
    pairs = [pair for line in lines for node in walk(line) for pair in _bindings(node)]
    found = {"program"}
    found |= {
        node.name.value
        for line in lines
        for node in walk(line)
        if isinstance(node, cst.FunctionDef) and "program" in uses(node).reads
    }
    while True:
        wider = found | {name for name, value in pairs if _begins_with(value, found)}
        if wider == found:
            return frozenset(found)
        found = wider


def _bindings(node: cst.CSTNode) -> list[tuple[str, cst.BaseExpression]]:
    if isinstance(node, cst.Assign):
        return [(dotted(each.target) or "", node.value) for each in node.targets]
    if isinstance(node, cst.WithItem) and node.asname is not None:
        return [(dotted(node.asname.name) or "", node.item)]
    if isinstance(node, cst.For | cst.CompFor):
        return [(dotted(node.target) or "", node.iter)]
    return []


def _begins_with(value: cst.BaseExpression, names: Set[str]) -> bool:
    """Return whether an expression is a chain of calls, attributes and items that begins with one of the names."""
    node: cst.CSTNode = value
    while True:
        name = dotted(node)
        if name is not None:
            parts = name.split(".")
            return any(".".join(parts[:at]) in names for at in range(1, len(parts) + 1))
        if isinstance(node, cst.Call):
            node = node.func
        elif isinstance(node, cst.Attribute | cst.Subscript):
            node = node.value
        elif isinstance(node, cst.Await):
            node = node.expression
        else:
            return False


def written_cells(lines: Sequence[Statement], constants: Constants) -> frozenset[str]:
    """Return the variables that hold written data of which some line, at any depth, replaces an item that is there.

    Start and replacement belong together: neither is a parameter.
    """
    starts = [plain for line in lines for plain in [_data_assignment(line, constants)] if plain is not None]
    held = dict(starts)
    found: set[str] = set()
    for line in lines:
        for node in walk(line):
            target = node.target if isinstance(node, cst.AssignTarget | cst.AugAssign) else None
            if not isinstance(target, cst.Subscript) or len(target.slice) != 1:
                continue
            name, index = dotted(target.value), target.slice[0].slice
            if name in held and isinstance(index, cst.Index) and _holds(held[name], index.value, constants):
                found.add(name)
    return frozenset(found)


def _data_assignment(line: Statement, constants: Constants) -> tuple[str, Any] | None:
    small = single(line)
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        return None
    name, value = dotted(small.targets[0].target), data_of(small.value, constants)
    return (name, value) if name is not None and isinstance(value, list | dict) else None


def _holds(value: Any, index: cst.BaseExpression, constants: Constants) -> bool:
    """Return whether a container has an item, or whether that is not known."""
    key = data_of(index, constants)
    if key is NOT_DATA:
        return True
    if isinstance(value, dict):
        return key in value
    return isinstance(key, int) and -len(value) <= key < len(value)


def _is_of_steps(node: cst.For) -> bool:
    """Return whether a loop only calls, of a table of methods, the one that each item names first."""
    target = node.target.elements[0].value if isinstance(node.target, cst.Tuple) else None
    lines = block(node.body)
    small = single(lines[0]) if len(lines) == 1 else None
    func = small.value.func if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call) else None
    index = func.slice[0].slice if isinstance(func, cst.Subscript) else None
    return target is not None and isinstance(index, cst.Index) and target.deep_equals(index.value)


def _identifier(text: str) -> str:
    made = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_").lower()
    return made if made.isidentifier() and not keyword.iskeyword(made) and len(made) <= 30 else ""


def passed_parameters(
    calls: Sequence[cst.Call], helpers: Mapping[str, cst.FunctionDef]
) -> dict[str, frozenset[str]]:
    """Return for each helper the parameters that some call passes, the starred ones included."""
    found: dict[str, set[str]] = {name: set() for name in helpers}
    for call in calls:
        function = helpers.get(callee(call))
        if function is None:
            continue
        params = function.params
        plain = [param.name.value for param in (*params.posonly_params, *params.params)]
        known = {param.name.value for param in all_parameters(params)}
        count = sum(arg.keyword is None for arg in call.args)
        passed = found[function.name.value]
        passed |= set(plain[:count])
        if isinstance(params.star_arg, cst.Param) and (
            count > len(plain) or any(a.star == "*" for a in call.args)
        ):
            passed.add(params.star_arg.name.value)
        for arg in call.args:
            name = arg.keyword.value if arg.keyword is not None else ""
            if name in known:
                passed.add(name)
            elif (name or arg.star == "**") and params.star_kwarg is not None:
                passed.add(params.star_kwarg.name.value)
    return {name: frozenset(passed) for name, passed in found.items()}


def varying_calls(calls: Sequence[tuple[cst.Call, Constants]]) -> frozenset[str]:
    """Return the package's functions that are called with differing sets of keywords, all of them data."""
    found: dict[str, set[frozenset[str]]] = {}
    for call, constants in calls:
        name = callee(call)
        named = [arg for arg in call.args if arg.keyword is not None]
        if not name.startswith("program.") or any(arg.star for arg in call.args):
            continue
        if all(data_of(arg.value, constants) is not NOT_DATA for arg in named):
            keywords = frozenset(arg.keyword.value for arg in named if arg.keyword is not None)
            found.setdefault(name, set()).add(keywords)
    return frozenset(name for name, sets in found.items() if len(sets) > 1)
