"""Remove the alarms and timers by which a reproducer bounds what may hang: in the box the driver does that."""

import libcst as cst

from authoring.scenario.lifting.syntax import block, callee, code, uses

__all__ = ["EXAMPLES", "without_timers"]

EXAMPLES = [
    (
        "def f():\n    def stop(*_):\n        raise TimeoutError\n    signal.signal(signal.SIGALRM, stop)\n"
        "    signal.alarm(2)\n    try:\n        return g()\n    finally:\n        signal.alarm(0)\n",
        "def f():\n    return g()\n",
    ),
    ("signal.setitimer(signal.ITIMER_REAL, 1)\ng()\n", "g()\n"),
    ("time.sleep(1)\ng()\n", "time.sleep(1)\ng()\n"),
]

_TIMERS = ("alarm", "setitimer", "dump_traceback_later", "cancel_dump_traceback_later", "siginterrupt")


def without_timers(module: cst.Module) -> cst.Module:
    """Return a module without alarms, their handlers, and the try blocks that only reset them."""
    if not any(word in module.code for word in _TIMERS):
        return module
    stripped = module.visit(_RemoveTimers())
    return stripped.visit(_RemoveUnused())


def _sets_timer(node: cst.BaseStatement) -> bool:
    if not isinstance(node, cst.SimpleStatementLine) or len(node.body) != 1:
        return False
    small = node.body[0]
    value = small.value if isinstance(small, cst.Expr | cst.Assign) else None
    if not isinstance(value, cst.Call):
        return False
    last = callee(value).rpartition(".")[2]
    return last in _TIMERS or (last == "signal" and "SIGALRM" in code(value))


class _RemoveTimers(cst.CSTTransformer):
    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        return updated_node.with_changes(body=_cleaned(updated_node.body) or [cst.parse_statement("pass")])

    def leave_Module(self, original_node: cst.Module, updated_node: cst.Module) -> cst.Module:
        return updated_node.with_changes(body=_cleaned(updated_node.body))


def _cleaned(body: "list[cst.BaseStatement] | tuple[cst.BaseStatement, ...]") -> list[cst.BaseStatement]:
    found: list[cst.BaseStatement] = []
    for node in body:
        if _sets_timer(node):
            continue
        if isinstance(node, cst.Try) and node.finalbody is not None and _is_empty(node.finalbody.body):
            if not node.handlers:
                found += block(node.body)
                continue
            found.append(node.with_changes(finalbody=None))
            continue
        found.append(node)
    return found


def _is_empty(body: cst.BaseSuite) -> bool:
    return all(code(line).strip() == "pass" for line in block(body))


class _RemoveUnused(cst.CSTTransformer):
    """Removes nested functions that nothing in their block names any more."""

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef:
        lines = block(updated_node.body)
        kept = [line for line in lines if not _is_unused(line, lines)]
        if len(kept) == len(lines):
            return updated_node
        return updated_node.with_changes(body=cst.IndentedBlock(body=kept))


def _is_unused(
    line: cst.BaseStatement, lines: "list[cst.SimpleStatementLine | cst.BaseCompoundStatement]"
) -> bool:
    if not isinstance(line, cst.FunctionDef):
        return False
    return all(line.name.value not in uses(other).reads for other in lines if other is not line)
