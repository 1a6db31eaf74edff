"""What is said over a channel: the setup, a request at a time or all at once, the calls of injected functions."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from authoring.execution.channel import Channel, Ended
from authoring.execution.doubles import Doubles, ExhaustedError
from authoring.model.errors import CannotJudgeError
from authoring.model.execution import Died, Hung, Limits, Observed, Outcome, Refused, Request
from authoring.model.wire import WireError, check

__all__ = ["BoxFaultError", "Conversation", "Failure", "await_up", "frame"]


@dataclass(frozen=True, slots=True)
class Failure:
    """The subject did not come up, or stopped: what every request that is left gets."""

    outcome: Outcome
    reason: str
    """``import``, ``run-late`` (all calls together), or the reason of :class:`Ended`."""


_DEATHS = {
    "closed": "the process ended",
    "reply-size": "the reply was larger than the cap",
    "replies-size": "all replies together were larger than the cap",
    "output-size": "the output was larger than the cap",
    "memory": "its processes used more memory than they may",
    "malformed": "the reply was malformed",
    "step": "a reply came that nobody asked for",
    "double": "an injected function was called more often than it has answers",
}


_START_S = 30.0


class BoxFaultError(Exception):
    """The box did not start: our own fault, or the machine's, and never the subject's."""

    def __init__(self, said: str, channel: Channel) -> None:
        super().__init__(said)
        self.said = said
        self._channel = channel

    def as_error(self) -> CannotJudgeError:
        """Return what to tell a person, with what the sandbox wrote."""
        wrote = b" ".join(self._channel.outputs()).decode("utf-8", "replace").strip()[-300:]
        return CannotJudgeError(
            "EXE005", f"A box did not start: {self.said} {wrote!a}", "Run `authoring doctor`."
        )


def await_up(channel: Channel) -> None:
    """Wait until the driver says that the box is closed and up; raise :class:`BoxFaultError` otherwise."""
    reply = channel.receive(time.monotonic() + _START_S)
    if isinstance(reply, Ended):
        raise BoxFaultError(reply.reason, channel)
    if reply != {"up": True}:
        raise BoxFaultError(str(reply.get("fault"))[:300], channel)


def frame(value: Any) -> bytes:
    """Return a request frame's body; lone surrogates pass."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


class Conversation:
    """One run of a subject: ends at the first failure, which is kept."""

    containers_cap: int | None = 1 << 18
    """Above what the driver's bound on values can give."""

    def __init__(self, channel: Channel, limits: Limits) -> None:
        self.channel = channel
        self.channel.containers_cap = self.containers_cap
        self.limits = limits
        self.deadline = 0.0
        self.failure: Failure | None = None
        self.longest_s = 0.0
        self.total_s = 0.0

    def bring_up(self, setup: dict[str, Any]) -> bool:
        """Send the setup and return whether the subject is up; else ``failure`` says why."""
        self.channel.send([frame(setup)])
        await_up(self.channel)
        reply = self.channel.receive(time.monotonic() + self.limits.import_s)
        if isinstance(reply, Ended):
            self._end(reply, importing=True)
        elif not self._is_up(reply):
            self.failure = _failed_setup(reply)
        self.deadline = time.monotonic() + self.limits.run_s
        return self.failure is None

    def _is_up(self, reply: dict[str, Any]) -> bool:
        try:
            return self.is_ready(reply)
        except WireError:
            return False

    def is_ready(self, reply: dict[str, Any]) -> bool:
        """Return whether the reply to the setup says that the subject is up."""
        return reply == {"ready": True}

    def take_apart(self, reply: dict[str, Any] | Ended, _number: int) -> dict[str, Any] | Ended:
        """Return the part of a reply that is of the protocol of requests; here it is all."""
        return reply

    def ask_all(
        self, requests: Sequence[tuple[int, Request]], cpu_s: float | None
    ) -> Iterator[tuple[int, Outcome]]:
        """Send all requests at once and yield outcomes in order, until one ends the process."""
        if any(request.doubles for _, request in requests):
            yield from self.ask_in_turn(requests, cpu_s)
            return
        self.channel.send([frame(_request(number, request, cpu_s)) for number, request in requests])
        for number, _ in requests:
            outcome = self._reply(number, None)
            yield number, outcome
            if self.failure is not None:
                return

    def ask_in_turn(
        self, requests: Sequence[tuple[int, Request]], cpu_s: float | None
    ) -> Iterator[tuple[int, Outcome]]:
        """Send one request, wait for its reply, and so on, until one ends the process."""
        for number, request in requests:
            if self.channel.has_unasked():
                yield number, self._end(Ended("step"))
                return
            self.channel.send([frame(_request(number, request, cpu_s))])
            outcome = self._reply(number, Doubles(dict(request.doubles)) if request.doubles else None)
            if self.failure is None and self.channel.has_unasked():
                outcome = self._end(Ended("step"))
            yield number, outcome
            if self.failure is not None:
                return

    def _reply(self, number: int, doubles: Doubles | None) -> Outcome:
        began = time.monotonic()
        outcome = self._outcome(number, doubles, min(self.deadline, began + self.limits.call_s))
        took = time.monotonic() - began
        self.longest_s = max(self.longest_s, took)
        self.total_s += took
        return outcome

    def _outcome(self, number: int, doubles: Doubles | None, deadline: float) -> Outcome:
        while True:
            reply = self.take_apart(self.channel.receive(deadline), number)
            if isinstance(reply, Ended):
                return self._end(reply)
            if "ask" in reply and doubles is not None:
                ended = self._answer(reply, number, doubles)
                if ended is not None:
                    return self._end(ended)
                continue
            try:
                return _as_recorded(read_reply(reply, number), doubles)
            except WireError:
                return self._end(Ended("malformed" if reply.get("id") == number else "step"))

    def _answer(self, reply: dict[str, Any], number: int, doubles: Doubles) -> Ended | None:
        """Answer one call of an injected function from what the parent keeps."""
        try:
            answer = doubles.answer(*_asked(reply, number, doubles))
        except WireError:
            return Ended("malformed")
        except ExhaustedError:
            return Ended("double")
        self.channel.send([frame({"answer": answer})])
        return None

    def _end(self, ended: Ended, *, importing: bool = False) -> Outcome:
        if ended.reason == "late" and time.monotonic() >= self.deadline and not importing:
            ended = Ended("run-late")
        if ended.reason in ("late", "run-late"):
            outcome: Outcome = Died("import: late") if importing else Hung()
        else:
            outcome = Died(("import: " if importing else "") + _DEATHS[ended.reason])
        self.failure = Failure(outcome, ended.reason)
        return outcome


