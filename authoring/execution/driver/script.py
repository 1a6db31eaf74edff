"""Run a reproducer as ``__main__`` and tell how it ended."""

import sys
from posix import _exit

from authoring.execution.driver.codec import Encoder, class_name
from authoring.execution.driver.frames import Pipes
from authoring.execution.driver.fresh import settle
from authoring.execution.driver.observe import message_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
else:
    Any = object

_signal: Any = __import__("_signal")  # the module signal costs the import of enum

PATH = "/box/repro.py"
_MODULE = type(sys)
_TREE = "/tree/"


def serve_script(pipes: Pipes) -> None:
    """Answer one frame: run its text and reply with the verdict, the failure and the tree's modules."""
    pipes.send('{"up":true}')
    order = pipes.receive()
    encoder = Encoder()
    sys.path[:0] = order["path"]
    sys.argv[:] = ["repro.py"]
    main: Any = _MODULE("__main__")
    main.__file__ = PATH
    main.__builtins__ = sys.modules["builtins"]
    sys.modules["__main__"] = main
    if order["cpu"]:
        _signal.setitimer(_signal.ITIMER_PROF, order["cpu"])
    failure = None
    try:
        exec(compile(order["source"], PATH, "exec", dont_inherit=True), main.__dict__)
    except SystemExit as error:
        if error.code not in (None, 0):
            failure = failed(error)
    except BaseException as error:
        failure = failed(error)
    _signal.setitimer(_signal.ITIMER_PROF, 0)
    imported = sorted(name for name, module in list(sys.modules.items()) if in_tree(module))
    texts = "[" + ",".join(encoder.encode(clean(name)) for name in imported) + "]"
    verdict = "null" if failure is None else "[" + ",".join(encoder.encode(part) for part in failure) + "]"
    pipes.send('{"failure":' + verdict + ',"imported":' + texts + "}")
    _exit(0)


def clean(text: str) -> str:
    """Return text that any encoder takes."""
    return str.__str__(text)[:300].encode("utf-8", "replace").decode()


def in_tree(module: Any) -> bool:
    """Return whether a module was loaded from the tree."""
    file = getattr(module, "__file__", None)
    return type(file) is str and file.startswith(_TREE)


def failed(error: BaseException) -> list[Any]:
    """Return type, message, origin file, origin function and whether an import of the package failed."""
    kind = type(error)
    module = kind.__module__
    name = class_name(kind) if module == "builtins" else str(module) + "." + kind.__qualname__
    file, function, importing = origin(error)
    return [clean(name), clean(message_of(error)), clean(file), clean(function), importing]


def origin(error: BaseException) -> tuple[str, str, bool]:
    """Return the innermost frame of the tree (else of the reproducer), and whether the tree was being imported."""
    at = error.__traceback__
    codes = []
    while at is not None:
        codes.append(at.tb_frame.f_code)
        at = at.tb_next
    inside = [code for code in codes if code.co_filename.startswith(_TREE)]
    if isinstance(error, SyntaxError) and str(error.filename).startswith(_TREE) and not inside:
        return str(error.filename)[len(_TREE) :], "<module>", True
    if inside:
        first, last = inside[0], inside[-1]
        return last.co_filename[len(_TREE) :], qualified(last), first.co_name == "<module>"
    own = [code for code in codes if code.co_filename == PATH]
    return "repro.py", qualified(own[-1]) if own else "<module>", isinstance(error, ImportError)


def qualified(code: Any) -> str:
    """Return a code object's qualified name, or its plain name before Python 3.11."""
    return str(getattr(code, "co_qualname", code.co_name))


def main() -> None:
    """Serve the run of a script."""
    serve_script(settle())
