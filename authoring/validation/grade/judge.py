"""What one answer is worth: the verdict of a case, and the signals that go with it."""

from authoring.model.evidence import CheckVerdict
from authoring.model.execution import Died, Hung, Observed, Outcome, Refused
from authoring.validation.grade.cases import Case

__all__ = ["SUSPICIOUS", "Judged", "judge"]

SUSPICIOUS = frozenset(
    {"integrity", "unasked-frame", "equality-override", "planted-file-opened", "line-count-touched"}
)
"""Signals that alone make a candidate a suspected cheat; honest code gives none of them."""

_REFUSED = {"EXE014": "equality-override", "EXE017": "line-count-touched"}
_EXITS = frozenset({"SystemExit", "KeyboardInterrupt", "GeneratorExit"})
_TOO_MUCH = (
    "the reply was larger than the cap",
    "all replies together were larger than the cap",
    "the output was larger than the cap",
    "its processes used more memory than they may",
    "import: MemoryError",
)
_UNASKED = "a reply came that nobody asked for"

Judged = tuple[CheckVerdict, str | None]
"""Verdict, and a signal where there is one."""


def judge(case: Case, outcome: Outcome, raises: tuple[str, ...]) -> Judged:
    """Return the verdict of one outcome; ``raises`` are the exceptions that the contract names."""
    match outcome:
        case Observed():
            return _observed(case, outcome, raises)
        case Hung():
            return "timeout", None
        case Died(reason=reason):
            return _died(reason)
        case Refused(code="EXE012"):
            return "resource", None
        case Refused(code=code):
            return "error", _REFUSED.get(code, "outside-the-domain")


def _observed(case: Case, outcome: Observed, raises: tuple[str, ...]) -> Judged:
    if case.is_met_by(outcome.observations):
        return "pass", None
    raised = [str(one["raised"]["type"]) for one in outcome.observations if "raised" in one]
    if any(name in _EXITS for name in raised):
        return "error", "exit-in-call"
    if "MemoryError" in raised:
        return "resource", None
    if any(name not in raises for name in raised):
        return "error", None
    return "wrong", None


def _died(reason: str) -> Judged:
    if reason == "import: late":
        return "timeout", None
    if reason.endswith(_TOO_MUCH):
        return "resource", None
    if reason.endswith(_UNASKED):
        return "error", "unasked-frame"
    return "error", "died"
