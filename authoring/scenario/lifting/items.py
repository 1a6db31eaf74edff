"""The statements of a reproducer as lifting sees them: set-up, or something that is judged."""

from dataclasses import dataclass
from typing import Literal

import libcst as cst

from authoring.scenario.lifting.syntax import Statement, block, code, dotted, expression, statement

__all__ = [
    "ASSERTION",
    "RAISING",
    "WARNING",
    "Item",
    "assert_item",
    "fails",
    "holds_assertion",
    "is_name",
    "negated",
    "raises_item",
    "split_test",
]

Kind = Literal["setup", "assert", "raises", "ends", "with", "inner"]

ASSERTION = ("AssertionError", "SystemExit")
RAISING = ("raises", "assertRaises", "assertRaisesRegex")
"""The ways of pytest and unittest to say that something must raise."""
WARNING = ("warns", "deprecated_call", "assertWarns", "assertWarnsRegex")
"""Their ways to say that something must warn."""
MOCK_ASSERTIONS = (
    "assert_called",
    "assert_not_called",
    "assert_any_call",
    "assert_has_calls",
    "assert_awaited",
)
"""How the names begin by which a mock judges what was asked of it."""
_FAIL_CALLS = ("pytest.fail", "self.fail", "sys.exit", "exit", "os._exit")


@dataclass(frozen=True, slots=True)
class Item:
    """One statement, what it is for, and where the reproducer has it.

    ``assert``: ``test`` must be true. ``raises``: ``body`` must raise one of ``errors``. ``ends``: ``node`` has
    only to end. ``with``: a with block that holds judged statements. ``inner``: any other statement that holds
    some, which stay where they are. ``setup``: all else.
    """

    node: Statement
    line: int
    kind: Kind = "setup"
    test: cst.BaseExpression | None = None
    body: tuple[Statement, ...] = ()
    errors: cst.BaseExpression | None = None

    @property
    def is_judged(self) -> bool:
        """Whether the statement is a check, and no set-up."""
        return self.kind in ("assert", "raises", "ends")


def assert_item(test: cst.BaseExpression, line: int) -> Item:
    """Return the item that judges one test."""
    return Item(statement(f"assert ({code(test)})"), line, "assert", test=test)


def raises_item(body: tuple[Statement, ...], errors: cst.BaseExpression | None, line: int) -> Item:
    """Return the item whose body must raise."""
    caught = code(errors) if errors is not None else "Exception"
    whole = statement(
        f"try:\n    pass\nexcept ({caught}):\n    pass\nelse:\n    raise AssertionError('nothing was raised')\n"
    )
    assert isinstance(whole, cst.Try)
    node = whole.with_changes(body=cst.IndentedBlock(body=list(body) or [cst.parse_statement("pass")]))
    return Item(node, line, "raises", body=body, errors=errors)


def is_name(node: cst.CSTNode, *names: str) -> bool:
    """Return whether an expression is one of these dotted names."""
    return dotted(node) in names


def fails(node: cst.CSTNode) -> bool:
    """Return whether a statement only says that the reproducer failed."""
    small = node.body[0] if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1 else node
    if isinstance(small, cst.Raise) and small.exc is not None:
        raised = small.exc.func if isinstance(small.exc, cst.Call) else small.exc
        return is_name(raised, *ASSERTION)
    if isinstance(small, cst.Assert):
        return code(small.test).strip("() ") in ("False", "0", "None")
    if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call):
        call = small.value
        is_good_exit = len(call.args) == 0 or code(call.args[0].value) in ("0", "None")
        return is_name(call.func, *_FAIL_CALLS) and not (
            is_name(call.func, "sys.exit", "exit") and is_good_exit
        )
    return False


def negated(test: cst.BaseExpression) -> cst.BaseExpression:
    """Return the opposite of a test in its plainest form."""
    opposites: dict[type, str] = {
        cst.Equal: "!=",
        cst.NotEqual: "==",
        cst.In: "not in",
        cst.NotIn: "in",
        cst.Is: "is not",
        cst.IsNot: "is",
    }
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return test.expression
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        opposite = opposites.get(type(test.comparisons[0].operator))
        if opposite is not None:
            return expression(f"{code(test.left)} {opposite} {code(test.comparisons[0].comparator)}")
    return expression(f"not ({code(test)})")


def split_test(test: cst.BaseExpression) -> list[cst.BaseExpression]:
    """Return the tests whose conjunction a test is."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
        return [*split_test(test.left), *split_test(test.right)]
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        inner = test.expression
        if isinstance(inner, cst.BooleanOperation) and isinstance(inner.operator, cst.Or):
            return [*split_test(negated(inner.left)), *split_test(negated(inner.right))]
        if isinstance(inner, cst.UnaryOperation) and isinstance(inner.operator, cst.Not):
            return split_test(inner.expression)
        if isinstance(inner, cst.Comparison) and len(inner.comparisons) == 1:
            return [negated(inner)]
    return [test]


class _FindAssertion(cst.CSTVisitor):
    def __init__(self, asserting: frozenset[str]) -> None:
        super().__init__()
        self.asserting = asserting
        self.found = False

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.FunctionDef | cst.Lambda | cst.ClassDef):
            return False
        if isinstance(node, cst.Assert | cst.Raise | cst.Expr):
            self.found |= isinstance(node, cst.Assert) or fails(node)
        if isinstance(node, cst.Call):
            name = dotted(node.func) or ""
            last = name.rpartition(".")[2]
            self.found |= name in self.asserting or last in RAISING or last in WARNING
            self.found |= name.startswith("self.assert") or last.startswith(MOCK_ASSERTIONS)
        return not self.found


def holds_assertion(nodes: cst.CSTNode | list[Statement], asserting: frozenset[str] = frozenset()) -> bool:
    """Return whether code judges something itself, or calls one of the functions that do."""
    visitor = _FindAssertion(asserting)
    for node in nodes if isinstance(nodes, list) else [nodes]:
        if isinstance(node, cst.FunctionDef):
            for inner in block(node.body):
                inner.visit(visitor)
        else:
            node.visit(visitor)
    return visitor.found
