"""Lift operations on an object of the package, one after another, to one parameter that a short loop carries out.

The object's methods stand in a table of the scenario, so that a step can name none that the reproducer does not call.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import libcst as cst

from authoring.scenario.lifting.compose import Raw, with_single_uses
from authoring.scenario.lifting.find import plain_assignment, single_constants
from authoring.scenario.lifting.literals import NOT_DATA, Constants, data_of
from authoring.scenario.lifting.syntax import (
    Statement,
    block,
    callee,
    code,
    replace_names,
    single,
    statement,
    uses,
)

__all__ = ["EXAMPLES", "Operations", "operations_of", "with_steps"]

EXAMPLES = (
    (
        "from pkg import Queue\nq = Queue(2)\nq.put(1)\nq.put(2)\nq.get()\nassert len(q) == 1\n",
        "def queue(program, p, seen):\n"
        '    q = program.Queue(p["number"])\n'
        '    methods = {"put": q.put, "get": q.get}\n'
        '    for name, args in p["steps"]:\n'
        "        methods[name](*args)\n"
        "    seen(len(q))\n",
    ),
    (
        'from pkg import Cache\nc = Cache()\nc["a"] = 1\ndel c["a"]\nc.update(b=2)\nassert list(c) == ["b"]\n',
        "def cache(program, p, seen):\n"
        "    c = program.Cache()\n"
        '    methods = {"__setitem__": c.__setitem__, "__delitem__": c.__delitem__, "update": c.update}\n'
        '    for name, args, options in p["steps"]:\n'
        "        methods[name](*args, **options)\n"
        "    seen(list(c))\n",
    ),
    (
        "from pkg import Queue\nq = Queue()\nq.put(1)\nassert q.get() == 1\n",
        'def get(program, p, seen):\n    q = program.Queue()\n    q.put(p["number"])\n    seen(q.get())\n',
    ),
)
"""Reproducers, and the scenarios that they become; one operation alone is no sequence."""

_ASKING = frozenset(
    "all any bool dict float frozenset int isinstance len list max min repr set sorted str sum tuple type".split()
)
"""Functions that only ask something of their arguments."""


@dataclass(frozen=True, slots=True)
class Operations:
    """What the checks do to the objects that one function of the package makes."""

    names: tuple[str, ...]
    """The methods, in the order of the reproducer."""
    has_options: bool
    """Whether some step gives keywords."""


@dataclass(frozen=True, slots=True)
class _Step:
    receiver: str
    name: str
    args: tuple[str, ...]
    """The text of each argument, with constants put in."""
    options: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class _Run:
    """Statements of a check that do something to one object, and nothing else in between."""

    receiver: str
    maker: str
    steps: list[_Step] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)


def operations_of(raws: Sequence[Raw]) -> dict[str, Operations]:
    """Return by the function that makes the object what checks do to it, where one of them does several things."""
    runs = [run for raw in raws for run in _Reading.of(raw).runs()]
    found: dict[str, Operations] = {}
    for maker in dict.fromkeys(run.maker for run in runs if len(run.steps) > 1):
        steps = [step for run in runs if run.maker == maker for step in run.steps]
        names = tuple(dict.fromkeys(step.name for step in steps))
        found[maker] = Operations(names, any(step.options for step in steps))
    return found


def with_steps(raw: Raw, operations: Mapping[str, Operations]) -> Raw:
    """Return a check's lines with a loop over the steps for the statements that do something to such an object.

    The same lines where there are none.
    """
    runs = {run.positions[0]: run for run in _Reading.of(raw).runs() if run.maker in operations}
    if not runs:
        return raw
    gone = {at for run in runs.values() for at in run.positions}
    taken = uses(list(raw.lines))
    words = _Words.beside(taken.reads | taken.binds)
    lines: list[tuple[Statement, bool]] = []
    for at, line in enumerate(zip(raw.lines, raw.own, strict=True)):
        if at in runs:
            lines += _loop(runs[at], operations[runs[at].maker], words)
        if at not in gone:
            lines.append(line)
    return replace(raw, lines=tuple(node for node, _ in lines), own=tuple(is_own for _, is_own in lines))


@dataclass(frozen=True, slots=True)
class _Words:
    """The variables of a loop over steps."""

    methods: str
    name: str
    args: str
    options: str

    @classmethod
    def beside(cls, taken: set[str]) -> "_Words":
        """Return names that are not taken."""
        wanted = ("methods", "name", "args", "options")
        return cls(*(one if one not in taken else f"{one}_of_step" for one in wanted))


def _loop(run: _Run, operations: Operations, words: _Words) -> list[tuple[Statement, bool]]:
    table = ", ".join(f'"{name}": {run.receiver}.{name}' for name in operations.names)
    rows = []
    for step in run.steps:
        parts = [f'"{step.name}"', f"[{', '.join(step.args)}]"]
        if operations.has_options:
            parts.append("{" + ", ".join(f'"{key}": {value}' for key, value in step.options) + "}")
        rows.append(f"[{', '.join(parts)}]")
    options = (f", {words.options}", f", **{words.options}") if operations.has_options else ("", "")
    text = (
        f"for {words.name}, {words.args}{options[0]} in [{', '.join(rows)}]:\n"
        f"    {words.methods}[{words.name}](*{words.args}{options[1]})\n"
    )
    return [(statement(f"{words.methods} = {{{table}}}"), False), (statement(text), True)]


@dataclass(frozen=True, slots=True)
class _Reading:
    """A check's lines, read for operations on objects of the package."""

    raw: Raw
    constants: Constants
    makers: dict[str, str] = field(default_factory=dict)
    """By variable, the function of the package that made its value; as far as the lines were read."""

    @classmethod
    def of(cls, raw: Raw) -> "_Reading":
        """Begin to read a check."""
        lines = list(raw.lines)
        return cls(raw, with_single_uses(single_constants(lines), lines))

    def runs(self) -> list[_Run]:
        """Return the runs of operations: constants, imports and what only asks may stand among them."""
        found: list[_Run] = []
        is_open = False
        for at, (node, is_own) in enumerate(zip(self.raw.lines, self.raw.own, strict=True)):
            self._bind(node)
            if self._is_aside(node):
                continue
            steps = self._steps(node) if is_own else None
            receivers = {step.receiver for step in steps or ()}
            if is_open and steps is not None and receivers <= {found[-1].receiver}:
                found[-1].steps += steps
                found[-1].positions.append(at)
            elif steps and len(receivers) == 1:
                (receiver,) = receivers
                found.append(_Run(receiver, self.makers[receiver], steps, [at]))
            is_open = steps is not None and bool(found) and found[-1].positions[-1] == at
        return found

    def _bind(self, node: Statement) -> None:
        """Note what a line's variables hold from now on."""
        for bound in uses(node).binds:
            self.makers.pop(bound, None)
        name, value = plain_assignment(node)
        made_by = callee(value) if value is not None else ""
        if name is not None and made_by.startswith("program."):
            self.makers[name] = made_by

    def _is_aside(self, node: Statement) -> bool:
        """Return whether a line does nothing to any object: an import, or a constant."""
        if isinstance(single(node), cst.Import | cst.ImportFrom):
            return True
        name, value = plain_assignment(node)
        return name in self.constants.values and value is not None and self._text(value) is not None

    def _steps(self, node: Statement) -> list[_Step] | None:
        """Return what a line does to objects, one after another; None where it does something else too."""
        small = single(node)
        if isinstance(node, cst.With):
            return self._judged(node)
        step = None
        if isinstance(small, cst.Expr):
            step = self._operation(small.value)
        elif isinstance(small, cst.Assign) and len(small.targets) == 1:
            step = self._item("__setitem__", small.targets[0].target, small.value)
        elif isinstance(small, cst.Del):
            step = self._item("__delitem__", small.target)
        return None if step is None else [step]

    def _judged(self, node: cst.With) -> list[_Step] | None:
        """Return the operations in an earlier assertion's test, which is evaluated for what it does."""
        body = [single(line) for line in block(node.body)]
        is_soft = len(node.items) == 1 and code(node.items[0].item) == "contextlib.suppress(Exception)"
        if not is_soft or len(body) != 1 or not isinstance(body[0], cst.Expr):
            return None
        test = body[0].value
        # a call alone may be one that has to raise
        return None if isinstance(test, cst.Call) else self._inside(test)

    def _inside(self, node: cst.BaseExpression) -> list[_Step] | None:
        if self._text(node) is not None or (isinstance(node, cst.Name) and node.value in self.makers):
            return []
        step = self._operation(node)
        if step is not None:
            return [step]
        parts = _parts(node)
        found: list[_Step] = []
        for part in parts or ():
            inner = self._inside(part)
            if inner is None:
                return None
            found += inner
        return None if parts is None else found

    def _operation(self, node: cst.BaseExpression) -> _Step | None:
        """Return the call of a method of such an object, or the look-up of an item, with arguments that are data."""
        if isinstance(node, cst.Subscript):
            return self._item("__getitem__", node)
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
            return None
        receiver = node.func.value
        if not isinstance(receiver, cst.Name) or receiver.value not in self.makers:
            return None
        args: list[str] = []
        options: list[tuple[str, str]] = []
        for arg in node.args:
            text = self._text(arg.value)
            if text is None or arg.star:
                return None
            if arg.keyword is None:
                args.append(text)
            else:
                options.append((arg.keyword.value, text))
        return _Step(receiver.value, node.func.attr.value, tuple(args), tuple(options))

    def _item(
        self, name: str, target: cst.BaseExpression, value: cst.BaseExpression | None = None
    ) -> _Step | None:
        if not isinstance(target, cst.Subscript) or len(target.slice) != 1:
            return None
        receiver, index = target.value, target.slice[0].slice
        if not isinstance(receiver, cst.Name) or receiver.value not in self.makers:
            return None
        if not isinstance(index, cst.Index) or index.star:
            return None
        texts = [self._text(part) for part in (index.value, *([] if value is None else [value]))]
        args = [text for text in texts if text is not None]
        return _Step(receiver.value, name, tuple(args)) if len(args) == len(texts) else None

    def _text(self, node: cst.BaseExpression) -> str | None:
        """Return the text of an expression that is data, constants put in by their values; else None."""
        if data_of(node, self.constants) is NOT_DATA:
            return None
        values = {name: self.constants.values.get(name, NOT_DATA) for name in uses(node).reads}
        named = {name: repr(value) for name, value in values.items() if value is not NOT_DATA}
        if not all(map(_is_literal, named.values())):
            return None
        return code(replace_names(node, {name: cst.parse_expression(text) for name, text in named.items()}))


