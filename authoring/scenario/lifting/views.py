"""What a test compares, as observations: data for both sides where it can be, else a projection that is data.

A test becomes subjects (the expressions whose values are observed) and views (how they are observed), the view that
the test itself takes first, then the ones to fall back on where a value has no form as data.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from authoring.scenario.lifting.items import negated
from authoring.scenario.lifting.literals import NOT_DATA, Constants, data_of
from authoring.scenario.lifting.syntax import callee, code, dotted, uses

__all__ = [
    "FIELDS_HELPER",
    "PLAIN_HELPER",
    "SHOWN_HELPER",
    "Judgement",
    "View",
    "judge",
    "must_end",
    "must_raise",
]

PLAIN_HELPER = """\
def plain(value):
    if isinstance(value, dict):
        return {plain(key): plain(item) for key, item in value.items()}
    for kind in (list, tuple, set, frozenset):
        if isinstance(value, kind):
            return kind(plain(item) for item in value)
    for kind in (str, bytes, float):
        if isinstance(value, kind):
            return kind(value)
    return value
"""

SHOWN_HELPER = """\
def shown(value):
    if isinstance(value, dict):
        return {shown(key): shown(item) for key, item in value.items()}
    for kind in (list, tuple, set, frozenset):
        if isinstance(value, kind):
            return kind(shown(item) for item in value)
    for kind in (bool, int, float, str, bytes):
        if isinstance(value, kind):
            return kind(value)
    return None if value is None else f"<{type(value).__name__}>"
"""

FIELDS_HELPER = """\
def fields(value, depth=0):
    if isinstance(value, dict):
        return {fields(key, depth + 1): fields(item, depth + 1) for key, item in value.items()}
    for kind in (list, tuple):
        if isinstance(value, kind):
            return kind(fields(item, depth + 1) for item in value)
    names = sorted(getattr(value, "__dict__", None) or getattr(value, "__slots__", ()))
    shown = {name: fields(getattr(value, name), depth + 1) for name in names if hasattr(value, name)}
    return [type(value).__name__, shown] if shown and depth < 6 else value
"""


@dataclass(frozen=True, slots=True)
class View:
    """One way to observe the subjects: statements with ``{0}``, ``{1}`` for them."""

    words: str
    """``value``, ``truth``, ``membership``, ``raises``, ``ends`` and the like, for people."""
    template: str
    only_bool: bool = False
    """Whether it may be taken only where every tree gives exactly True or False."""
    helper: str = ""
    """A function that the view needs, put at the scenario's start."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The subjects of a test and the views on them, the test's own first."""

    subjects: tuple[cst.BaseExpression, ...]
    views: tuple[View, ...]
    hints: tuple[str, ...] = ()
    """For each subject a name for the literal that it is, where it is one."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What deciding on views needs to know of the names in scope."""

    tainted: frozenset[str]
    """Names that come from the package."""
    constants: Constants

    def is_data(self, node: cst.BaseExpression) -> bool:
        """Return whether an expression is data, written out."""
        return data_of(node, self.constants) is not NOT_DATA

    def is_tainted(self, node: cst.BaseExpression) -> bool:
        """Return whether an expression's value comes from the package."""
        return bool(uses(node).reads & self.tainted)


_MEMBERSHIP = (cst.In, cst.NotIn)
_IDENTITY = (cst.Is, cst.IsNot)
_EQUALITY = (cst.Equal, cst.NotEqual)


def must_raise(subject: cst.BaseExpression) -> Judgement:
    """Return the judgement of an expression that must raise: what it gives instead is observed too."""
    return Judgement((subject,), (View("raises", "seen({0})"), View("raises", "{0}\nseen(None)")))


def must_end(subject: cst.BaseExpression | None) -> Judgement:
    """Return the judgement of an expression, or of the statement before it, that has only to end."""
    if subject is None:
        return Judgement((), (View("ends", "seen(None)"),))
    return Judgement((subject,), (View("ends", "{0}\nseen(None)"),))


