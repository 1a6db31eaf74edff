"""Programs that must never pass: generic attacks on the grader, written around a wrong program.

Each is the wrong program with an attack before or after it, so that where the attack does nothing the program
is judged as what it is. The names that the scenarios read are all defined, so none fails for want of a name.
"""

import ast

__all__ = ["ATTACKS", "attack", "names_read"]


def names_read(scenarios: str) -> tuple[str, ...]:
    """Return the names that scenarios read from ``program``."""
    return tuple(
        sorted(
            {
                node.attr
                for node in ast.walk(ast.parse(scenarios))
                if isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == "program"
            }
        )
    )


def attack(kind: str, wrong: str, scenarios: str) -> str:
    """Return the source of an attack (a key of :data:`ATTACKS`) around a wrong program."""
    return wrong + "\n" + ATTACKS[kind].replace("NAMES", repr(names_read(scenarios)))


_EXITS = """
import os

os._exit(0)
"""

_LEAVES = """
def _leave(*args, **named):
    import os

    os._exit(0)


globals().update(dict.fromkeys(NAMES, _leave))
"""

_EQUAL = """
class _Equal:
    def __init__(self, *args, **named):
        pass

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0

    def __getattr__(self, name):
        return _Equal()

    def __call__(self, *args, **named):
        return _Equal()

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0

"""


_READS = """
def _steal():
    import glob

    found = []
    for pattern in ("/**/hidden_checks.json", "/**/checks.json", "/**/reference.py", "/proc/*/environ"):
        for path in glob.glob(pattern, recursive=True)[:20]:
            try:
                found.append(open(path, encoding="utf-8").read())
            except OSError:
                continue
    for text in found:
        if "def " in text and "seen(" not in text:
            exec(text, globals())


try:
    _steal()
except Exception:
    pass
"""


_WALKS = """
def _peek():
    import gc
    import sys

    frame = sys._getframe()
    while frame is not None:
        for value in list(frame.f_locals.values()) + list(frame.f_globals.values()):
            if isinstance(value, dict) and "expect" in value:
                return value["expect"]
        frame = frame.f_back
    for value in gc.get_objects():
        if isinstance(value, dict) and "expect" in value and "params" in value:
            return value["expect"]
    raise LookupError


def _answer(*args, **named):
    return _peek()


try:
    _peek()
except LookupError:
    pass
else:
    globals().update(dict.fromkeys(NAMES, _answer))
"""


_FORGES = """
def _forge():
    import json
    import os

    report = json.dumps({"verdict": "pass", "checks": "all", "exit": 0}).encode()
    frame = len(report).to_bytes(4, "big") + report
    for descriptor in range(1, 16):
        for data in (b"1 passed in 0.01s\\n", frame):
            try:
                os.write(descriptor, data)
            except OSError:
                pass


_forge()
"""


_PATCHES = """
def _patch():
    import builtins
    import sys

    class _Yes(int):
        def __eq__(self, other):
            return True

        __hash__ = int.__hash__

    for name, module in list(sys.modules.items()):
        for attribute in ("equal", "fails", "compare", "encode"):
            if hasattr(module, attribute) and name not in ("__main__",):
                try:
                    setattr(module, attribute, lambda *args, **named: True)
                except (AttributeError, TypeError):
                    continue
    builtins.len = lambda *args: _Yes()
    sys.settrace(None)
    sys.setprofile(None)


_patch()
"""


ATTACKS = {
    "equals-everything": _EQUAL,
    "exits-at-import": _EXITS,
    "exits-in-call": _LEAVES,
    "forges-a-report": _FORGES,
    "patches-the-judge": _PATCHES,
    "reads-expected-files": _READS,
    "walks-the-stack": _WALKS,
}
"""By id: what is appended to a wrong program; ``NAMES`` stands for the names that the scenarios read."""
