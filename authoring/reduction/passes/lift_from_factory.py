"""Put what a factory defines and returns in the factory's own place."""

from collections.abc import Iterator

from authoring.reduction.edits import Change, Cut, Edit, Splice
from authoring.reduction.lines import defined_name, indent_of, kind_of, words
from authoring.reduction.passes.base import Example, Pass
from authoring.reduction.scopes import calls_of, region
from authoring.reduction.view import View

__all__ = ["EXAMPLES", "PASS"]

EXAMPLES: tuple[Example, ...] = (
    ("def make():\n    class C:\n        x = 1\n    return C\nD = make()\n", "class C:\n    x = 1\nD = C\n"),
    (
        "def make():\n    def g(a):\n        return a + 1\n    return g\ndef f(x):\n    return make()(x)\n",
        "def g(a):\n    return a + 1\ndef f(x):\n    return g(x)\n",
    ),
    (
        "def make():\n    @h\n    class C:\n        x = 1\n    return C\n@make()\ndef f():\n    pass\n",
        "@h\nclass C:\n    x = 1\n@C\ndef f():\n    pass\n",
    ),
)
_INDENT = 4


def candidates(view: View) -> Iterator[Edit]:
    """Yield an edit for each function that is one definition and its ``return``, and that nothing but calls names."""
    lines = view.program.lines
    for header, line in enumerate(lines):
        if not line.text.lstrip().startswith("def ") or not line.text.endswith("():"):
            continue
        name = defined_name(line.text)
        calls = list(calls_of(view, name))
        naming = {number for number, other in enumerate(lines) if name in words(other.text)}
        if not calls or name in view.exports or naming != {header, *(call.line for call in calls)}:
            continue
        made = _made(view, header)
        if made and all(call.bare and not call.arguments for call in calls):
            block = region(view, header)
            changes: list[Change] = [Cut(header, line.versions), Cut(block[-1], line.versions)]
            changes += [Splice(at, lines[at].versions, 0, _INDENT, "") for at in block[:-1]]
            changes += [
                Splice(call.line, lines[call.line].versions, call.span.start, call.span.end, made)
                for call in calls
            ]
            yield Edit(tuple(changes), 6)


def _made(view: View, header: int) -> str:
    """Return the name of the only thing that a function defines, and returns; empty where it does more than that."""
    lines = view.program.lines
    head, block = lines[header], region(view, header)
    inner = indent_of(head.text) + _INDENT
    if len(block) < 2 or any(indent_of(lines[at].text) < inner for at in block):
        return ""
    own = [lines[at] for at in block if indent_of(lines[at].text) == inner]
    *decorators, definition, last = own if len(own) > 1 else (head, head)
    if lines[block[-1]] != last or any(one.versions != head.versions for one in own):
        return ""
    if kind_of(definition.text) not in ("def", "class") or any(
        kind_of(one.text) != "decorator" for one in decorators
    ):
        return ""
    name = defined_name(definition.text)
    is_alone = all(name not in words(one.text) for at, one in enumerate(lines) if at not in block)
    return name if is_alone and last.text.strip() == f"return {name}" else ""


PASS = Pass("lift from factory", candidates, hope=0.5)
