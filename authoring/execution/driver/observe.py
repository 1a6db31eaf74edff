"""The loop of a run: bring the subject up, then one reply to each request."""

import sys
from _json import encode_basestring_ascii
from posix import _exit

from authoring.execution.driver.codec import Encoder, Outside, class_name, decode, mro
from authoring.execution.driver.counting import counter_for
from authoring.execution.driver.frames import Pipes
from authoring.execution.driver.subject import MissingError, Subject, bring_up, raised_name
from authoring.execution.driver.waiting import Waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
else:
    Any = object

_signal: Any = __import__("_signal")  # the module signal costs the import of enum

MESSAGE_CAP = 300
TOUCHED = "the program touched what counts its line events"
VALUES_CAP = 1 << 16  # of values that are no text, None or boolean: each is an object or two in the parent


class Caller:
    """Runs scenarios on a subject and tells what they saw."""

    def __init__(self, pipes: Pipes, subject: Subject, encoder: Encoder) -> None:
        self.pipes = pipes
        self.subject = subject
        self.encoder = encoder
        self.tracer: Any = None
        self.counter: Any = None
        self.waiting: Waiting | None = None
        self._calls: list[str] = []
        self._id = 0

    def call(self, request: dict[str, Any]) -> str:
        """Return the body of the reply to one request: observations, or why there are none."""
        self.encoder.start()
        self._calls = []
        self._id = request["id"]
        function = self.subject.scenario(request["scenario"])
        if function is None:
            return '"outside":["scenario","there is no scenario of that name"]'
        params = decode(request["params"], self._ask)
        before = self.encoder.encode(params)
        seen: list[str] = []
        outside: list[Outside] = []

        def see(value: Any) -> None:
            try:
                seen.append('"value":' + self.encoder.encode(value))
            except Outside as error:
                outside.append(error)
                raise

        if self.waiting is not None:
            self.waiting.begin_call()
        budget = request.get("cpu")
        if budget:
            _signal.signal(_signal.SIGPROF, _signal.SIG_DFL)
            _signal.setitimer(_signal.ITIMER_PROF, budget)
        if self.tracer is not None:
            self.tracer.clear()
            self.tracer.start()
        counter = self.counter if "lines" in request else None
        if counter is not None:
            counter.start(request["lines"], self._tell_touched)
        try:
            self._run(function, params, see)
        except Outside as error:
            outside.append(error)
        except BaseException as error:
            seen.append(self._raised(error))
        if counter is not None and not counter.stop():
            outside.insert(0, Outside("count", TOUCHED))
        if self.tracer is not None:
            self.tracer.stop()
        if budget:
            _signal.setitimer(_signal.ITIMER_PROF, 0)
        reply = self._reply(params, before, seen, outside)
        return reply if self.tracer is None else reply + ',"trace":' + self.tracer.report()

    def _tell_touched(self) -> None:
        """Reply that the program reached for what counts; the process ends after it."""
        self.pipes.send('{"id":%d,"outside":["count",%s]}' % (self._id, quoted(TOUCHED)))

    def _run(self, function: Any, params: Any, see: Any) -> None:
        result = function(self.subject.program, params, see)
        if hasattr(type(result), "__await__"):
            import asyncio

            asyncio.run(result)

    def _reply(self, params: Any, before: str, seen: list[str], outside: list[Outside]) -> str:
        try:
            if outside:
                raise outside[0]
            after = self.encoder.encode(params)
        except Outside as error:
            return '"outside":[%s,%s]' % (quoted(error.why), quoted(error.phrase))
        if after != before or self._calls:
            last = seen.pop() if seen else '"value":null'
            last += ',"args_after":' + after if after != before else ""
            last += ',"calls":[' + ",".join(self._calls) + "]" if self._calls else ""
            seen.append(last)
        return '"observations":[' + ",".join("{" + part + "}" for part in seen) + "]"

    def _raised(self, error: BaseException) -> str:
        kind = type(error)
        text = '"raised":{"type":' + quoted(raised_name(kind, self.subject.raises, mro(kind)))
        if self.subject.messages:
            text += ',"message":' + quoted(message_of(error))
        return text + "}"

    def _ask(self, name: str, args: tuple[Any, ...]) -> Any:
        """Have the parent answer a call of an injected function, and keep what was asked."""
        texts = "[" + ",".join(self.encoder.encode(item) for item in args) + "]"
        self._calls.append("[" + self.encoder.encode(name) + "," + texts + "]")
        self.pipes.send('{"id":%d,"ask":[%s,%s]}' % (self._id, self.encoder.encode(name), texts))
        return decode(self.pipes.receive()["answer"], self._ask)


def quoted(text: str) -> str:
    """Return a short text of ours, or a name, as JSON; what cannot be encoded is replaced."""
    return encode_basestring_ascii(text[:MESSAGE_CAP].encode("utf-8", "replace").decode())


def message_of(error: BaseException) -> str:
    """Return an exception's message, cut short; a message that cannot be had is empty."""
    try:
        text = str(error)
    except BaseException:
        return ""
    return (
        str.__str__(text)[:MESSAGE_CAP].encode("utf-8", "replace").decode() if isinstance(text, str) else ""
    )


def failed_import(error: BaseException) -> str:
    """Return the reply to a setup that failed: the type's name and the message."""
    if type(error) is MissingError:
        return '{"missing":[' + ",".join(quoted(name) for name in error.args[0]) + "]}"
    kind = type(error)
    name = raised_name(kind, {}, mro(kind))
    parts = [name, class_name(kind)[:80], message_of(error)]
    return '{"import":[' + ",".join(quoted(part) for part in parts) + "]}"


def serve(pipes: Pipes, make_tracer: Any = None) -> None:
    """Answer the setup and then every request, until the parent closes the pipe."""
    pipes.send('{"up":true}')
    setup = pipes.receive()
    encoder = Encoder(setup["reply_bytes"], VALUES_CAP if make_tracer is None else 1 << 40)
    tracer = make_tracer(setup, encoder) if make_tracer is not None else None
    counter = counter_for(tracer is not None) if setup["counted"] else None
    texts = (setup["scenarios"], setup.get("source", ""))
    waiting = Waiting(setup["skips_s"], *texts) if setup["skips_s"] else None
    if setup["cpu"]:
        _signal.setitimer(_signal.ITIMER_PROF, setup["cpu"])
    try:
        if tracer is not None:
            tracer.start()
        subject = bring_up(setup, encoder)
    except BaseException as error:
        pipes.send(failed_import(error))
        _exit(1)
    if tracer is not None:
        tracer.stop()
    _signal.setitimer(_signal.ITIMER_PROF, 0)
    pipes.send('{"ready":true' + ("" if tracer is None else ',"lines":' + tracer.lines_text()) + "}")
    caller = Caller(pipes, subject, encoder)
    caller.tracer = tracer
    caller.counter = counter
    caller.waiting = waiting
    while True:
        request = pipes.receive()
        pipes.send('{"id":%d,%s}' % (request["id"], caller.call(request)))


def forget_origins() -> None:
    """Take away the words on the command line."""
    sys.argv[:] = [""]
    if hasattr(sys, "orig_argv"):
        sys.orig_argv[:] = [""]
