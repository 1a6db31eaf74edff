"""A scenario taken apart, as far as relations can be made of it: lines before, and what it observes at its end."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import black
import libcst as cst
from libcst import matchers as m

from authoring.scenario.lifting.syntax import Statement, block, code, walk

__all__ = ["Shape", "called_on", "function_text", "functions_in", "read_of", "reads_of", "shape_of"]

_PARAMETERS = ["program", "p", "seen"]
_NESTED = (cst.FunctionDef, cst.ClassDef, cst.Lambda, cst.BaseComp)
_LINE_LENGTH = 100


def read_of(parameter: str | None = None) -> m.Subscript:
    """Return what matches ``p["name"]`` for a parameter, or for any."""

    def is_it(text: str) -> bool:
        return parameter is None or ast.literal_eval(text) == parameter

    key = m.Index(m.SimpleString(m.MatchIfTrue(is_it)))
    return m.Subscript(value=m.Name("p"), slice=[m.SubscriptElement(key)])


_READ = read_of()


@dataclass(frozen=True, slots=True)
class Shape:
    """A scenario whose last statement, and no other, observes something."""

    name: str
    lines: tuple[Statement, ...]
    """What stands before the observation."""
    observed: cst.BaseExpression
    last: Statement
    kinds: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By parameter: the wire kinds of its values in the reproducer, ``text`` for a string."""

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters that it reads, in the order of the text."""
        found = [name for line in (*self.lines, self.last) for name in reads_of(line)]
        return tuple(dict.fromkeys(found))

    @property
    def names(self) -> frozenset[str]:
        """Every name that stands in it."""
        lines = (*self.lines, self.last)
        return frozenset(node.value for line in lines for node in walk(line) if isinstance(node, cst.Name))

    def free(self, name: str) -> str:
        """Return the name, with underscores behind it until nothing else in the scenario bears it."""
        while name in self.names:
            name += "_"
        return name


def functions_in(scenarios: str) -> dict[str, cst.FunctionDef]:
    """Return the functions of scenarios.py by name."""
    body = cst.parse_module(scenarios).body
    return {node.name.value: node for node in body if isinstance(node, cst.FunctionDef)}


def shape_of(function: cst.FunctionDef, kinds: Mapping[str, frozenset[str]]) -> Shape | None:
    """Return the shape of a scenario, or None where it is not of the form that relations need.

    It takes ``program, p, seen`` and awaits nothing, reads parameters as ``p["name"]`` only, leaves by no
    ``return``, and calls ``seen`` once, in a line of its own at the end.
    """
    names = [parameter.name.value for parameter in function.params.params]
    if function.asynchronous is not None or function.decorators or names != _PARAMETERS:
        return None
    *lines, last = block(function.body)
    observed = _observed(last)
    if observed is None or not _is_plain([*lines, last]):
        return None
    return Shape(function.name.value, tuple(lines), observed, last, dict(kinds))


def _is_plain(lines: Sequence[Statement]) -> bool:
    nodes = [node for line in lines for node in walk(line)]
    shown = sum(m.matches(node, m.Name("seen")) for node in nodes)
    read = sum(m.matches(node, _READ) for node in nodes)
    named = sum(m.matches(node, m.Name("p")) for node in nodes)
    leaves = any(isinstance(node, cst.Return | cst.Yield) for line in lines for node in _own(line))
    return shown == 1 and read == named and not leaves


def _observed(line: cst.CSTNode) -> cst.BaseExpression | None:
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    (small,) = line.body
    one_argument = m.Expr(m.Call(func=m.Name("seen"), args=[m.Arg(keyword=None, star="")]))
    if not m.matches(small, one_argument):
        return None
    call = cst.ensure_type(cst.ensure_type(small, cst.Expr).value, cst.Call)
    return call.args[0].value


def reads_of(node: cst.CSTNode) -> list[str]:
    """Return the names of the parameters that a piece reads."""
    return [_name(each) for each in walk(node) if m.matches(each, _READ)]


def _name(read: cst.CSTNode) -> str:
    index = cst.ensure_type(cst.ensure_type(read, cst.Subscript).slice[0].slice, cst.Index)
    return str(cst.ensure_type(index.value, cst.SimpleString).evaluated_value)


def called_on(shape: Shape, node: cst.CSTNode) -> list[cst.Call]:
    """Return the calls in a piece, outermost first, of the program's names or of the scenario's own functions
    that use it; those inside comprehensions and functions are left out.
    """
    own = {
        line.name.value
        for line in shape.lines
        if isinstance(line, cst.FunctionDef)
        and any(m.matches(each, m.Name("program")) for each in walk(line))
    }
    calls = [each for each in _own(node) if isinstance(each, cst.Call)]
    return [call for call in calls if _is_dotted_program(call.func) or m.matches(call.func, _one_of(own))]


def _one_of(names: set[str]) -> m.BaseMatcherNode:
    return m.Name(m.MatchIfTrue(lambda value: value in names))


def _is_dotted_program(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Attribute):
        return m.matches(node.value, m.Name("program")) or _is_dotted_program(node.value)
    return False


def _own(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield the nodes of a piece without what lies in functions, classes and comprehensions inside it."""
    if isinstance(node, _NESTED):
        return
    yield node
    for child in node.children:
        yield from _own(child)


def function_text(name: str, lines: Sequence[Statement | str]) -> str:
    """Return the text of a scenario made of lines, laid out as lifting lays out its own."""
    body = [cst.parse_statement(line) if isinstance(line, str) else line for line in lines]
    whole = cst.parse_statement(f"def {name}(program, p, seen):\n    pass\n")
    assert isinstance(whole, cst.FunctionDef)
    text = code(whole.with_changes(body=cst.IndentedBlock(body=body)))
    return black.format_str(text, mode=black.Mode(line_length=_LINE_LENGTH))
