"""Run this task's public checks on the program, all or those named: python run_checks.py [CHECK...].

Needs the standard library only. Every check runs in a process of its own: the program and the scenarios are
loaded anew, the scenario is called with the check's parameters, and what it sees is compared with what the
reference gave. Prints one line for each check; exits 0 when every one passes, else 1.
"""

from __future__ import annotations

import ast
import asyncio
import builtins
import dataclasses
import json
import math
import os
import select
import signal
import sys
import time
import types
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta, timezone
from datetime import time as clock_time
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any
from uuid import UUID

HERE = Path(__file__).resolve().parent
MESSAGE_CAP = 300


class Outside(BaseException):
    """A value that cannot be observed as data."""


# ---- the wire: JSON data in which everything but null, booleans and text is tagged with its type


def encode(value: Any, kinds: Kinds) -> Any:
    """Return a value as data; raise Outside for what the task does not let through."""
    kind = type(value)
    if value is None or kind in (bool, str):
        return value
    encoder = ENCODERS.get(kind)
    if encoder is not None:
        return encoder(value, kinds)
    if kind in kinds.records:
        return {
            "record": [kinds.records[kind], [[name, encode(item, kinds)] for name, item in fields(value)]]
        }
    if kind in kinds.enums:
        return {"enum": [kinds.enums[kind], value.__dict__["_name_"]]}
    if kinds.iterators and hasattr(kind, "__next__"):
        return {"iter": drained(value, kinds)}
    raise Outside(f"a value of the type {kind.__name__}")


