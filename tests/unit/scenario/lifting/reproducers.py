"""Lift reproducers of our own and run what comes of them, on a package given as text, in this process."""

import copy
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any

from authoring.model.wire import decode
from authoring.scenario.lifting import Lifted, lift

ERRORS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NameError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)
MODULES = {"pkg", "pkg.sub"}


def lifted(source: str, **options: Any) -> Lifted:
    """Return what lifting gives for a text that may be indented as a whole."""
    return lift(textwrap.dedent(source), "pkg", MODULES.__contains__, **options)


@contextmanager
def package(text: str, sub: str = "") -> Iterator[dict[str, ModuleType]]:
    """Give the names ``pkg`` and ``pkg.sub`` to modules made of texts."""
    made = {"pkg": types.ModuleType("pkg"), "pkg.sub": types.ModuleType("pkg.sub")}
    made["pkg"].__dict__["sub"] = made["pkg.sub"]
    saved = {name: sys.modules.pop(name, None) for name in made}
    sys.modules.update(made)
    try:
        exec(textwrap.dedent(sub), made["pkg.sub"].__dict__)
        exec(textwrap.dedent(text), made["pkg"].__dict__)
        yield made
    finally:
        for name, old in saved.items():
            del sys.modules[name]
            if old is not None:
                sys.modules[name] = old


def verdicts(found: Lifted, text: str, sub: str = "") -> dict[str, str]:
    """Return for each check ``pass``, or the type of what its script raises."""
    said: dict[str, str] = {}
    for case in found.checks:
        with package(text, sub):
            try:
                exec(compile(case.script, "repro.py", "exec"), {"__name__": "__main__"})
            except ERRORS as error:
                said[case.id] = type(error).__name__
            else:
                said[case.id] = "pass"
    return said


def observations(found: Lifted, text: str, sub: str = "", view: int = 0) -> dict[str, list[Any]]:
    """Return for each check what its scenario observes, the type of what escapes from it last."""
    seen: dict[str, list[Any]] = {}
    for case in found.checks:
        with package(text, sub) as modules:
            pairs = [(each.name, *each.original.split(":")) for each in found.bindings]
            names = {name: getattr(modules[owner], last) for name, owner, last in pairs}
            scope: dict[str, Any] = {}
            exec(compile(case.options[view].text, "scenarios.py", "exec"), scope)
            seen[case.id] = []
            try:
                scope[case.scenario](SimpleNamespace(**names), decode(case.params), _noting(seen[case.id]))
            except ERRORS as error:
                seen[case.id].append(type(error))
    return seen


def _noting(seen: list[Any]) -> Callable[[Any], None]:
    """Return what keeps a value as it is now, as the box does."""

    def note(value: Any) -> None:
        seen.append(copy.deepcopy(value))

    return note
