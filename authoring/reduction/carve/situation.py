"""What is known before an entry is chosen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from authoring.model.capture import Binding
from authoring.model.execution import How, Outcome, Package, Request, Runner
from authoring.model.observation import Compare
from authoring.model.variants import VersionName
from authoring.scenario.inputs import is_same

__all__ = ["Situation", "brief"]


_CALL_CPU_S = 0.5


def brief(how: How) -> How:
    """Return the same where a call may take half a second of CPU and a hang is believed at once."""
    return replace(how, limits=replace(how.limits, call_cpu_s=_CALL_CPU_S), believes_hangs=True)


@dataclass(frozen=True, slots=True)
class Situation:
    """What is known before an entry is chosen."""

    runner: Runner
    how: How
    packages: Mapping[VersionName, Package]
    """By version, bound at the package's own interface."""
    requests: Sequence[Request]
    """Outer requests that every version answers; the reproducer's come first."""
    lifted: int
    """How many are the reproducer's."""
    answers: Mapping[VersionName, Sequence[Outcome]]
    bindings: Sequence[Binding]
    functions: frozenset[str]
    """Names of the outer scenarios' functions."""

    @property
    def reference(self) -> Package:
        """The release that works."""
        return self.packages["reference"]

    def differs(self, version: VersionName, at: int) -> bool:
        """Return whether a version's answer to an outer request is not the reference's."""
        return not is_same(self.answers[version][at], self.answers["reference"][at], Compare())

    @property
    def brief(self) -> How:
        """How entries are asked: what is made again may hang, or need much longer than what it stands for."""
        return brief(self.how)

    @property
    def of_lifted(self) -> "Situation":
        """The same with the reproducer's requests only."""
        answers = {version: known[: self.lifted] for version, known in self.answers.items()}
        return replace(self, requests=self.requests[: self.lifted], answers=answers)

    @property
    def telling(self) -> list[int]:
        """The reproducer's requests that some version answers differently."""
        return [at for at in range(self.lifted) if any(self.differs(one, at) for one in self.packages)]
