"""Reduce seven released modules with a narrow oracle, beside the best public results (sizes and CPU of other tools).

Each input is one module of a release with a known bug: the oracle is the failure and three inputs on which the release
and its fix agree, and nothing more. The figures of other tools come from runs of ten minutes and less on a machine
like this one; they are printed for orientation and are not measured again.
"""

import ctypes
import datetime
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from authoring.execution import BoxRunner
from authoring.model.errors import AuthoringError
from authoring.model.execution import How, Limits, ObservedTypes, Program, Request
from authoring.model.variants import VersionName
from authoring.model.wire import encode
from authoring.reduction.flatten.normalise import normalise
from authoring.reduction.reduce import Reduction, reduce
from authoring.system.packages import obtain_dependency, obtain_release

_SUBREAPER = 36


@dataclass(frozen=True)
class Case:
    """One input and what other tools made of it."""

    package: str
    broken: str
    fixed: str
    file: str
    scenarios: str
    requests: tuple[tuple[str, dict[str, Any]], ...]
    exports: tuple[str, ...]
    best_nodes: int
    shrinkray_cpu_s: int
    dependencies: tuple[str, ...] = ()
    replacements: tuple[tuple[str, str], ...] = ()
    """Imports that the running Python no longer has."""


CASES = (
    Case(
        "inflection",
        "0.3.1",
        "0.5.1",
        "inflection.py",
        """def singular(program, p, seen):
    seen(program.singularize(p["word"]))
def plural(program, p, seen):
    seen(program.pluralize(p["word"]))
""",
        (
            ("singular", {"word": "passersby"}),
            ("singular", {"word": "cows"}),
            ("singular", {"word": "buses"}),
            ("plural", {"word": "mouse"}),
        ),
        ("singularize", "pluralize"),
        86,
        227,
    ),
    Case(
        "xmltodict",
        "0.10.2",
        "0.13.0",
        "xmltodict.py",
        'def unparse(program, p, seen):\n    seen(program.unparse(p["d"], full_document=False))\n',
        (
            ("unparse", {"d": {"a": [True, 1]}}),
            ("unparse", {"d": {"a": {"@x": "1", "#text": "y"}}}),
            ("unparse", {"d": {"a": None}}),
            ("unparse", {"d": {"b": {"c": "z"}}}),
        ),
        ("unparse",),
        284,
        249,
    ),
    Case(
        "croniter",
        "0.3.30",
        "1.4.1",
        "croniter/croniter.py",
        """import datetime
def expand(program, p, seen):
    seen(program.croniter.expand(p["text"])[0])
def following(program, p, seen):
    seen(program.croniter(p["text"], p["start"]).get_next(datetime.datetime))
""",
        (
            ("expand", {"text": "0 0 * * 0-7"}),
            ("expand", {"text": "0 0 * * 1-3"}),
            ("expand", {"text": "*/20 5 1 2 *"}),
            ("following", {"text": "0 5 * * *", "start": datetime.datetime(2020, 1, 1)}),
        ),
        ("croniter",),
        680,
        227,
        ("python-dateutil==2.9.0.post0", "six==1.16.0"),
    ),
    Case(
        "schema",
        "0.7.2",
        "0.7.5",
        "schema.py",
        """def conjunction(program, p, seen):
    try:
        program.Schema(program.And({"a": int}, error="bad {}")).validate(p["value"])
    except Exception as error:
        seen(type(error).__name__)
        seen("bad {}\\nbad x" in str(error))
def mapping(program, p, seen):
    seen(program.Schema({"a": int}).validate(p["value"]))
def either(program, p, seen):
    seen(program.Schema(program.Or(int, None)).validate(p["value"]))
def typed(program, p, seen):
    try:
        program.Schema(int, error="no {}").validate(p["value"])
    except Exception as error:
        seen(type(error).__name__)
        seen("no q" in str(error))
""",
        (
            ("conjunction", {"value": {"a": "x"}}),
            ("mapping", {"value": {"a": 1}}),
            ("either", {"value": None}),
            ("typed", {"value": "q"}),
        ),
        ("Schema", "And", "Or"),
        407,
        282,
        ("contextlib2==21.6.0",),
    ),
    Case(
        "parse",
        "1.16.0",
        "1.18.0",
        "parse.py",
        """def leak(program, p, seen):
    compiled = program.compile("{:d}")
    seen(compiled.parse(p["first"]).fixed)
    seen(compiled.parse(p["second"]).fixed)
def fixed(program, p, seen):
    seen(program.parse(p["format"], p["text"]).fixed)
def named(program, p, seen):
    seen(program.parse(p["format"], p["text"]).named)
""",
        (
            ("leak", {"first": "0b11", "second": "10"}),
            ("fixed", {"format": "{:d}", "text": "10"}),
            ("named", {"format": "a {x} c", "text": "a b c"}),
            ("fixed", {"format": "{:w} {:f}", "text": "hi 1.5"}),
        ),
        ("compile", "parse"),
        812,
        285,
    ),
    Case(
        "bottle",
        "0.12.18",
        "0.12.19",
        "bottle.py",
        'def pairs(program, p, seen):\n    seen(program._parse_qsl(p["query"]))\n',
        tuple(("pairs", {"query": query}) for query in ("a=1;b=2", "a=1&b=2", "a=x+y", "k=%41")),
        ("_parse_qsl",),
        78,
        291,
        (),
        (
            ("from inspect import getargspec", "from inspect import getfullargspec as getargspec"),
            ("from collections import MutableMapping", "from collections.abc import MutableMapping"),
        ),
    ),
    Case(
        "toml",
        "0.9.2",
        "0.10.2",
        "toml.py",
        'def loads(program, p, seen):\n    seen(program.loads(p["text"]))\n',
        (
            ("loads", {"text": 'a = [{b = 1}, {c = "x,y"}]'}),
            ("loads", {"text": "x = 1"}),
            ("loads", {"text": "[a.b]\nx=1\n[a]\ny=2"}),
            ("loads", {"text": 'x=["a,b","c"]'}),
        ),
        ("loads",),
        1691,
        283,
    ),
)