def fields(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a dataclass or a named tuple."""
    if hasattr(value, "_fields"):
        yield from value._asdict().items()
    else:
        yield from ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))


def drained(value: Any, kinds: Kinds) -> list[Any]:
    """Return up to the task's bound of an iterator's items, and whether it ended."""
    items: list[Any] = []
    while len(items) < kinds.iterators:
        try:
            items.append(encode(next(value), kinds))
        except StopIteration:
            return [items, True]
    return [items, False]


def float_text(value: float) -> str:
    """Return a float's shortest hexadecimal form."""
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    mantissa, exponent = value.hex().split("p")
    return (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa) + "p" + exponent


def sort_key(wire: Any) -> str:
    """Return the text by which the items of a set are sorted."""
    return json.dumps(wire, ensure_ascii=False, separators=(",", ":"))


def encode_decimal(value: Decimal, _: Kinds) -> Any:
    """Return a decimal as sign, digits and exponent."""
    sign, digits, exponent = value.as_tuple()
    return {"decimal": [sign, "".join(map(str, digits)), exponent]}


def encode_zone(zone: Any) -> int | None:
    """Return a fixed offset in seconds; zone objects are refused."""
    if zone is None:
        return None
    if type(zone) is not timezone:
        raise Outside("a time zone object")
    return int(zone.utcoffset(None).total_seconds())


def encode_clock(value: Any) -> list[Any]:
    """Return the clock's part of a time or a date and time."""
    return [value.hour, value.minute, value.second, value.microsecond, value.fold, encode_zone(value.tzinfo)]


def encode_list(value: Any, kinds: Kinds) -> Any:
    """Return a list or a tuple, item by item."""
    return {type(value).__name__: [encode(item, kinds) for item in value]}


def encode_set(value: Any, kinds: Kinds) -> Any:
    """Return a set or a frozen set, sorted."""
    return {type(value).__name__: sorted((encode(item, kinds) for item in value), key=sort_key)}


def encode_dict(value: Any, kinds: Kinds) -> Any:
    """Return a dict as pairs, in its order."""
    return {"dict": [[encode(key, kinds), encode(item, kinds)] for key, item in value.items()]}


class Double:
    """An injected function: its answers are part of the check."""

    def __init__(self, name: str, answers: Answers) -> None:
        self.name = name
        self.answers = answers

    def __call__(self, *args: Any) -> Any:
        """Answer one call."""
        return self.answers.call(self.name, args)


ENCODERS: dict[type, Callable[[Any, Kinds], Any]] = {
    int: lambda value, _: {"int": hex(value)},
    float: lambda value, _: {"float": float_text(value)},
    complex: lambda value, _: {"complex": [float_text(value.real), float_text(value.imag)]},
    bytes: lambda value, _: {"bytes": value.hex()},
    list: encode_list,
    tuple: encode_list,
    set: encode_set,
    frozenset: encode_set,
    dict: encode_dict,
    Decimal: encode_decimal,
    Fraction: lambda value, _: {"fraction": [hex(value.numerator), hex(value.denominator)]},
    date: lambda value, _: {"date": [value.year, value.month, value.day]},
    clock_time: lambda value, _: {"time": encode_clock(value)},
    datetime: lambda value, _: {"datetime": [value.year, value.month, value.day, *encode_clock(value)]},
    timedelta: lambda value, _: {"timedelta": [value.days, value.seconds, value.microseconds]},
    UUID: lambda value, _: {"uuid": value.hex},
    Double: lambda value, _: {"double": value.name},
}


def decode(wire: Any, answers: Answers) -> Any:
    """Return the value of a parameter's data."""
    if not isinstance(wire, dict):
        return wire
    ((tag, body),) = wire.items()
    if tag == "dict":
        return {decode(key, answers): decode(item, answers) for key, item in body}
    if tag in SEQUENCES:
        return SEQUENCES[tag](decode(item, answers) for item in body)
    if tag == "double":
        return Double(body, answers)
    return DECODERS[tag](body)


def decode_zone(seconds: int | None) -> timezone | None:
    """Return the time zone of an offset in seconds."""
    return None if seconds is None else timezone(timedelta(seconds=seconds))


def decode_time(body: Any) -> clock_time:
    """Return a time of day."""
    hour, minute, second, micros, fold, zone = body
    return clock_time(hour, minute, second, micros, decode_zone(zone), fold=fold)


def decode_datetime(body: Any) -> datetime:
    """Return a date and time."""
    moment = decode_time(body[3:])
    return datetime.combine(date(*body[:3]), moment)


SEQUENCES: dict[str, Callable[[Any], Any]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
}
DECODERS: dict[str, Callable[[Any], Any]] = {
    "int": lambda body: int(body, 16),
    "float": float.fromhex,
    "complex": lambda body: complex(float.fromhex(body[0]), float.fromhex(body[1])),
    "bytes": bytes.fromhex,
    "decimal": lambda body: Decimal((body[0], tuple(map(int, body[1])), body[2])),
    "fraction": lambda body: Fraction(int(body[0], 16), int(body[1], 16)),
    "date": lambda body: date(*body),
    "time": decode_time,
    "datetime": decode_datetime,
    "timedelta": lambda body: timedelta(*body),
    "uuid": lambda body: UUID(hex=body),
}


# ---- comparing what was seen with what the reference gave


def equal(left: list[Any], right: list[Any], how: dict[str, Any]) -> bool:
    """Tell whether two lists of observations are the same as far as the task looks."""
    floats = how.get("floats", "exact")
    rel = None if floats == "exact" else floats["rel"]
    return len(left) == len(right) and all(
        close(seen(one, how), seen(other, how), rel) for one, other in zip(left, right, strict=True)
    )


def seen(observation: dict[str, Any], how: dict[str, Any]) -> dict[str, Any]:
    """Return an observation without all that the comparison ignores."""
    kept = {
        name: part
        for name, part in observation.items()
        if name != "args_after" or how.get("args") != "ignored"
    }
    if "raised" in kept and how.get("exception", "type") != "type+message":
        kept["raised"] = {"type": base_of(kept["raised"]["type"], how.get("exception", "type"))}
    for name in ("value", "args_after"):
        if name in kept:
            kept[name] = ordered(kept[name], how)
    if "calls" in kept:
        kept["calls"] = [[double, [ordered(item, how) for item in args]] for double, args in kept["calls"]]
    if how.get("nothing") == "same" and "value" in kept and is_nothing(kept["value"]):
        kept["value"] = None
    return kept


def base_of(name: str, wanted: Any) -> str:
    """Return the class that the comparison names where an exception is of it, else the exception's own name."""
    if isinstance(wanted, str):
        return name
    kind, base = (getattr(builtins, each, None) for each in (name, wanted["base"]))
    is_of = isinstance(kind, type) and isinstance(base, type) and issubclass(kind, base)
    return str(wanted["base"]) if is_of or name in wanted["types"] else name


def is_nothing(wire: Any) -> bool:
    """Tell whether a value is None, False, the empty text or an empty container."""
    if isinstance(wire, dict):
        ((tag, body),) = wire.items()
        return tag in ("list", "tuple", "dict", "set", "frozenset", "bytes") and not body
    return wire is None or wire is False or wire == ""


def ordered(wire: Any, how: dict[str, Any]) -> Any:
    """Return the data with sequences sorted where their order does not count, and floats in one spelling."""
    if not isinstance(wire, dict):
        return wire
    ((tag, body),) = wire.items()
    free = how.get("order") == "any"
    if tag == "float":
        body = exact(body)
    elif tag == "complex":
        body = [exact(part) for part in body]
    elif tag in ("list", "tuple", "set", "frozenset"):
        body = [ordered(item, how) for item in body]
        body = sorted(body, key=sort_key) if free or "set" in tag else body
    elif tag == "dict":
        body = [[ordered(key, how), ordered(item, how)] for key, item in body]
        body = sorted(body, key=sort_key) if free else body
    elif tag == "record":
        body = [body[0], [[name, ordered(item, how)] for name, item in body[1]]]
    elif tag == "iter":
        body = [[ordered(item, how) for item in body[0]], body[1]]
    return {tag: body}


def exact(text: str) -> str:
    """Return one spelling of a float's text."""
    return text if text.endswith(("nan", "inf")) else float.fromhex(text).hex()


def close(left: Any, right: Any, rel: float | None, tag: str = "") -> bool:
    """Tell whether two pieces of data are equal, floats within a relative difference where there is one."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(close(left[name], right[name], rel, name) for name in left)
    if isinstance(left, list):
        inner = tag if tag == "complex" else ""
        return len(left) == len(right) and all(map(lambda a, b: close(a, b, rel, inner), left, right))
    if left == right or rel is None or tag not in ("float", "complex"):
        return bool(left == right)
    if left.endswith(("nan", "inf")) or right.endswith(("nan", "inf")):
        return False
    return math.isclose(float.fromhex(left), float.fromhex(right), rel_tol=rel)


# ---- one check in one process


class Kinds:
    """The classes of the program that may be observed, by the names that the task gives them."""

    def __init__(self, program: Any, task: dict[str, Any]) -> None:
        named = task.get("types", {})
        self.records = self._found(program, named.get("records", ()))
        self.enums = self._found(program, named.get("enums", ()))
        self.raises = self._found(program, task.get("raises", ()))
        self.iterators = named.get("iterators", 0)

    def _found(self, program: Any, names: Any) -> dict[type, str]:
        found = {name: getattr(program, name, None) or getattr(builtins, name, None) for name in names}
        return {kind: name for name, kind in found.items() if isinstance(kind, type)}

    def raised_name(self, error: BaseException) -> str:
        """Return the first class of the exception's bases that the task names or that is built in."""
        for base in type(error).__mro__:
            if base in self.raises:
                return self.raises[base]
            if getattr(builtins, base.__name__, None) is base:
                return str(base.__name__)
        return "BaseException"


class Answers:
    """Answers of the injected functions, in order, and the calls that asked for them."""

    def __init__(self, answers: dict[str, list[Any]]) -> None:
        self.left = {name: list(values) for name, values in answers.items()}
        self.calls: list[Any] = []
        self.kinds: Kinds | None = None

    def call(self, name: str, args: tuple[Any, ...]) -> Any:
        """Answer one call."""
        if self.kinds is not None:
            self.calls.append([name, [encode(item, self.kinds) for item in args]])
        if not self.left.get(name):
            raise Outside(f"more calls of {name} than the reference makes")
        return decode(self.left[name].pop(0), self)


def load(name: str, path: Path) -> Any:
    """Execute a file as a module of that name."""
    module = types.ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True), module.__dict__)
    return module


