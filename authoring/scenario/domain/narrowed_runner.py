"""A runner that answers no request outside a domain, so that whoever asks finds nothing there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from authoring.model.execution import (
    How,
    Outcome,
    Refused,
    Request,
    Runner,
    ScriptRun,
    Subject,
    Traced,
    Watched,
)
from authoring.model.wire import Wire
from authoring.scenario.domain.membership import Membership

__all__ = ["NarrowedRunner", "narrowed"]

_OUTSIDE = Refused("outside", "the domain does not allow these parameters")


@dataclass(frozen=True, slots=True)
class NarrowedRunner:
    """The runner of a membership, which is asked about what lies inside only."""

    membership: Membership

    @property
    def _runner(self) -> Runner:
        return self.membership.runner

    def observe(self, subject: Subject, requests: Sequence[Request], how: How) -> list[Outcome]:
        """Run the requests inside the domain; all others are refused, whatever the subject."""
        allowed = self.membership.allows(requests)
        inside = [one for one, is_in in zip(requests, allowed, strict=True) if is_in]
        outcomes = iter(self._runner.observe(subject, inside, how))
        return [next(outcomes) if is_in else _OUTSIDE for is_in in allowed]

    def first_unlike(
        self,
        subject: Subject,
        requests: Sequence[Request],
        how: How,
        is_like: Callable[[int, Outcome], bool],
    ) -> tuple[int, Outcome] | None:
        """Return the first request that is not like it should be; those outside are refused."""
        outcomes = enumerate(self.observe(subject, requests, how))
        return next(((at, outcome) for at, outcome in outcomes if not is_like(at, outcome)), None)

    def trace(
        self,
        subject: Subject,
        requests: Sequence[Request],
        how: How,
        watched: Watched | None = None,
        *,
        with_frames: bool = False,
    ) -> list[Traced]:
        """The same with what ran; nothing ran for a request outside."""
        allowed = self.membership.allows(requests)
        inside = [one for one, is_in in zip(requests, allowed, strict=True) if is_in]
        traced = iter(self._runner.trace(subject, inside, how, watched, with_frames=with_frames))
        nothing = Traced(_OUTSIDE, {}, {}, 0, ())
        return [next(traced) if is_in else nothing for is_in in allowed]

    def draw(
        self, domain: str, scenario: str, n: int, seed: int, how: How, constants: Wire = None
    ) -> list[Wire]:
        """Draw as the runner does: a domain filters what it draws itself."""
        return self._runner.draw(domain, scenario, n, seed, how, constants)

    def mutate(
        self,
        values: Sequence[Wire],
        n: int,
        seed: int,
        how: How,
        *,
        domain: str = "",
        scenario: str = "",
        constants: Wire = None,
    ) -> list[Wire]:
        """Mutate as the runner does; what then lies outside is refused when it is observed."""
        return self._runner.mutate(
            values, n, seed, how, domain=domain, scenario=scenario, constants=constants
        )

    def shrink(
        self,
        domain: str,
        scenario: str,
        is_wanted: Callable[[Wire], bool],
        tries: int,
        seed: int,
        how: How,
        constants: Wire = None,
    ) -> Wire | None:
        """Shrink as the runner does: inside the domain."""
        return self._runner.shrink(domain, scenario, is_wanted, tries, seed, how, constants)

    def script(self, tree: Path, reproducer: str, how: How) -> ScriptRun:
        """Run a script, which no domain concerns."""
        return self._runner.script(tree, reproducer, how)


def narrowed(runner: Runner, how: How, domain: str) -> Runner:
    """Return a runner that keeps to a domain; the same one where the domain has no predicate."""
    membership = Membership(runner, how, domain)
    return NarrowedRunner(membership) if membership.is_narrowed else runner
