"""The inputs on which programs are tried: lifted ones, drawn ones, their neighbours and mixtures."""

from collections.abc import Sequence
from dataclasses import dataclass

from authoring.model.capture import Capture
from authoring.model.execution import How, Runner
from authoring.model.wire import Wire, sort_key
from authoring.scenario.domain import ChangedCode
from authoring.scenario.inputs import Input, Stock, candidates, in_order, palette_of

__all__ = ["Gathered", "gather", "lifted_inputs", "stocks_of"]

_TRIED = 480
"""Inputs that every wrong program is tried on, all scenarios together."""
_LEAST = 60
_LENGTH_CAP = 20_000


@dataclass(frozen=True, slots=True)
class Gathered:
    """All inputs, in the order in which they are tried."""

    lifted: tuple[Input, ...] = ()
    """From the reproducer's checks, in their order."""
    drawn: tuple[Input, ...] = ()
    """Recorded from the project's own tests, and from domain.py."""
    around: tuple[Input, ...] = ()
    """Neighbours and mixtures of the others."""

    @property
    def all(self) -> tuple[Input, ...]:
        """Every input once, lifted ones first."""
        return tuple({one.key: one for one in (*self.lifted, *self.drawn, *self.around)}.values())


def lifted_inputs(capture: Capture) -> tuple[Input, ...]:
    """Return the inputs of the reproducer's checks that could be lifted, in their order, each once."""
    found = [
        Input(check.scenario, in_order(check.params), check.line_events)
        for check in capture.checks
        if check.scenario
    ]
    return tuple({one.key: one for one in found}.values())


def _recorded(capture: Capture) -> list[Input]:
    """Return what was recorded from the project's own tests; domain.py holds it too."""
    inputs = capture.recorded.inputs if capture.recorded is not None else ()
    return [Input(one.scenario, in_order(one.params)) for one in inputs]


def gather(
    capture: Capture,
    domain: str,
    code: ChangedCode,
    runner: Runner,
    how: How,
    *,
    seed: int = 0,
    effort: float = 1.0,
    is_domain_edited: bool,
    small: Sequence[Input] = (),
) -> Gathered:
    """Draw and mix inputs for every scenario; the same for the same seed.

    Where the author edited the domain, nothing is added to what it draws, since a neighbour of a drawn value
    may lie in what the author cut off. ``small`` are inputs around which to look in place of those that bound the line
    events of a call.
    """
    lifted = lifted_inputs(capture)
    recorded = _recorded(capture)
    scenarios = sorted({one.scenario for one in lifted})
    share = max(int(_LEAST * effort), int(_TRIED * effort) // max(len(scenarios), 1))
    drawn: list[Input] = []
    around: list[Input] = []
    for scenario in scenarios:
        seen = [
            one.params
            for one in (*lifted, *small, *recorded)
            if one.scenario == scenario and one.line_events is None
        ]
        drawn += [one for one in recorded if one.scenario == scenario]
        wanted = share if is_domain_edited else share * 2 // 3
        wires = _short(runner.draw(domain, scenario, wanted, seed, how))
        drawn += [Input(scenario, wire) for wire in wires]
        if not is_domain_edited:
            stock = Stock([*seen, *wires[: share // 4]], palette_of(seen, code))
            around += candidates({scenario: stock}, seed, share)[len(stock.inputs) :][: share // 3]
    return Gathered(lifted, tuple(drawn), tuple(one for one in around if len(one.key) <= _LENGTH_CAP))


def _short(wires: Sequence[Wire]) -> list[Wire]:
    distinct = {sort_key(wire): wire for wire in map(in_order, wires)}
    return [wire for text, wire in distinct.items() if len(text) <= _LENGTH_CAP]


def stocks_of(inputs: Sequence[Input], code: ChangedCode, cap: int = 60) -> dict[str, Stock]:
    """Return what searches start from, by scenario: the first inputs of each."""
    by_scenario: dict[str, list[Wire]] = {}
    for one in inputs:
        if one.line_events is not None:  # its neighbours would be as slow
            continue
        by_scenario.setdefault(one.scenario, []).append(one.params)
    return {
        name: Stock(wires[:cap], palette_of(wires[:cap], code)) for name, wires in sorted(by_scenario.items())
    }
