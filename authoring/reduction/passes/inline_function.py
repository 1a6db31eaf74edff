"""Put what a function returns in the place of its few calls."""

from collections.abc import Iterator

import libcst as cst

from authoring.reduction.edits import Change, Cut, Edit, Splice
from authoring.reduction.expressions import LineTree, Span, line_tree, precedence
from authoring.reduction.lines import defined_name, indent_of, kind_of, words
from authoring.reduction.passes.base import Example, Pass, binds
from authoring.reduction.scopes import Call, calls_of
from authoring.reduction.view import View

__all__ = ["EXAMPLES", "PASS"]

EXAMPLES: tuple[Example, ...] = (
    ("def f(a):\n    return a + 1\nx = f(2) * 3\n", "x = (2 + 1) * 3\n"),
    ("def f(a, b=4):\n    return g(a, b)\nx = f(y)\n", "x = g(y, 4)\n"),
    ("def f(a):\n    return g(a)\nx = f(1)\ny = f(2)\n", "x = g(1)\ny = g(2)\n"),
    ("def f(a):\n    return a.b\nx = f(c or d)\n", "x = (c or d).b\n"),
    (
        "class C:\n    def f(self, a):\n        return self.b + a\n    def g(self):\n        return self.f(1)\n",
        "class C:\n    def g(self):\n        return self.b + 1\n",
    ),
)
_WIDTH = 100
_CALLS = 8


def candidates(view: View) -> Iterator[Edit]:
    """Yield an edit for each function that is one ``return`` and that nothing but calls names."""
    lines = view.program.lines
    for header in range(len(lines) - 1):
        body = lines[header + 1]
        text = lines[header].text
        if kind_of(text) != "def" or body.versions != lines[header].versions or not _is_short(view, header):
            continue
        name = defined_name(text)
        calls = list(calls_of(view, name))
        if not calls or name in view.exports or len(calls) > _CALLS:
            continue
        naming = {number for number, line in enumerate(lines) if name in words(line.text)}
        if naming != {header, *(call.line for call in calls)}:
            continue
        if all(lines[call.line].versions <= body.versions and call.line != header + 1 for call in calls):
            edit = _inlined(view, header, calls)
            if edit is not None:
                yield edit


def _is_short(view: View, header: int) -> bool:
    lines = view.program.lines
    if header and kind_of(lines[header - 1].text) == "decorator":
        return False
    after = lines[header + 2].text if header + 2 < len(lines) else ""
    return lines[header + 1].text.lstrip().startswith("return ") and indent_of(after) <= indent_of(
        lines[header].text
    )


def _inlined(view: View, header: int, calls: list[Call]) -> Edit | None:
    lines = view.program.lines
    tree = line_tree(lines[header + 1].text)
    value = next(span for span in tree.spans if span.field == "value" and span.within(cst.Return))
    versions = lines[header].versions
    changes: list[Change] = [Cut(header, versions), Cut(header + 1, versions)]
    for call in calls:
        values = _values(view, header, call)
        text = None if values is None else _substituted(tree, value, values)
        if text is None:
            return None
        if precedence(value.node) < 20 and binds(call.span):
            text = f"({text})"
        place = lines[call.line]
        if len(place.text) + len(text) > _WIDTH:
            return None
        changes.append(Splice(call.line, place.versions, call.span.start, call.span.end, text))
    return Edit(tuple(changes), 8)


def _values(view: View, header: int, call: Call) -> dict[str, tuple[str, int]] | None:
    """Return the text and binding strength of what each parameter stands for at the call."""
    head = line_tree(view.program.lines[header].text)
    caller = line_tree(view.program.lines[call.line].text)
    parameters = [span.node for span in head.children(None) if isinstance(span.node, cst.Param)]
    marks = [span for span in head.children(None) if isinstance(span.node, cst.ParamStar | cst.ParamSlash)]
    values: dict[str, tuple[str, int]] = {}
    if marks or any(parameter.star for parameter in parameters):
        return None
    names = [parameter.name.value for parameter in parameters]
    if not call.bare:
        function = caller.children(call.span)[0]
        receiver = next(iter(caller.children(function)))
        values[names.pop(0)] = (caller.source(receiver), precedence(receiver.node))
    for parameter in parameters:
        if parameter.default is not None:
            code = cst.Module([]).code_for_node(parameter.default)
            values[parameter.name.value] = (code, precedence(parameter.default))
    for position, argument in enumerate(call.arguments):
        node = argument.node
        if not isinstance(node, cst.Arg) or node.star or position >= len(names):
            return None
        inner = (
            next(caller.parts(argument), None) if node.keyword is None else _keyword_value(caller, argument)
        )
        if inner is None:
            return None
        name = node.keyword.value if node.keyword is not None else names[position]
        values[name] = (caller.source(inner), precedence(inner.node))
    return values if all(name in values for name in names) else None


def _keyword_value(tree: LineTree, argument: Span) -> Span | None:
    return next((span for span in tree.children(argument) if span.field == "value"), None)


def _substituted(tree: LineTree, value: Span, values: dict[str, tuple[str, int]]) -> str | None:
    reads: list[Span] = []
    for span in tree.spans:
        if (
            isinstance(span.node, cst.Name)
            and span.node.value in values
            and span.field not in ("attr", "keyword")
        ):
            if span not in tree.expressions:
                return None
            reads.append(span)
    text = tree.text
    names = [span.node.value for span in reads if isinstance(span.node, cst.Name)]
    for name, (given, _) in values.items():
        if names.count(name) > 1 and not given.replace(".", "").isidentifier() and len(given) > 6:
            return None
    end = value.end
    for span in reversed(reads):
        given, strength = values[tree.source(span).strip("()")]
        given = f"({given})" if strength < 20 and binds(span) else given
        text = text[: span.start] + given + text[span.end :]
        end += len(given) - (span.end - span.start)
    return text[value.start : end]


PASS = Pass("inline function", candidates, hope=0.5)
