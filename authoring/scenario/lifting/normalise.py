"""Bring the many ways to judge something into few: tests, bodies that must raise, statements that must end."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import libcst as cst

from authoring.scenario.lifting.inline import inlined
from authoring.scenario.lifting.items import (
    Item,
    assert_item,
    fails,
    holds_assertion,
    negated,
    raises_item,
    split_test,
)
from authoring.scenario.lifting.literals import NOT_DATA, Constants, data_of
from authoring.scenario.lifting.syntax import (
    Statement,
    block,
    callee,
    code,
    expression,
    replace_names,
    single,
    statement,
    statements,
    uses,
)
from authoring.scenario.lifting.unittest_forms import plain_test
from authoring.scenario.lifting.unroll import unrolled

__all__ = ["Context", "normalised"]

DEPTH_CAP = 6


@dataclass(frozen=True, slots=True)
class Context:
    """What normalising may look up."""

    functions: Mapping[str, cst.FunctionDef]
    """The reproducer's own functions at module level."""
    asserting: frozenset[str]
    """Those of them that judge something, themselves or by a call."""
    constants: Constants


def normalised(items: list[Item], context: Context, depth: int = 0) -> list[Item]:
    """Return the items with loops over data unrolled, judging functions inlined and every judgement explicit."""
    found: list[Item] = []
    position = 0
    while position < len(items):
        following = items[position + 1] if position + 1 < len(items) else None
        taken, made = _one(items[position], following, items[position + 1 :], context, depth)
        found += made
        position += taken
    return found


def _one(
    item: Item, following: Item | None, rest: list[Item], context: Context, depth: int
) -> tuple[int, list[Item]]:
    """Return how many items were taken, and what they became."""
    node = single(item.node)
    if item.kind != "setup" or isinstance(node, _NEVER_JUDGING):
        return 1, [item]
    if isinstance(node, cst.Assign):
        return 1, [Item(line, item.line) for line in _one_by_one(item.node, node)]
    if isinstance(node, cst.Try) and following is not None and fails(following.node):
        return _attempt(node, item, following, context, depth)
    if not holds_assertion(item.node, context.asserting):
        return 1, [item]
    if isinstance(node, cst.Try):
        return _attempt(node, item, following, context, depth)
    return 1, _judging(node, item, rest, context, depth)


_NEVER_JUDGING = (cst.FunctionDef, cst.ClassDef, cst.AnnAssign, cst.AugAssign)


def _judging(node: cst.CSTNode, item: Item, rest: list[Item], context: Context, depth: int) -> list[Item]:
    """Return what a statement that judges something became."""
    left = [] if fails(item.node) else [replace(item, kind="inner")]
    match node:
        case cst.Assert():
            return _assertion(node.test, item.line)
        case cst.Expr(value=cst.Call() as call):
            return _call(call, item, context, depth)
        case cst.If():
            return _condition(node, item)
        case cst.With():
            return _with(node, item, rest, context)
        case cst.For() if depth < DEPTH_CAP:
            copies = unrolled(node, item.line, context.constants)
            return left if copies is None else normalised(copies, context, depth + 1)
        case _:
            return left


def _one_by_one(line: Statement, node: cst.Assign) -> list[Statement]:
    """Return ``a, b = x, y`` as two assignments where that is the same."""
    target, value = node.targets[0].target, node.value
    if len(node.targets) != 1 or not isinstance(target, cst.Tuple) or not isinstance(value, cst.Tuple):
        return [line]
    if len(target.elements) != len(value.elements):
        return [line]
    names = {element.value.value for element in target.elements if isinstance(element.value, cst.Name)}
    starred = any(isinstance(each, cst.StarredElement) for each in (*target.elements, *value.elements))
    if starred or len(names) != len(target.elements) or names & uses(value).reads:
        return [line]
    pairs = zip(target.elements, value.elements, strict=True)
    return [statement(f"{code(name.value)} = ({code(item.value)})") for name, item in pairs]


def _assertion(test: cst.BaseExpression, line: int) -> list[Item]:
    return [assert_item(part, line) for part in split_test(test)]


def _call(call: cst.Call, item: Item, context: Context, depth: int) -> list[Item]:
    test = plain_test(call)
    if test is not None:
        return _assertion(test, item.line)
    if callee(call).rpartition(".")[2] in ("raises", "assertRaises") and len(call.args) > 1:
        body = f"({code(call.args[1].value)})({', '.join(code(_bare(arg)) for arg in call.args[2:])})"
        return [raises_item(tuple(statements(body)), call.args[0].value, item.line)]
    if fails(item.node):
        return []
    copy = inlined(call, item.line, context.functions) if depth < DEPTH_CAP else None
    return [replace(item, kind="inner")] if copy is None else normalised(copy, context, depth + 1)


def _bare(arg: cst.Arg) -> cst.Arg:
    return arg.with_changes(comma=cst.MaybeSentinel.DEFAULT)


def _condition(node: cst.If, item: Item) -> list[Item]:
    body = block(node.body)
    if node.orelse is None and body and fails(body[-1]) and not holds_assertion(body[:-1]):
        return _assertion(negated(node.test), item.line)
    return [replace(item, kind="inner")]


