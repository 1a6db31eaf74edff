"""Write the program that is right on the public inputs and wrong elsewhere: public answers hard-coded.

Every function that differs between broken and reference exists twice; a dispatcher looks for the scenario's
parameters on the stack and takes the right one for public inputs only. No answer table could serve classes
and state as well.
"""

import ast
import inspect
from collections.abc import Iterable, Sequence

from authoring.model.wire import Wire, WireError, decode
from authoring.variants.material import VariantTask

__all__ = ["hardcode", "public_answers"]


def _form_of_known_input(value: object) -> str:
    """Tell inputs apart by type and value, the same under every hash seed; the program holds this function too."""
    kind, form = type(value).__name__, _form_of_known_input
    if isinstance(value, (set, frozenset)):
        return f"{kind}({', '.join(sorted(map(form, value)))})"
    if isinstance(value, dict):
        return f"{kind}({', '.join(sorted(f'{form(key)}: {form(item)}' for key, item in value.items()))})"
    if isinstance(value, (list, tuple)):
        return f"{kind}({', '.join(map(form, value))})"
    return repr(value)


_DISPATCH = """
def _is_known_input():
    import sys

    frame = sys._getframe(1)
    while frame is not None:
        if "seen" in frame.f_locals and "p" in frame.f_locals:
            return _form_of_known_input(frame.f_locals["p"]) in _KNOWN_INPUTS
        frame = frame.f_back
    return False
"""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def public_answers(task: VariantTask) -> str | None:
    """Return a task's program that is right on its public checks' inputs alone; None as in :func:`hardcode`."""
    return hardcode(task.program, task.reference, [check.params for check in task.public.checks])


def hardcode(broken: str, reference: str, public: Sequence[Wire]) -> str | None:
    """Return the program, or None where public inputs exist inside a box only or no function differs.

    ``public`` are the parameters of the public checks.
    """
    try:
        known = sorted({_form_of_known_input(decode(params)) for params in public})
    except WireError:
        return None
    wrong, right = ast.parse(broken), ast.parse(reference)
    _set_apart(wrong, right)
    changed = _merged(wrong, right)
    if not changed:
        return None
    prelude = ast.parse(
        f"_KNOWN_INPUTS = {known!r}\n{inspect.getsource(_form_of_known_input)}\n{_DISPATCH}"
    ).body
    wrong.body = [*_head(wrong.body), *prelude, *wrong.body[len(_head(wrong.body)) :]]
    return ast.unparse(ast.fix_missing_locations(wrong)) + "\n"


def _head(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Return the ``from __future__`` imports, which must stay first, with a docstring before them."""
    last = max(
        (
            n
            for n, item in enumerate(body)
            if isinstance(item, ast.ImportFrom) and item.module == "__future__"
        ),
        default=-1,
    )
    return list(body[: last + 1])


def _set_apart(wrong: ast.Module, right: ast.Module) -> None:
    """Rename the module-level data that the right tree binds otherwise, until nothing of it is shared by name
    only.
    """
    ours = {ast.dump(item) for item in wrong.body}
    while True:
        differing = [item for item in right.body if ast.dump(item) not in ours]
        names = _bound(differing) & _bound(wrong.body)
        if not names:
            return
        for node in ast.walk(right):
            if isinstance(node, ast.Name) and node.id in names:
                node.id = f"_right_{node.id.strip('_')}"
            elif isinstance(node, ast.Global):
                node.names = [f"_right_{name.strip('_')}" if name in names else name for name in node.names]


def _merged(wrong: ast.Module | ast.ClassDef, right: ast.Module | ast.ClassDef) -> bool:
    """Give the wrong tree what the right one holds beside it; return whether any function now dispatches."""
    theirs = {item.name: item for item in right.body if isinstance(item, Function | ast.ClassDef)}
    body: list[ast.stmt] = []
    changed = False
    for item in wrong.body:
        other = theirs.pop(item.name, None) if isinstance(item, Function | ast.ClassDef) else None
        if isinstance(item, ast.ClassDef) and isinstance(other, ast.ClassDef):
            changed |= _merged(item, other)
        elif isinstance(item, Function) and isinstance(other, Function) and ast.dump(item) != ast.dump(other):
            body += _dispatched(item, other)
            changed = True
            continue
        body.append(item)
    ours = {ast.dump(item) for item in body}
    added = [
        item for item in right.body if item in theirs.values() or _is_missing_binding(item, ours, wrong.body)
    ]
    wrong.body = [
        *_imports(added),
        *body,
        *(item for item in added if not isinstance(item, ast.Import | ast.ImportFrom)),
    ]
    return changed


def _imports(added: Iterable[ast.stmt]) -> list[ast.stmt]:
    return [item for item in added if isinstance(item, ast.Import | ast.ImportFrom)]


def _is_missing_binding(item: ast.stmt, ours: set[str], body: Sequence[ast.stmt]) -> bool:
    if isinstance(item, ast.Import | ast.ImportFrom):
        return ast.dump(item) not in ours
    if not isinstance(item, ast.Assign | ast.AnnAssign):
        return False
    return not _bound([item]) & _bound(body)


def _bound(body: Sequence[ast.stmt]) -> set[str]:
    return {
        node.id
        for item in body
        if isinstance(item, ast.Assign | ast.AnnAssign)
        for node in ast.walk(item)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _dispatched(wrong: Function, right: Function) -> list[ast.stmt]:
    """Return both functions under names of their own and a dispatcher under the old one, decorated as it was.

    The dispatcher holds them as defaults, so that it is the same for a function, a method and what a class merely
    holds.
    """
    answered, guessed = f"_answered_{wrong.name.strip('_')}", f"_guessed_{wrong.name.strip('_')}"
    dispatcher = ast.parse(
        f"def {wrong.name}(*args, {answered}={answered}, {guessed}={guessed}, **named):\n"
        f"    chosen = {answered} if _is_known_input() else {guessed}\n"
        f"    return chosen(*args, **named)\n"
    ).body[0]
    assert isinstance(dispatcher, ast.FunctionDef)
    dispatcher.decorator_list = wrong.decorator_list
    wrong.name, wrong.decorator_list = guessed, []
    right.name, right.decorator_list = answered, []
    return [right, wrong, dispatcher]
