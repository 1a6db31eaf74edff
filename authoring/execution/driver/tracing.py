"""What ran for a call: lines, line events, and the frames with arguments and results as wire texts."""

import sys

from authoring.execution.driver.codec import Encoder, Outside, class_name
from authoring.execution.driver.recipes import Recipes, attributes_of, place_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
else:
    Any = object

_monitoring: Any = getattr(sys, "monitoring", None)

FRAMES_CAP = 2000
VALUE_CAP = 64 << 10
VALUES_CAP = 8 << 20
ATTRIBUTES_CAP = 80
_UNTOLD = 4 << 10
"""What an argument that has no recipe takes of the budget."""
_HOLDERS = (
    dict,
    list,
    tuple,
    set,
    frozenset,
    str,
    bytes,
    bytearray,
    int,
    float,
    complex,
    type,
    BaseException,
)
_GENERATOR_FLAGS = 0x20 | 0x80 | 0x200
_VARARGS, _VARKEYWORDS = 0x04, 0x08


class Entered:
    """One call of a function of the tree."""

    __slots__ = ("args", "code", "file", "objects", "parent", "raised", "result")

    def __init__(self, file: str, code: Any, parent: int, args: str | None, objects: str) -> None:
        self.file = file
        self.code = code
        self.parent = parent
        self.args = args
        self.objects = objects
        self.result: str | None = None
        self.raised: str | None = None


class Tracer:
    """Collects what runs between ``start`` and ``stop``; how events are had is left to a subclass.

    With ``watched``, a file and the first line of a function, only the calls of that function are collected; with
    names of attributes, too, their arguments as recipes. Without frames only the lines.
    """

    def __init__(self, prefix: str, strip: int, encoder: Encoder, watched: Any, has_frames: bool) -> None:
        self.watched = watched[:2] if watched else None
        self.recipes = Recipes(Encoder(VALUE_CAP), watched[2]) if watched and watched[2] is not None else None
        self.has_frames = has_frames
        self.prefix = prefix
        self.strip = strip
        self.encoder = encoder
        self.files: dict[Any, str] = {}
        self.beside: set[str] = set()
        self.clear()

    def clear(self) -> None:
        """Forget what was collected."""
        self.lines: dict[str, set[int]] = {}
        self.events = 0
        self.frames: list[Entered] = []
        self.live: dict[Any, int] = {}
        self.budget = VALUES_CAP

    def file_of(self, code: Any) -> str:
        """Return the file of a code object as it is reported, or nothing where it is not the subject's."""
        known = self.files.get(code)
        if known is None:
            path = code.co_filename
            known = path[self.strip :] if path.startswith(self.prefix) else self._beside(path)
            if self.watched is not None and self.watched != [known, code.co_firstlineno]:
                known = ""
            self.files[code] = known
        return known

    def _beside(self, path: str) -> str:
        """Return the path of a dependency's file below its own folder: its lines are told, not its frames."""
        if self.prefix != "/tree/" or not path.startswith("/dep"):
            return ""
        name = path.split("/", 2)[2]
        self.beside.add(name)
        return name

    def line(self, file: str, number: int) -> None:
        """Count one line event."""
        if file not in self.beside:
            self.events += 1
        lines = self.lines.get(file)
        if lines is None:
            lines = self.lines[file] = set()
        lines.add(number)

    def enter(self, file: str, frame: Any) -> None:
        """Record the entry into a function; a generator that goes on is not a new entry."""
        if not self.has_frames or file in self.beside:
            return
        if frame in self.live or len(self.frames) >= FRAMES_CAP:
            return
        if frame.f_code.co_name == "<module>":
            return
        self.live[frame] = len(self.frames)
        args, objects = self._arguments(frame)
        self.frames.append(Entered(file, frame.f_code, self._parent(frame), args, objects))

    def leave(self, frame: Any, value: Any) -> None:
        """Record a result; a generator's is none."""
        at = self._gone(frame)
        if at is not None and not frame.f_code.co_flags & _GENERATOR_FLAGS:
            self.frames[at].result = self._text(value)

    def unwind(self, frame: Any, kind: type) -> None:
        """Record the exception that left a frame."""
        at = self._gone(frame)
        if at is not None:
            self.frames[at].raised = class_name(kind)[:80]

    def _gone(self, frame: Any) -> int | None:
        if frame.f_code.co_flags & _GENERATOR_FLAGS:
            return self.live.get(frame)
        return self.live.pop(frame, None)

    def _parent(self, frame: Any) -> int:
        at = frame.f_back
        while at is not None:
            known = self.live.get(at)
            if known is not None:
                return known
            at = at.f_back
        return -1

    def _arguments(self, frame: Any) -> tuple[str | None, str]:
        """Return the arguments as a wire dict, and what is known of those that are no data, as JSON.

        The first is of those that are data, or None where nothing more may be told.
        """
        code = frame.f_code
        count = code.co_argcount + code.co_kwonlyargcount
        count += bool(code.co_flags & _VARARGS) + bool(code.co_flags & _VARKEYWORDS)
        scope = frame.f_locals
        data: list[str] = []
        objects: list[str] = []
        for name in code.co_varnames[:count]:
            if name in scope:
                text = self._text(scope[name]) if self.recipes is None else self._recipe(scope[name])
                if text is None and self.budget <= 0:
                    return None, "{}"
                pair = (self.encoder.encode(name), text or self._object(scope[name]))
                (objects if text is None else data).append(("[%s,%s]" if text else "%s:%s") % pair)
        return '{"dict":[' + ",".join(data) + "]}", "{" + ",".join(objects) + "}"

    def _object(self, value: Any) -> str:
        """Return the class of an object and those of its own attributes that are data, as JSON."""
        kind = type(value)
        found: dict[str, str] = {}
        if not isinstance(value, _HOLDERS):
            for name, held in attributes_of(value, kind)[:ATTRIBUTES_CAP]:
                text = self._text(held)
                if text is not None:
                    found[name] = text
        pairs = ",".join("[" + self.encoder.encode(name) + "," + text + "]" for name, text in found.items())
        self.encoder.start()
        known = self.encoder.encode(place_of(kind))
        return '{"type":%s,"attributes":{"dict":[%s]}}' % (known, pairs)

    def _recipe(self, value: Any) -> str | None:
        assert self.recipes is not None
        text = self.recipes.text(value) if self.budget > 0 else None
        self.budget -= _UNTOLD if text is None else len(text)
        return text

    def _text(self, value: Any) -> str | None:
        if self.budget <= 0:
            return None
        self.encoder.start()
        try:
            text = self.encoder.encode(value)
        except Outside:
            return None
        self.budget -= len(text)
        return text

    def report(self) -> str:
        """Return what was collected as JSON text."""
        quote = Encoder(1 << 30).encode
        frames = [
            "[%s,%s,%d,%d,%s,%s,%s,%s]"
            % (
                quote(one.file),
                quote(getattr(one.code, "co_qualname", one.code.co_name)),
                one.code.co_firstlineno,
                one.parent,
                one.args or "null",
                '{"result":' + one.result + "}" if one.result else "null",
                quote(one.raised),
                one.objects,
            )
            for one in self.frames
        ]
        return '{"lines":%s,"events":%d,"frames":[%s]}' % (self.lines_text(), self.events, ",".join(frames))

    def lines_text(self) -> str:
        """Return the lines that ran, by file, as JSON text."""
        quote = Encoder(1 << 30).encode
        files = [quote(file) + ":" + str(sorted(lines)) for file, lines in sorted(self.lines.items())]
        return "{" + ",".join(files) + "}"