def judge(test: cst.BaseExpression, sight: Sight) -> Judgement:
    """Return the subjects and views of a test."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        opposite = negated(test.expression)
        if isinstance(opposite, cst.Comparison):
            return judge(opposite, sight)
        return judge(test.expression, sight)
    if isinstance(test, cst.Comparison):
        if len(test.comparisons) > 1:
            return _chain(test, sight)
        return _comparison(test.left, test.comparisons[0], sight)
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.Or):
        shared = _shared_left(test, sight)
        if shared is not None:
            return Judgement((shared,), _values(None, "value"))
    return Judgement((test,), _truth("{0}"))


def _truth(template: str, words: str = "truth") -> tuple[View, ...]:
    return (View(words, f"seen({template})", only_bool=True), View(words, f"seen(bool({template}))"))


def _chain(test: cst.Comparison, sight: Sight) -> Judgement:
    sides = [test.left, *(each.comparator for each in test.comparisons)]
    shown = [side for side in sides if sight.is_tainted(side)] or [
        side for side in sides if not sight.is_data(side)
    ]
    if not all(isinstance(each.operator, cst.Equal) for each in test.comparisons) or not shown:
        return Judgement((test,), _truth("{0}"))
    return Judgement(tuple(shown), _values(None, "value", len(shown)))


def _comparison(left: cst.BaseExpression, target: cst.ComparisonTarget, sight: Sight) -> Judgement:
    kind = target.operator
    left, right = (_written(side, kind, sight) for side in (left, target.comparator))
    if isinstance(kind, _MEMBERSHIP):
        hints = ("item" if sight.is_data(left) else "", "allowed" if sight.is_data(right) else "")
        return Judgement((left, right), _truth("{0} in {1}", "membership"), hints)
    typed = _type_of(left) or _type_of(right)
    if typed is not None and isinstance(kind, (*_EQUALITY, *_IDENTITY)):
        both = [side for side in (_type_of(left), _type_of(right)) if side is not None]
        text = "\n".join(f"seen(type({{{at}}}).__name__)" for at in range(len(both)))
        return Judgement(tuple(both), (View("type", text),))
    if isinstance(kind, _IDENTITY):
        return _identity(left, right)
    if isinstance(kind, _EQUALITY):
        return _equality(left, right, isinstance(kind, cst.NotEqual), sight)
    sign = code(kind).strip()
    hints = ("limit" if sight.is_data(left) else "", "limit" if sight.is_data(right) else "")
    return Judgement((left, right), _truth(f"{{0}} {sign} {{1}}", "order"), hints)


def _written(side: cst.BaseExpression, kind: cst.BaseCompOp, sight: Sight) -> cst.BaseExpression:
    """Return a side that is a name for data written out, so that what is expected has no name in the scenario.

    What is compared by identity is written out only where a value has but one object.
    """
    if not isinstance(side, cst.Name) or side.value not in sight.constants.values:
        return side
    value = sight.constants.values[side.value]
    if isinstance(kind, _IDENTITY) and not (value is None or isinstance(value, bool)):
        return side
    return _spelt(value) or side if isinstance(kind, (*_IDENTITY, *_EQUALITY)) else side


def _spelt(value: object) -> cst.BaseExpression | None:
    """Return the literal of a value, or None where it has none."""
    try:
        same = ast.literal_eval(repr(value))
    except (ValueError, SyntaxError):
        return None
    return cst.parse_expression(repr(value)) if same == value and type(same) is type(value) else None


def _type_of(node: cst.BaseExpression) -> cst.BaseExpression | None:
    if isinstance(node, cst.Call) and callee(node) == "type" and len(node.args) == 1:
        return node.args[0].value
    if isinstance(node, cst.Attribute) and node.attr.value == "__class__":
        return node.value
    return None


def _identity(left: cst.BaseExpression, right: cst.BaseExpression) -> Judgement:
    for one, other in ((left, right), (right, left)):
        if code(other) in ("None", "True", "False"):
            own = _values(None, "value")
            return Judgement((one,), (*own[:1], View("is None", f"seen({{0}} is {code(other)})"), *own[1:]))
    return Judgement((left, right), (View("identity", "seen({0} is {1})"),))


def _equality(
    left: cst.BaseExpression, right: cst.BaseExpression, is_unequal: bool, sight: Sight
) -> Judgement:
    sides = [side for side in (left, right) if not _is_tolerance(side)]
    shown = [side for side in sides if sight.is_tainted(side)] or [
        side for side in sides if not sight.is_data(side)
    ]
    shown = shown or sides[:1]
    if len(shown) == 1:
        other = next((side for side in sides if side is not shown[0]), None)
        views = _values(None if other is None else _kind(other, sight), "value")
        if is_unequal and other is not None:
            return Judgement((shown[0], other), (*views[:1], *_truth("{0} != {1}", "inequality"), *views[1:]))
        return Judgement((shown[0],), views)
    views = _values(None, "value", 2)
    if is_unequal:
        views = (*views[:1], *_truth("{0} != {1}", "inequality"), *views[1:])
    return Judgement((shown[0], shown[1]), views)


def _is_tolerance(side: cst.BaseExpression) -> bool:
    return callee(side).rpartition(".")[2] == "approx"


def _kind(node: cst.BaseExpression, sight: Sight) -> str | None:
    value = data_of(node, sight.constants)
    if value is NOT_DATA:
        kinds: dict[type, str] = {cst.List: "list", cst.Dict: "dict", cst.Tuple: "tuple", cst.Set: "set"}
        return kinds.get(
            type(node), callee(node) if callee(node) in ("list", "dict", "tuple", "set") else None
        )
    return type(value).__name__


def _values(kind: str | None, words: str, count: int = 1) -> tuple[View, ...]:
    """Return the views on values, finest first; ``kind`` is the type of what they are compared with."""

    def on_all(form: str) -> str:
        return "\n".join(f"seen({form.format('{' + str(at) + '}')})" for at in range(count))

    shapes = {"dict": ["dict({})"], "list": ["list({})"], "tuple": ["tuple({})"], "set": ["set({})"]}
    shapes |= {"str": ["str({})"], "int": ["int({})"], "float": ["float({})"], "bool": ["bool({})"]}
    views = [View(words, on_all("{}"))]
    views += [View(f"{kind} of it", on_all(form)) for form in shapes.get(kind or "", [])]
    views += [View("plain data", on_all("plain({})"), helper=PLAIN_HELPER)]
    if kind is None:
        views += [View("list of it", on_all("list({})")), View("text", on_all("str({})"))]
    views += [View("fields", on_all("fields({})"), helper=FIELDS_HELPER)]
    if kind is not None:
        views += [View("text", on_all("str({})"))]
    if kind in (None, "list", "tuple"):
        views += [View("texts", on_all("[str(each) for each in {}]"))]
    views += [View("data, else its type", on_all("shown({})"), helper=SHOWN_HELPER)]
    return (*views, View("printed form", on_all("repr({})")), View("type name", on_all("type({}).__name__")))


def _shared_left(test: cst.BooleanOperation, sight: Sight) -> cst.BaseExpression | None:
    """Return what every part of a disjunction compares with data by ``==``, if it is one thing."""
    parts: list[cst.BaseExpression] = []
    pending: list[cst.BaseExpression] = [test]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.BooleanOperation):
            pending += [node.left, node.right]
        elif isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
            target = node.comparisons[0]
            if not isinstance(target.operator, cst.Equal | cst.Is) or not sight.is_data(target.comparator):
                return None
            parts.append(node.left)
        else:
            return None
    texts: Sequence[str] = sorted({code(part) for part in parts})
    return parts[0] if len(texts) == 1 and dotted(parts[0]) is not None else None
