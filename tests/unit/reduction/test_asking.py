"""Laws of asking with expectations."""

from dataclasses import dataclass, field
from typing import Any

from authoring.model.execution import How, Hung, Limits, Observed, Outcome, Program, Request
from authoring.reduction.asking import BRIEF_CPU_S, observe_expecting

_ENDS = Observed(({"value": {"int": "0x1"}},))
_WHOLE = 0.1


@dataclass
class _Told:
    """Answers by the scenario's name, and remembers how each was asked."""

    asked: list[tuple[str, float | None, bool]] = field(default_factory=list)

    def observe(self, subject: Any, requests: Any, how: How) -> list[Outcome]:
        """Answer each request by its name."""
        self.asked += [(one.scenario, how.limits.call_cpu_s, how.believes_hangs) for one in requests]
        return [Hung() if one.scenario.startswith("hangs") else _ENDS for one in requests]


def _asked(names: list[str], expected: list[Outcome]) -> tuple[list[Outcome], _Told]:
    runner: Any = _Told()
    how = How(limits=Limits(call_cpu_s=_WHOLE))
    requests = [Request(name, {}) for name in names]
    program = Program("", "program", "")
    return observe_expecting(runner, program, requests, expected, how), runner


def test_outcomes_come_in_the_order_of_the_requests() -> None:
    outcomes, _ = _asked(["hangs a", "b", "hangs c", "d"], [Hung(), _ENDS, Hung(), _ENDS])
    assert outcomes == [Hung(), _ENDS, Hung(), _ENDS]


def test_what_is_expected_to_hang_is_asked_last_and_briefly() -> None:
    _, told = _asked(["hangs a", "b"], [Hung(), _ENDS])
    assert told.asked == [("b", _WHOLE, False), ("hangs a", BRIEF_CPU_S, True)]


def test_an_unexpected_hang_has_the_whole_budget_and_is_doubted() -> None:
    outcomes, told = _asked(["hangs a"], [_ENDS])
    assert outcomes == [Hung()]
    assert told.asked == [("hangs a", _WHOLE, False)]
