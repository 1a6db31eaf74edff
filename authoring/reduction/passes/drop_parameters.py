"""Drop a parameter together with its arguments at all calls; its reads become the value that it stood for."""

from collections.abc import Iterator

import libcst as cst

from authoring.reduction.edits import Change, Edit, Splice, Versions
from authoring.reduction.expressions import Span, line_tree
from authoring.reduction.lines import defined_name, indent_of, kind_of
from authoring.reduction.passes.arguments import removed
from authoring.reduction.passes.base import Example, Pass
from authoring.reduction.scopes import Call, calls_of, region, uses_in
from authoring.reduction.view import View

__all__ = ["EXAMPLES", "PASS"]

EXAMPLES: tuple[Example, ...] = (
    ("def f(a, b):\n    return a\nf(1, 2)\n", "def f(a):\n    return a\nf(1)\n"),
    ("def f(a, b=3):\n    return a + b\nf(1, b=2)\n", "def f(a):\n    return a + 3\nf(1)\n"),
    ("def f(a, b):\n    return a + b\nf(1, 2)\n", "def f(a):\n    return a + 2\nf(1)\n"),
    (
        "class C:\n    def __init__(self, a, b):\n        self.a = a\nx = C(1, b=2)\n",
        "class C:\n    def __init__(self, a):\n        self.a = a\nx = C(1)\n",
    ),
    ("def f(a, *b, **c):\n    return a\nf(1)\n", "def f(a, **c):\n    return a\nf(1)\n"),
    ("def f(a):\n    return 2\nf(1)\n", "def f():\n    return 2\nf()\n"),
    ("def f(a, *, b=None):\n    return a\nf(1)\n", "def f(a):\n    return a\nf(1)\n"),
    ("def f(a, /, *b):\n    return b\nf(1, 2)\n", "def f(*b):\n    return b\nf(2)\n"),
)
_VALUES = (cst.Name, cst.BaseString, cst.BaseNumber)
_MARKS = (cst.Param, cst.ParamStar, cst.ParamSlash)


def candidates(view: View) -> Iterator[Edit]:
    """Yield an edit for each parameter of each definition, and each value that may take its place."""
    lines = view.program.lines
    for header, line in enumerate(lines):
        if kind_of(line.text) != "def" or view.weights[header] < 3:
            continue
        tree = line_tree(line.text)
        marked = [span for span in tree.children(None) if isinstance(span.node, _MARKS)]
        parameters = sorted(marked, key=lambda span: span.start)
        method = bool(indent_of(line.text)) and _owner_kind(view, header) == "class"
        for index in reversed(range(len(parameters))):
            if not isinstance(parameters[index].node, cst.Param) or (method and index == 0):
                continue
            yield from _drops(view, header, parameters, index, method=method)


def _drops(view: View, header: int, parameters: list[Span], index: int, *, method: bool) -> Iterator[Edit]:
    line = view.program.lines[header]
    node = parameters[index].node
    assert isinstance(node, cst.Param)
    inside = uses_in(view, region(view, header), node.name.value, line.versions)
    if not inside.clear:
        return
    tree = line_tree(line.text)
    places = [(p.start, max([p.end, *(child.end for child in tree.children(p))])) for p in parameters]
    first, last = _with_marks(parameters, index)
    places[first : last + 1] = [(places[first][0], places[last][1])]
    start, end = removed(line.text, places, first)
    changes: list[Change] = [Splice(header, line.versions, start, end, "")]
    values: list[str | None] = [_text(node.default)]
    position = sum(isinstance(span.node, cst.Param) for span in parameters[:index])
    for call in _calls(view, header):
        place = position - 1 if method and _is_bound_call(call) else position
        argument = _argument(call, node, place)
        if argument is None:
            continue
        held = view.program.lines[call.line].versions & line.versions
        given = argument.node.value if isinstance(argument.node, cst.Arg) else None
        values.append(_text(given))
        if held:
            changes.append(_without(view, call, argument, held))
    if not inside.reads or inside.bound:
        yield Edit(tuple(changes), 10)
        return
    for value in dict.fromkeys(text for text in values if text is not None):
        reads = [
            Splice(number, view.program.lines[number].versions & line.versions, span.start, span.end, value)
            for number, span in inside.reads
        ]
        yield Edit((*changes, *reads), 10)


def _with_marks(parameters: list[Span], index: int) -> tuple[int, int]:
    """Return the first and last position that go with a parameter: also a mark that may not be there without it."""
    first = last = index
    if index and isinstance(parameters[index - 1].node, cst.ParamStar):
        after = [span.node for span in parameters[index + 1 :]]
        if not after or (isinstance(after[0], cst.Param) and after[0].star == "**"):
            first -= 1
    if index == 0 and len(parameters) > 1 and isinstance(parameters[1].node, cst.ParamSlash):
        last += 1
    return first, last


def _owner_kind(view: View, header: int) -> str:
    lines = view.program.lines
    above = header
    while above and indent_of(lines[above].text) >= indent_of(lines[header].text):
        above -= 1
    return kind_of(lines[above].text)


def _calls(view: View, header: int) -> Iterator[Call]:
    """Yield the calls of a definition; of ``__init__`` also those of its class."""
    name = defined_name(view.program.lines[header].text)
    yield from calls_of(view, name)
    if name in ("__init__", "__new__"):
        above = header
        while kind_of(view.program.lines[above].text) != "class" and above:
            above -= 1
        if kind_of(view.program.lines[above].text) == "class":
            yield from calls_of(view, defined_name(view.program.lines[above].text))


def _is_bound_call(call: Call) -> bool:
    """Say whether the receiver is not among the arguments."""
    function = call.span.node.func if isinstance(call.span.node, cst.Call) else None
    if isinstance(function, cst.Attribute) and function.attr.value in ("__init__", "__new__"):
        return isinstance(function.value, cst.Call)
    return True


def _argument(call: Call, parameter: cst.Param, place: int) -> Span | None:
    for position, argument in enumerate(call.arguments):
        node = argument.node
        if not isinstance(node, cst.Arg) or node.star:
            return None
        if node.keyword is not None:
            if node.keyword.value == parameter.name.value:
                return argument
        elif position == place and not parameter.star:
            return argument
    return None


def _without(view: View, call: Call, argument: Span, versions: Versions) -> Splice:
    text = view.program.lines[call.line].text
    places = [(other.start, other.end) for other in call.arguments]
    start, end = removed(text, places, call.arguments.index(argument))
    return Splice(call.line, versions, start, end, "")


def _text(node: cst.BaseExpression | None) -> str | None:
    if node is None or not isinstance(node, _VALUES):
        return None
    text = cst.Module([]).code_for_node(node)
    return text if "\n" not in text else None


PASS = Pass("drop parameters", candidates, hope=0.5)
