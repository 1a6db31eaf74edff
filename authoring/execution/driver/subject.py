"""Bring the subject up: the program's module or the package's modules, the scenarios, and what may be observed."""

import marshal
import sys
from binascii import a2b_base64

from authoring.execution.driver.codec import Encoder, class_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
else:
    Any = object

_MODULE = type(sys)


class MissingError(Exception):
    """Names that the scenarios read and the program does not hold."""


class Text:
    """A module's text, for what reads the source of the code that it is given: decorators that rewrite it do."""

    def __init__(self, source: str) -> None:
        self.source = source

    def get_source(self, name: str) -> str:
        """Return the text, as loaders do."""
        return self.source


class Subject:
    """What the scenarios are given, the scenario functions, and the exceptions that are behaviour."""

    def __init__(self, program: Any, scope: dict[str, Any], replaced: dict[str, Any]) -> None:
        self.program = program
        self.scope = scope
        self.replaced = replaced
        self.raises: dict[type, str] = {}
        self.messages = False

    def scenario(self, name: str) -> Any:
        """Return a scenario's function, the package's own version where original.py has one, or None."""
        return self.replaced.get(name) or self.scope.get(name)


def bring_up(setup: dict[str, Any], encoder: Encoder) -> Subject:
    """Import what the parent described and return it; what the import raises passes through."""
    sys.path[:0] = setup["path"]
    if setup["kind"] == "program":
        program = load_text(setup["module"], setup["file"], setup["source"], setup.get("codes") or ())
        replaced: dict[str, Any] = {}
    else:
        # first, since it may set what the package reads while it is imported, such as an environment variable
        original = load_text("original", "/box/original.py", setup["original"]).__dict__
        first = None
        for name in setup["modules"]:
            __import__(name)
            first = first or sys.modules[name]
        program = original["bind"](first)
        replaced = original
    scope = load_text("scenarios", "/box/scenarios.py", setup["scenarios"]).__dict__
    missing = [name for name in setup["names"] if not hasattr(program, name)]
    if missing:
        raise MissingError(missing)
    subject = Subject(program, scope, replaced)
    permit(subject, setup["types"], encoder)
    return subject


def load_text(name: str, path: str, source: str, codes: Any = ()) -> Any:
    """Execute a module's text under a name in ``sys.modules`` and return the module.

    ``codes`` is the code of its statements where that was made before, each with the lines that stand before it.
    """
    module = _MODULE(name)
    module.__file__ = path
    module.__dict__["__loader__"] = Text(source)
    sys.modules[name] = module
    if not codes:
        exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)
    for code, lines in codes:
        exec(_moved(marshal.loads(a2b_base64(code)), lines), module.__dict__)
    return module


def _moved(code: Any, lines: int) -> Any:
    """Return a statement's code, and all code in it, as it is some lines further down."""
    if not lines:
        return code
    inner = tuple(_moved(one, lines) if type(one) is type(code) else one for one in code.co_consts)
    return code.replace(co_firstlineno=code.co_firstlineno + lines, co_consts=inner)


def permit(subject: Subject, types: dict[str, Any], encoder: Encoder) -> None:
    """Let through the classes that the contract names: a name of the program, else a built-in."""
    encoder.iterators = types["iterators"]
    subject.messages = types["messages"]
    for kind, table in (
        ("records", encoder.records),
        ("enums", encoder.enums),
        ("handles", encoder.handles),
        ("raises", subject.raises),
    ):
        for name in types[kind]:
            found = getattr(subject.program, name, None) or BUILTINS.get(name)
            if isinstance(found, type):
                table[found] = name


BUILTINS = dict(sys.modules["builtins"].__dict__)
RAISED = {
    kind: name
    for name, kind in BUILTINS.items()
    if isinstance(kind, type) and issubclass(kind, BaseException)
}


def raised_name(kind: type, raises: dict[type, str], bases: tuple[type, ...]) -> str:
    """Return the first class of the real MRO that the contract names or that is built in."""
    for base in bases:
        if base in raises:
            return raises[base]
        if base in RAISED:
            return class_name(base)
    return "BaseException"
