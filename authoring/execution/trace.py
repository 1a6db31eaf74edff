"""The parent's side of a traced run."""

from dataclasses import dataclass, replace
from typing import Any

from authoring.execution.budget import TRACING_TIMES
from authoring.execution.channel import Ended
from authoring.execution.conversation import Conversation
from authoring.model.execution import Frame, How, ObjectSeen, Outcome, Traced
from authoring.model.wire import WireError, check

__all__ = ["TRACE_REPLY_BYTES", "TracedConversation", "traced_limits"]

TRACE_REPLY_BYTES = 32 << 20
FRAMES_CAP = 2000
"""As the driver counts."""


def traced_limits(how: How) -> How:
    """Return how to run under a tracer: larger replies, and more CPU for the same call."""
    limits = how.limits
    cpu_s = None if limits.call_cpu_s is None else TRACING_TIMES * limits.call_cpu_s
    reply_bytes = max(limits.reply_bytes, TRACE_REPLY_BYTES)
    import_s = TRACING_TIMES * limits.import_s
    return replace(how, limits=replace(limits, reply_bytes=reply_bytes, call_cpu_s=cpu_s, import_s=import_s))


@dataclass(frozen=True, slots=True)
class _Part:
    lines: dict[str, frozenset[int]]
    events: int
    frames: tuple[Frame, ...]


class TracedConversation(Conversation):
    """A conversation whose replies say what ran."""

    containers_cap = None
    import_lines: dict[str, frozenset[int]]
    _parts: dict[int, _Part]

    def is_ready(self, reply: dict[str, Any]) -> bool:
        """Return whether the subject is up, and keep the lines that its import ran."""
        self._parts = {}
        self.import_lines = {}
        if reply.keys() != {"ready", "lines"}:
            return False
        self.import_lines = _lines(reply["lines"])
        return reply["ready"] is True

    def take_apart(self, reply: dict[str, Any] | Ended, _number: int) -> dict[str, Any] | Ended:
        """Keep the trace of a reply and return the rest of it."""
        if isinstance(reply, Ended) or "trace" not in reply:
            return reply
        try:
            self._parts[_number] = _part(reply["trace"])
        except WireError:
            return Ended("malformed")
        return {name: value for name, value in reply.items() if name != "trace"}

    def traced(self, number: int, outcome: Outcome) -> Traced:
        """Return the outcome of a request with what ran for it, as far as it is known."""
        part = getattr(self, "_parts", {}).get(number, _Part({}, 0, ()))
        return Traced(outcome, getattr(self, "import_lines", {}), part.lines, part.events, part.frames)


def _is_inside(file: str) -> bool:
    """Tell whether a path that a box told stays inside the tree that it is relative to."""
    return bool(file) and not file.startswith("/") and ".." not in file.split("/") and "\0" not in file


def _lines(value: Any) -> dict[str, frozenset[int]]:
    if type(value) is not dict or not all(type(lines) is list for lines in value.values()):
        raise WireError("no lines")
    if not all(type(line) is int for lines in value.values() for line in lines):
        raise WireError("no lines")
    if not all(map(_is_inside, value)):
        raise WireError("a file outside the tree")
    return {file: frozenset(lines) for file, lines in value.items()}


def _part(value: Any) -> _Part:
    if (
        type(value) is not dict
        or value.keys() != {"lines", "events", "frames"}
        or type(value["events"]) is not int
    ):
        raise WireError("no trace")
    if type(value["frames"]) is not list:
        raise WireError("no trace")
    return _Part(_lines(value["lines"]), value["events"], tuple(_frame(one) for one in value["frames"]))


def _frame(value: Any) -> Frame:
    if (
        type(value) is not list
        or [type(part) for part in value[:4]] != [str, str, int, int]
        or len(value) != 8
    ):
        raise WireError("no frame")
    file, qualname, line, parent, args, result, raised, objects = value
    if not _is_inside(file) or not -1 <= parent < FRAMES_CAP:
        raise WireError("a frame outside the trace")
    if args is not None:
        check(args)
    if result is not None:
        if type(result) is not dict or result.keys() != {"result"}:
            raise WireError("no result")
        check(result["result"])
    has_result = result is not None
    if raised is not None and type(raised) is not str:
        raise WireError("no exception")
    value_of = result["result"] if has_result else None
    return Frame(file, qualname, line, parent, args, value_of, raised, has_result, _objects(objects))


def _objects(value: Any) -> tuple[ObjectSeen, ...]:
    if type(value) is not dict:
        raise WireError("no objects")
    found = []
    for name, seen in value.items():
        if type(seen) is not dict or seen.keys() != {"type", "attributes"} or type(seen["type"]) is not str:
            raise WireError("no object")
        check(seen["attributes"])
        found.append(ObjectSeen(name, seen["type"], seen["attributes"]))
    return tuple(found)