def _parts(node: cst.BaseExpression) -> Sequence[cst.BaseExpression] | None:
    """Return the parts of an expression that only asks, in the order of their evaluation; None of any other."""
    return next((parts(node) for kinds, parts in _PARTS if isinstance(node, kinds)), None)


def _both(node: cst.BooleanOperation) -> Sequence[cst.BaseExpression] | None:
    return [node.left, node.right] if isinstance(node.operator, cst.And) else None


def _asked(node: cst.Call) -> Sequence[cst.BaseExpression] | None:
    return [arg.value for arg in node.args] if callee(node) in _ASKING else None


_PARTS: tuple[tuple[Any, Callable[[Any], Sequence[cst.BaseExpression] | None]], ...] = (
    (cst.Comparison, lambda node: [node.left, *(each.comparator for each in node.comparisons)]),
    (cst.BooleanOperation, _both),
    (cst.UnaryOperation, lambda node: [node.expression]),
    (cst.Attribute, lambda node: [node.value]),
    (cst.Subscript, lambda node: [node.value, *_indices(node)]),
    ((cst.List, cst.Tuple), lambda node: [each.value for each in node.elements]),
    (cst.Call, _asked),
)


def _indices(node: cst.Subscript) -> Iterator[cst.BaseExpression]:
    for element in node.slice:
        if isinstance(element.slice, cst.Index):
            yield element.slice.value


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return False
    return True