def _as_recorded(outcome: Outcome, doubles: Doubles | None) -> Outcome:
    """Return the outcome; raise :class:`WireError` where it tells of other calls than those that were answered."""
    if isinstance(outcome, Observed):
        last = outcome.observations[-1] if outcome.observations else {}
        if last.get("calls", []) != ([] if doubles is None else doubles.calls):
            raise WireError("other calls than those that were answered")
    return outcome


def _asked(reply: dict[str, Any], number: int, doubles: Doubles) -> tuple[str, list[Any]]:
    ask = reply["ask"]
    if reply.keys() != {"id", "ask"} or reply["id"] != number or type(ask) is not list or len(ask) != 2:
        raise WireError("not a call of an injected function")
    name, arguments = ask
    if type(name) is not str or not doubles.knows(name) or type(arguments) is not list:
        raise WireError("not a call of an injected function")
    for argument in arguments:
        check(argument)
    return name, arguments


def _request(number: int, request: Request, cpu_s: float | None) -> dict[str, Any]:
    body = {"id": number, "scenario": request.scenario, "params": request.params}
    if request.line_events is not None:
        body["lines"] = request.line_events
    return body if cpu_s is None else {**body, "cpu": cpu_s}


def _failed_setup(reply: dict[str, Any]) -> Failure:
    if reply.keys() == {"import"} and _texts(reply["import"], 3):
        builtin, own, message = reply["import"]
        return Failure(Died(f"import: {builtin[:80]}", detail=f"{own[:80]}: {message[:300]}"), "import")
    if reply.keys() == {"missing"} and _texts(reply["missing"]):
        names = ", ".join(sorted(reply["missing"]))
        return Failure(Died("missing names", detail=names[:300]), "import")
    return Failure(Died("import: " + _DEATHS["step"]), "step")


def _texts(value: Any, length: int | None = None) -> bool:
    return (
        type(value) is list
        and all(type(item) is str for item in value)
        and (length is None or len(value) == length)
    )


_OUTSIDE = {"size": "EXE012", "equality": "EXE014", "scenario": "EXE015", "count": "EXE017"}


def read_reply(reply: dict[str, Any], number: int) -> Outcome:
    """Return the outcome that a reply states; raise :class:`WireError` where it is not of the protocol."""
    if type(reply.get("id")) is not int or reply["id"] != number or len(reply) != 2:
        raise WireError("not a reply to this request")
    if "outside" in reply:
        if not _texts(reply["outside"], 2):
            raise WireError("not a reason")
        why, phrase = reply["outside"]
        return Refused(_OUTSIDE.get(why, "EXE011"), f"Nothing could be observed: {phrase[:160]}.")
    observations = reply.get("observations")
    if type(observations) is not list:
        raise WireError("no observations")
    for at, observation in enumerate(observations):
        _check_observation(observation, at == len(observations) - 1)
    return Observed(tuple(observations))


def _check_observation(observation: Any, last: bool) -> None:
    if type(observation) is not dict:
        raise WireError("not an observation")
    kinds = observation.keys() & {"value", "raised"}
    extra = observation.keys() - kinds
    if len(kinds) != 1 or (extra and not (last and extra <= {"args_after", "calls"})):
        raise WireError("not an observation")
    if "value" in observation:
        check(observation["value"])
    else:
        _check_raised(observation["raised"])
    if "args_after" in observation:
        check(observation["args_after"])
    if "calls" in observation:
        _check_calls(observation["calls"])


def _check_raised(raised: Any) -> None:
    if type(raised) is not dict or not raised.keys() <= {"type", "message"} or "type" not in raised:
        raise WireError("not an exception")
    if not all(type(text) is str and len(text) <= 400 for text in raised.values()):
        raise WireError("not an exception")


def _check_calls(calls: Any) -> None:
    if type(calls) is not list:
        raise WireError("no calls")
    for call in calls:
        if type(call) is not list or len(call) != 2 or type(call[0]) is not str or type(call[1]) is not list:
            raise WireError("not a call")
        for argument in call[1]:
            check(argument)
