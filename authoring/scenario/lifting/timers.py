"""Remove the alarms and timers by which a reproducer bounds what may hang: in the box the driver does that."""

from collections.abc import Sequence

import libcst as cst

from authoring.scenario.lifting.syntax import Statement, block, callee, code, rewrite, uses

__all__ = ["EXAMPLES", "is_timed", "without_timers"]

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


_BOUNDING = ("alarm", "setitimer", "dump_traceback_later")


def is_timed(script: str) -> bool:
    """Tell whether a reproducer's text bounds the time that something may take by an alarm or a timer."""
    return any(f"{word}(" in script for word in _BOUNDING)


def without_timers(module: cst.Module) -> cst.Module:
    """Return a module without alarms, their handlers, and the try blocks that only reset them."""
    if not any(word in module.code for word in _TIMERS):
        return module

    def cleaned_block(_: cst.IndentedBlock, new: cst.IndentedBlock) -> cst.IndentedBlock:
        return new.with_changes(body=_cleaned(new.body) or [cst.parse_statement("pass")])

    def cleaned_module(_: cst.Module, new: cst.Module) -> cst.Module:
        return new.with_changes(body=_cleaned(new.body))

    stripped = rewrite(module, {cst.IndentedBlock: cleaned_block, cst.Module: cleaned_module})
    return rewrite(stripped, {cst.FunctionDef: lambda _, new: _without_unused(new)})


def _sets_timer(node: cst.BaseStatement) -> bool:
    if not isinstance(node, cst.SimpleStatementLine) or len(node.body) != 1:
        return False
    small = node.body[0]
    value = small.value if isinstance(small, cst.Expr | cst.Assign) else None
    if not isinstance(value, cst.Call):
        return False
    last = callee(value).rpartition(".")[2]
    return last in _TIMERS or (last == "signal" and "SIGALRM" in code(value))


def _cleaned(body: Sequence[cst.BaseStatement]) -> list[cst.BaseStatement]:
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


def _without_unused(function: cst.FunctionDef) -> cst.FunctionDef:
    """Return a function without nested ones that nothing in it names any more."""
    lines = block(function.body)
    kept = [line for line in lines if not _is_unused(line, lines)]
    if len(kept) == len(lines):
        return function
    return function.with_changes(body=cst.IndentedBlock(body=kept))


def _is_unused(line: Statement, lines: list[Statement]) -> bool:
    if not isinstance(line, cst.FunctionDef):
        return False
    return all(line.name.value not in uses(other).reads for other in lines if other is not line)