def main() -> None:
    """Print a line for each input: alone as other tools were given it, then with its fix."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    cache = Path(
        os.environ.get("AUTHORING_BENCH_CACHE", str(Path(tempfile.gettempdir()) / "authoring-cache"))
    )
    wanted = [argument for argument in sys.argv[2:] if argument in {case.package for case in CASES}]
    chosen = [case for case in CASES if not wanted or case.package in wanted]
    for pair in (False, True):
        sys.stdout.write("with its fix:\n" if pair else "alone, as other tools were given it:\n")
        for case in chosen:
            if pair and case.package == "toml":
                continue  # its fixed release is no single module
            try:
                _report(case, pair, cache)
            except AuthoringError as error:
                sys.stdout.write(f"{case.package:11} {error.code}: {error.message}\n")


def _report(case: Case, pair: bool, cache: Path) -> None:
    found: list[Reduction] = []
    started = time.perf_counter()
    cpu = _cpu_of(lambda: found.append(_reduced(case, pair, cache)))
    result = found[0]
    sizes = ", ".join(f"{version} {size}" for version, size in result.sizes.items())
    sys.stdout.write(
        f"{case.package:11} {sizes}, merged {result.nodes} (best public {case.best_nodes}); trials {result.trials}, "
        f"runs {result.runs}, cached {result.cache_hits}; CPU {cpu:.1f} s (a fifth of shrinkray: "
        f"{case.shrinkray_cpu_s / 5:.0f} s), wall {time.perf_counter() - started:.1f} s\n"
    )
    for phase in result.phases:
        share = f"{phase.trials:5} trials, {phase.kept:5} kept, own CPU {phase.cpu_s:5.1f} s"
        sys.stdout.write(
            f"            {phase.name:14} {phase.nodes:6} nodes, {phase.differing:5} differing, {share}\n"
        )
    sys.stdout.flush()


def _reduced(case: Case, pair: bool, cache: Path) -> Reduction:
    flats: dict[VersionName, str] = {"broken": _flat(case, case.broken, cache)}
    if pair:
        flats["reference"] = _flat(case, case.fixed, cache)
    folders = tuple(obtain_dependency(pin, cache).path for pin in case.dependencies)
    how = How(limits=Limits(call_cpu_s=0.1), dependencies=folders)
    module = Path(case.file).stem
    requests = [Request(scenario, encode(params)) for scenario, params in case.requests]
    with BoxRunner() as runner:
        expected = {
            version: runner.observe(Program(text, module, case.scenarios), requests, how)
            for version, text in flats.items()
        }
        return reduce(
            flats,
            requests,
            expected,
            runner,
            how,
            ObservedTypes(),
            case.scenarios,
            case.exports,
            module=module,
        )


def _flat(case: Case, version: str, cache: Path) -> str:
    text = (obtain_release(case.package, version, cache).path / case.file).read_text(encoding="utf-8")
    for old, new in case.replacements:
        text = text.replace(old, new)
    return normalise(text)


def _cpu_of(action: Callable[[], object]) -> float:
    """Return the CPU seconds of an action and of all the processes that it left behind."""
    before = _cpu()
    action()
    time.sleep(0.2)
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    return _cpu() - before


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


if __name__ == "__main__":
    main()