class SettraceTracer(Tracer):
    """Events by ``sys.settrace``."""

    def start(self) -> None:
        """Begin to collect."""
        sys.settrace(self._call)

    def stop(self) -> None:
        """Stop collecting."""
        sys.settrace(None)

    def _call(self, frame: Any, event: str, argument: Any) -> Any:
        file = self.file_of(frame.f_code)
        if not file:
            return None
        self.enter(file, frame)
        pending: list[type] = []

        def inside(frame: Any, event: str, argument: Any) -> Any:
            if event == "line":
                pending.clear()
                if self.watched is None:
                    self.line(file, frame.f_lineno)
            elif event == "exception":
                pending[:] = [argument[0]]
            elif event == "return":
                if pending and argument is None:
                    self.unwind(frame, pending[0])
                else:
                    self.leave(frame, argument)
            return inside

        return inside


class MonitoringTracer(Tracer):
    """Events by ``_monitoring`` (Python 3.12 and later)."""

    TOOL = 4

    def start(self) -> None:
        """Begin to collect."""
        monitoring = _monitoring
        events = monitoring.events
        if monitoring.get_tool(self.TOOL) is None:
            monitoring.use_tool_id(self.TOOL, "authoring")
        monitoring.register_callback(self.TOOL, events.PY_START, self._start)
        monitoring.register_callback(self.TOOL, events.LINE, self._line)
        monitoring.register_callback(self.TOOL, events.PY_RETURN, self._return)
        monitoring.register_callback(self.TOOL, events.PY_UNWIND, self._unwind)
        monitoring.restart_events()
        calls = (
            events.PY_START | events.PY_RETURN | events.PY_UNWIND
        )  # without them some lines tell of fewer events
        monitoring.set_events(self.TOOL, calls | (events.LINE if self.watched is None else 0))

    def stop(self) -> None:
        """Stop collecting."""
        _monitoring.set_events(self.TOOL, 0)

    def _start(self, code: Any, offset: int) -> Any:
        file = self.file_of(code)
        if not file:
            return _monitoring.DISABLE
        self.enter(file, sys._getframe(1))
        return None

    def _line(self, code: Any, number: int) -> Any:
        file = self.file_of(code)
        if not file:
            return _monitoring.DISABLE
        self.line(file, number)
        return None

    def _return(self, code: Any, offset: int, value: Any) -> Any:
        if not self.file_of(code):
            return _monitoring.DISABLE
        self.leave(sys._getframe(1), value)
        return None

    def _unwind(self, code: Any, offset: int, error: BaseException) -> None:
        if self.file_of(code):
            self.unwind(sys._getframe(1), type(error))


def tracer_for(setup: dict[str, Any], encoder: Encoder) -> Tracer:
    """Return the tracer of this interpreter for a subject's files; it lets through what ``encoder`` does."""
    values = Encoder(VALUE_CAP)
    values.records, values.enums = encoder.records, encoder.enums
    kind = MonitoringTracer if _monitoring is not None else SettraceTracer
    told = setup["watched"], setup["frames"]
    if setup["kind"] == "package":
        return kind("/tree/", len("/tree/"), values, *told)
    path = "/box/" + setup["module"] + ".py"
    return kind(path, len("/box/"), values, *told)
