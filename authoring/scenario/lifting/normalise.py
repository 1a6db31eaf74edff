"""Bring the many ways to judge something into few: tests, bodies that must raise, statements that must end."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import libcst as cst

from authoring.scenario.lifting.inline import inlined
from authoring.scenario.lifting.items import (
    RAISING,
    WARNING,
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
    items = [each for item in items for each in _matched(item, _caught_names(items))]
    found: list[Item] = []
    position = 0
    while position < len(items):
        following = items[position + 1] if position + 1 < len(items) else None
        taken, made = _one(items[position], following, items[position + 1 :], context, depth)
        found += made
        position += taken
    return found


def _caught_names(items: list[Item]) -> set[str]:
    """Return the names under which ``with pytest.raises(E) as name`` keeps what was raised."""
    blocks = [item.node for item in items if isinstance(item.node, cst.With)]
    return {
        code(each.asname.name)
        for node in blocks
        for each in node.items
        if each.asname is not None and _form(each) == "raises"
    }


def _matched(item: Item, caught: set[str]) -> list[Item]:
    """Return ``info.match(PATTERN)`` as the search that it is."""
    small = single(item.node)
    value = small.value if isinstance(small, cst.Expr) else None
    name, _, last = callee(value).partition(".") if value is not None else ("", "", "")
    if not isinstance(value, cst.Call) or name not in caught or last != "match" or len(value.args) != 1:
        return [item]
    return _searching(code(value.args[0].value), f"str({name}.value)", item.line)


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
            return _with(node, item, rest, context, depth)
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
    form = callee(call).rpartition(".")[2]
    given = call.args[2:] if form.endswith("Regex") else call.args[1:]
    if form in ("assertRegex", "assertNotRegex") and len(call.args) > 1:
        test = _searched(call, form, context.constants)
        return [Item(statement("import re"), item.line), *_assertion(test, item.line)]
    if form in (*RAISING, *WARNING) and given and given[0].keyword is None:
        body = f"({code(given[0].value)})({', '.join(code(_bare(arg)) for arg in given[1:])})"
        judge = _raising if form in RAISING else _warning
        head = call.with_changes(args=[_bare(arg) for arg in call.args[: len(call.args) - len(given)]])
        return judge(cst.WithItem(item=head), statements(body), item, [], context)
    if fails(item.node):
        return []
    copy = inlined(call, item.line, context.functions) if depth < DEPTH_CAP else None
    return [replace(item, kind="inner")] if copy is None else normalised(copy, context, depth + 1)


def _searched(call: cst.Call, form: str, constants: Constants) -> cst.BaseExpression:
    """Return the test that ``assertRegex`` or its opposite makes."""
    text, pattern = call.args[0].value, call.args[1].value
    value = data_of(pattern, constants)
    shown = code(pattern) if value is NOT_DATA else repr(value)
    sign = "is not" if form == "assertRegex" else "is"
    return expression(f"re.search({shown}, {code(text)}) {sign} None")


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


def _with(node: cst.With, item: Item, rest: list[Item], context: Context, depth: int) -> list[Item]:
    chosen = next(
        (each for each in reversed(node.items) if _form(each) in (*RAISING, *WARNING, *_ENDING)), None
    )
    named = [each for each in node.items if _form(each) != "subTest" and each is not chosen]
    inner = [each.with_changes(comma=cst.MaybeSentinel.DEFAULT) for each in named]
    body: list[Statement] = [node.with_changes(items=inner)] if inner else block(node.body)
    if chosen is None and len(named) == len(node.items):
        return [replace(item, kind="with")]
    if chosen is None:
        return normalised([Item(line, item.line) for line in body], context, depth + 1)
    if _form(chosen) in _ENDING:
        is_plain = not holds_assertion(block(node.body), context.asserting)
        return [replace(item, kind="ends" if is_plain else "with")]
    if _form(chosen) in WARNING:
        return _warning(chosen, body, item, rest, context)
    return _raising(chosen, body, item, rest, context)


_ENDING = ("assertLogs", "assertNoLogs")
"""Blocks of which all that is judged is that they end."""


def _form(item: cst.WithItem) -> str:
    return callee(item.item).rpartition(".")[2]


def _is_read(name: str, rest: list[Item]) -> bool:
    return any(name in uses(each.node).reads for each in rest)


def _raising(
    chosen: cst.WithItem, body: list[Statement], item: Item, rest: list[Item], context: Context
) -> list[Item]:
    call = chosen.item
    assert isinstance(call, cst.Call)
    errors = call.args[0].value if call.args else None
    found = [raises_item(tuple(body), errors, item.line)]
    match = _pattern(call, context.constants)
    name = code(chosen.asname.name) if chosen.asname is not None else "info"
    if match is not None or (chosen.asname is not None and _is_read(name, rest)):
        found += [Item(line, item.line) for line in _remembering(body, errors, name)]
    if match is not None:
        found += _searching(match, f"str({name}.value)", item.line)
    return found


def _searching(pattern: str, text: str, line: int) -> list[Item]:
    test = expression(f"re.search({pattern}, {text})")
    return [Item(statement("import re"), line), *_assertion(test, line)]


def _warning(
    chosen: cst.WithItem, body: list[Statement], item: Item, rest: list[Item], context: Context
) -> list[Item]:
    """Return a block that must warn as one that records its warnings, and what is asked of these."""
    call = chosen.item
    assert isinstance(call, cst.Call)
    name = code(chosen.asname.name) if chosen.asname is not None else "warned"
    kinds = _warned_kinds(call)
    match = _pattern(call, context.constants)
    whole = statement(f"with warnings.catch_warnings(record=True) as {name}:\n    pass\n")
    lines = [statement('warnings.simplefilter("always")'), *body]
    recorded = Item(whole.with_changes(body=cst.IndentedBlock(body=lines)), item.line)
    if holds_assertion(body, context.asserting):
        recorded = replace(recorded, kind="with")
    asked = f"issubclass(each.category, {kinds})"
    start = [statement("import warnings")]
    if match is not None:
        start.append(statement("import re"))
        asked += f" and re.search({match}, str(each.message)) is not None"
    found = [*(Item(line, item.line) for line in start), recorded]
    found += _assertion(expression(f"any({asked} for each in {name})"), item.line)
    if _form(chosen).startswith("assert") and _is_read(name, rest):
        first = f"next((each.message for each in {name} if issubclass(each.category, {kinds})), None)"
        record = f"{name} = types.SimpleNamespace(warnings={name}, warning={first})"
        found += [Item(line, item.line) for line in statements(f"import types\n{record}\n")]
    return found


def _warned_kinds(call: cst.Call) -> str:
    """Return the text of the categories that a block must warn of."""
    if callee(call).endswith("deprecated_call"):
        return "(DeprecationWarning, PendingDeprecationWarning, FutureWarning)"
    first = call.args[0] if call.args else None
    is_given = first is not None and (first.keyword is None or first.keyword.value == "expected_warning")
    return code(first.value) if first is not None and is_given else "Warning"


def _pattern(call: cst.Call, constants: Constants) -> str | None:
    named = [arg.value for arg in call.args if arg.keyword is not None and arg.keyword.value == "match"]
    if callee(call).endswith(("assertRaisesRegex", "assertWarnsRegex")):
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