def reads(source: str, function: str) -> set[str]:
    """Return the names that a scenario reads from the program."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == function:
            first = node.args.args[0].arg
            parts = (part for part in ast.walk(node) if isinstance(part, ast.Attribute))
            return {
                part.attr for part in parts if isinstance(part.value, ast.Name) and part.value.id == first
            }
    return set()


class Bound:
    """Counts the line events of a call, of all Python code that runs in it, where the check bounds them."""

    def __init__(self, cost: dict[str, int] | None) -> None:
        self.most = None if cost is None else cost["line_events"]
        self.taken = 0

    def __enter__(self) -> Bound:
        if self.most is not None:
            sys.settrace(self.event)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def event(self, _frame: Any, event: str, _argument: Any) -> Any:
        """Count one event; end the call where it is one too many."""
        self.taken += event == "line"
        self.check()
        return self.event

    def check(self) -> None:
        """Raise Outside where the call took more than it may."""
        if self.most is not None and self.taken > self.most:
            raise Outside(f"it takes more than {self.most} line events")


def observe(task: dict[str, Any], check: dict[str, Any]) -> list[Any]:
    """Return what the check's scenario sees on the program."""
    program = load(Path(task["program"]).stem, HERE / task["program"])
    scenarios = load("scenarios", HERE / "scenarios.py")
    spec = task["compare"][check["scenario"]]
    text = (HERE / "scenarios.py").read_text(encoding="utf-8")
    missing = sorted(name for name in reads(text, spec["function"]) if not hasattr(program, name))
    if missing:
        raise Outside(f"the program lacks {', '.join(missing)}")
    kinds = Kinds(program, task)
    answers = Answers(check.get("doubles", {}))
    answers.kinds = kinds
    params = decode(check["params"], answers)
    before = encode(params, kinds)
    result: list[Any] = []
    bound = Bound(check.get("cost"))
    function = getattr(scenarios, spec["function"])
    try:
        with bound:
            ended = function(program, params, lambda value: result.append({"value": encode(value, kinds)}))
            if hasattr(type(ended), "__await__"):
                asyncio.run(ended)
    except Outside:
        raise
    except BaseException as error:
        raised = {"type": kinds.raised_name(error)}
        if spec.get("compare", {}).get("exception") == "type+message":
            raised["message"] = str(error)[:MESSAGE_CAP]
        result.append({"raised": raised})
    bound.check()
    after = encode(params, kinds)
    extra: dict[str, Any] = {"args_after": after} if after != before else {}
    if answers.calls:
        extra["calls"] = answers.calls
    if extra:
        last = result.pop() if result else {"value": None}
        result.append({**last, **extra})
    return result