def _attempt(
    node: cst.Try, item: Item, following: Item | None, context: Context, depth: int
) -> tuple[int, list[Item]]:
    body, handlers = block(node.body), [block(handler.body) for handler in node.handlers]
    orelse = block(node.orelse.body) if node.orelse else []
    leaves = [bool(lines) and isinstance(single(lines[-1]), cst.Continue | cst.Return) for lines in handlers]
    errors = _errors(node)
    if node.finalbody is None and handlers:
        if orelse and fails(orelse[-1]):
            return 1, _must_raise(body, node, item, context, depth)
        if not orelse and body and fails(body[-1]) and not any(map(_says_failure, handlers)):
            return 1, _must_raise(body[:-1], node, item, context, depth)
        if not orelse and all(leaves) and following is not None and fails(following.node):
            return 2, [raises_item(tuple(body), errors, item.line)]
        if all(map(_says_failure, handlers)) and not holds_assertion(body, context.asserting):
            last = [Item(line, item.line, "ends") for line in body[-1:]]
            lines = (
                [Item(line, item.line) for line in body[:-1]]
                + last
                + [Item(line, item.line) for line in orelse]
            )
            return 1, normalised(lines, context, depth + 1)
    return 1, [replace(item, kind="inner")]


def _says_failure(lines: list[Statement]) -> bool:
    return bool(lines) and fails(lines[-1])


def _errors(node: cst.Try) -> cst.BaseExpression | None:
    types = [handler.type for handler in node.handlers]
    known = [kind for kind in types if kind is not None]
    if len(known) < len(types) or not known:
        return None
    if len(known) == 1:
        return known[0]
    return expression(", ".join(code(kind) for kind in known))


def _must_raise(body: list[Statement], node: cst.Try, item: Item, context: Context, depth: int) -> list[Item]:
    found = [raises_item(tuple(body), _errors(node), item.line)]
    for handler in node.handlers:
        lines = block(handler.body)
        if handler.name is None or not holds_assertion(lines, context.asserting):
            continue
        name = code(handler.name.name)
        kept = f"{name}_caught"
        found.append(Item(_catching(body, handler.type, kept), item.line))
        renamed = [replace_names(line, {name: cst.Name(kept)}) for line in lines]
        found += normalised([Item(line, item.line) for line in renamed], context, depth + 1)
    return found


def _catching(body: list[Statement], errors: cst.BaseExpression | None, name: str) -> Statement:
    caught = code(errors) if errors is not None else "Exception"
    text = f"try:\n    pass\nexcept ({caught}) as error:\n    {name} = error\n"
    whole = cst.parse_statement(text)
    assert isinstance(whole, cst.Try)
    return whole.with_changes(body=cst.IndentedBlock(body=body))


def _with(node: cst.With, item: Item, rest: list[Item], context: Context) -> list[Item]:
    raising = [each for each in node.items if _is_raises(each)]
    if not raising:
        return [replace(item, kind="with")]
    last = raising[-1]
    assert isinstance(last.item, cst.Call)
    others = [each for each in node.items if each is not last]
    body = block(node.body)
    if others:
        inner = [each.with_changes(comma=cst.MaybeSentinel.DEFAULT) for each in others]
        body = [node.with_changes(items=inner)]
    errors = last.item.args[0].value if last.item.args else None
    found = [raises_item(tuple(body), errors, item.line)]
    match = _pattern(last.item, context.constants)
    name = code(last.asname.name) if last.asname is not None else "info"
    later = last.asname is not None and any(name in uses(each.node).reads for each in rest)
    if match is not None or later:
        found += [Item(line, item.line) for line in _remembering(body, errors, name)]
    if match is not None:
        test = expression(f"re.search({match}, str({name}.value))")
        found += [Item(line, item.line) for line in statements("import re\n")] + _assertion(test, item.line)
    return found


def _is_raises(item: cst.WithItem) -> bool:
    last = callee(item.item).rpartition(".")[2]
    return last in ("raises", "assertRaises", "assertRaisesRegex") and isinstance(item.item, cst.Call)


def _pattern(call: cst.Call, constants: Constants) -> str | None:
    named = [arg.value for arg in call.args if arg.keyword is not None and arg.keyword.value == "match"]
    if callee(call).endswith("assertRaisesRegex"):
        named += [arg.value for arg in call.args[1:2]]
    if not named or code(named[0]) == "None":
        return None
    value = data_of(named[0], constants)
    return code(named[0]) if value is NOT_DATA else repr(value)


def _remembering(body: list[Statement], errors: cst.BaseExpression | None, name: str) -> list[Statement]:
    """What ``with pytest.raises(E) as info`` leaves behind, without pytest.

    All that is not the reproducer's own stands in the handler and the else, whose literals are never lifted.
    """
    catching = _catching(body, errors, name)
    assert isinstance(catching, cst.Try)
    caught = f"{name} = types.SimpleNamespace(value=error, exception=error, type=type(error))"
    nothing = f"{name} = types.SimpleNamespace(value=None, exception=None, type=None)"
    handler = catching.handlers[0].with_changes(body=cst.IndentedBlock(body=statements(caught)))
    orelse = cst.Else(body=cst.IndentedBlock(body=statements(nothing)))
    start = statements(f"import types\n{name} = None\n")
    return [*start, catching.with_changes(handlers=[handler], orelse=orelse)]
