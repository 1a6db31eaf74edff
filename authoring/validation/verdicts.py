"""Turn outcomes into verdicts: of a check, of a pool input, of a whole run."""

from collections.abc import Callable, Iterable, Sequence

from authoring.model.evidence import CheckVerdict, Verdict
from authoring.model.execution import Died, Hung, Observed, Outcome
from authoring.model.observation import Compare, Observation, equal

__all__ = ["check_verdict", "overall", "pool_verdict"]

_ORDER: tuple[Verdict, ...] = ("wrong", "timeout", "resource", "error")


def check_verdict(outcome: Outcome, expected: Sequence[Observation], compare: Compare) -> CheckVerdict:
    """Return the verdict of an outcome against what is expected."""
    if isinstance(outcome, Observed):
        return "pass" if equal(outcome.observations, expected, compare) else "wrong"
    return _without_observations(outcome)


def pool_verdict(
    outcome: Outcome, expected: str, digest: Callable[[Sequence[Observation]], str]
) -> CheckVerdict:
    """Return the verdict of an outcome against the keyed digest of what is expected."""
    if isinstance(outcome, Observed):
        return "pass" if digest(outcome.observations) == expected else "wrong"
    return _without_observations(outcome)


def _without_observations(outcome: Outcome) -> CheckVerdict:
    if isinstance(outcome, Hung):
        return "timeout"
    return "resource" if isinstance(outcome, Died) and "cap" in outcome.reason else "error"


def overall(verdicts: Iterable[CheckVerdict]) -> Verdict:
    """Return the verdict of a run: pass only where there is something and all of it passed."""
    found = set(verdicts)
    if found == {"pass"}:
        return "pass"
    return next((verdict for verdict in _ORDER if verdict in found), "error")
