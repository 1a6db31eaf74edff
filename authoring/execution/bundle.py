"""The driver's files compiled by the interpreter that will run them, as one file to bind into the box."""

import hashlib
import os
import subprocess
import tempfile
from functools import lru_cache
from importlib import resources
from pathlib import Path

from authoring.execution.interpreter import Interpreter
from authoring.model.errors import CannotJudgeError

__all__ = [
    "BOOT",
    "DRIVER_FILES",
    "FRESH_FILES",
    "SCRIPT_FILES",
    "SERVER_FILES",
    "driver_bundle",
    "driver_sha256",
]

_OBSERVING = ("codec", "frames", "subject", "counting", "waiting", "observe")
FRESH_FILES = (*_OBSERVING, "fresh")
"""What a fresh box loads; in every list each file may use those before it."""
SCRIPT_FILES = (*FRESH_FILES, "script")
SERVER_FILES = (*_OBSERVING, "generate", "compiling", "recipes", "tracing", "isolate", "server")
DRIVER_FILES = tuple(dict.fromkeys((*SCRIPT_FILES, *SERVER_FILES)))

_BOOT_SOURCE = """\
import builtins, marshal, sys
def boot(parts, names):
    kind = type(sys)
    package = "authoring.execution.driver"
    for name in ("authoring", "authoring.execution", package):
        sys.modules[name] = kind(name)
    own = dict(builtins.__dict__)
    for name in names:
        module = kind(package + "." + name)
        module.__builtins__ = own
        sys.modules[package + "." + name] = module
        setattr(sys.modules[package], name, module)
        exec(marshal.loads(parts[name]), module.__dict__)
    for name in [name for name in sys.modules if name == "authoring" or name.startswith("authoring.")]:
        del sys.modules[name]
    del sys.modules["__main__"].__dict__["parts"]
    module.main()
"""

BOOT = (
    'import sys;sys.path[:]=[p for p in sys.path if p not in ("","/tmp")];'
    'f=open("/driver","rb");import marshal;parts=marshal.load(f);f.close();del f;'
    'n=sys.argv.pop(1).split(",");exec(parts[""]);boot(parts,n)'
)
"""The program text given on the interpreter's command line; its first word is the list of driver files to load."""

_COMPILE = """\
import marshal, sys
parts = eval(sys.stdin.buffer.read().decode())
out = {name: marshal.dumps(compile(text, "<driver>/" + name + ".py", "exec")) for name, text in parts.items() if name}
out[""] = compile(parts[""], "<driver>", "exec")
sys.stdout.buffer.write(marshal.dumps(out))
"""


def driver_texts() -> dict[str, str]:
    """Return the text of every driver file by name."""
    folder = resources.files("authoring.execution.driver")
    return {name: (folder / f"{name}.py").read_text(encoding="utf-8") for name in DRIVER_FILES}


@lru_cache(maxsize=1)
def driver_sha256() -> str:
    """Return the digest of the driver: of its files' texts and of the text that starts it."""
    texts = [BOOT, _BOOT_SOURCE, *(f"{name}\0{text}" for name, text in sorted(driver_texts().items()))]
    return hashlib.sha256("\0\0".join(texts).encode()).hexdigest()


def driver_bundle(interpreter: Interpreter, folder: Path) -> Path:
    """Return the file of compiled driver parts for an interpreter, made in ``folder`` on first use.

    Beside it lies an empty folder, which hides the interpreter's site-packages in a box.
    The folder must be one that only we can write. Raise :class:`CannotJudgeError` where the interpreter fails.
    """
    name = f"driver-{interpreter.version}-{hashlib.sha256(str(interpreter.binary).encode()).hexdigest()[:12]}"
    path = folder / f"{name}-{driver_sha256()[:16]}"
    (folder / "empty").mkdir(exist_ok=True)
    (folder / "empty").chmod(0o755)
    if not path.exists():
        _write(path, _compiled(interpreter))
    return path


def _compiled(interpreter: Interpreter) -> bytes:
    try:
        done = subprocess.run(
            [interpreter.binary, "-I", "-S", "-c", _COMPILE],
            input=repr({**driver_texts(), "": _BOOT_SOURCE}).encode(),
            capture_output=True,
            timeout=60,
            check=True,
            env={},
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise CannotJudgeError(
            "EXE002", f"Python {interpreter.version} cannot compile the driver.", "Run `authoring doctor`."
        ) from error
    return done.stdout


def _write(path: Path, data: bytes) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        os.fchmod(file.fileno(), 0o644)
    Path(temporary).replace(path)