def report(task: dict[str, Any], check: dict[str, Any]) -> dict[str, Any]:
    """Return the observations, or the reason why there are none."""
    try:
        return {"observations": observe(task, check)}
    except Outside as error:
        return {"error": str(error)}
    except BaseException as error:
        return {"error": f"{type(error).__name__} while the program was loaded: {error}"[:MESSAGE_CAP]}


def run(task: dict[str, Any], check: dict[str, Any]) -> dict[str, Any]:
    """Run one check in a process of its own, bounded in time."""
    limits = task["environment"]["limits"]
    deadline = time.monotonic() + limits["import_s"] + limits["call_s"]
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(readable)
        answer = json.dumps(report(task, check)).encode()
        with os.fdopen(writable, "wb") as stream:
            stream.write(answer)
        os._exit(0)
    os.close(writable)
    received = b""
    try:
        while True:
            ready, _, _ = select.select([readable], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                return {"error": "it did not end in time"}
            chunk = os.read(readable, 1 << 16)
            if not chunk:
                break
            received += chunk
    finally:
        os.close(readable)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    try:
        answer = json.loads(received)
    except ValueError:
        return {"error": "the process ended early"}
    return answer if isinstance(answer, dict) else {"error": "the process ended early"}


def main(wanted: list[str]) -> int:
    """Run the checks named, or all, and return the exit status."""
    task = json.loads((HERE / "task.json").read_text(encoding="utf-8"))
    checks = json.loads((HERE / "checks.json").read_text(encoding="utf-8"))["checks"]
    chosen = [check for check in checks if not wanted or check["id"] in wanted]
    failed = 0 if chosen else 1
    for check in chosen:
        answer = run(task, check)
        compare = task["compare"][check["scenario"]].get("compare", {})
        passed = "observations" in answer and equal(answer["observations"], check["expect"], compare)
        line = f"{'pass' if passed else 'FAIL'} {check['id']} {check['name']}"
        if not passed:
            failed += 1
            got = answer.get("error") or sort_key(answer["observations"])
            line += f"\n     expected {sort_key(check['expect'])}\n     got      {got}"
        sys.stdout.write(line.encode("ascii", "backslashreplace").decode() + "\n")
    sys.stdout.write(f"{len(chosen) - failed if chosen else 0} of {len(chosen)} public checks pass\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
