"""What releases and reduced programs answer, in parts so that none runs out of time, and in words."""

from collections.abc import Sequence

from authoring.model.digest import canonical
from authoring.model.execution import Died, Hung, Observed, Outcome, Request, Runner
from authoring.model.variants import VersionName
from tests.measures.committed import Committed

__all__ = ["program_answers", "release_answers", "shown"]

_AT_ONCE = 250
_LENGTH_CAP = 160


def release_answers(one: Committed, version: VersionName, requests: Sequence[Request]) -> list[Outcome]:
    """Return what the release of a version answers; asked once for each request."""
    found: list[Outcome] = []
    for start in range(0, len(requests), _AT_ONCE):
        found += one.releases.answers(version, requests[start : start + _AT_ONCE])
    return found


def program_answers(
    one: Committed, runner: Runner, version: VersionName, requests: Sequence[Request]
) -> list[Outcome]:
    """Return what the reduced program of a version answers."""
    subject = one.releases.program(version, one.programs[version])
    found: list[Outcome] = []
    for start in range(0, len(requests), _AT_ONCE):
        found += runner.observe(subject, requests[start : start + _AT_ONCE], one.releases.how)
    return found


def shown(outcome: Outcome) -> str:
    """Return an outcome in a few words."""
    match outcome:
        case Observed(observations):
            return f"sees {canonical(list(observations)).decode()[:_LENGTH_CAP]}"
        case Hung():
            return "hangs"
        case Died(reason):
            return f"dies ({reason})"
        case _:
            return f"is refused ({outcome.code})"
