"""Leave the best programs so far beside their contract while a reduction is under way.

A run that is killed goes on from the verdicts in the journal, which leads to the same programs by the same way; what is
left here is for whoever wants to look at them, or has no time to go on. Finished programs are never written over by
such as are not.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from authoring.model.errors import UsageError
from authoring.reduction.reduce import SoFar
from authoring.taskrepo.stages.generated import forget_generated, is_generated, write_generated
from authoring.taskrepo.stages.reduction_file import of_state, read_reduction
from authoring.taskrepo.stages.work import Work

__all__ = ["Best", "best_of", "forget_best"]

_SHARE = 0.9
"""A state is written once it has at most this share of the nodes of the one before."""


class Best:
    """What is told of the states of one reduction."""

    def __init__(self, work: Work, incident: str) -> None:
        self._work = work
        self._incident = incident
        self._is_open = _is_open(work, incident)
        self._nodes: int | None = None
        self._last: SoFar | None = None

    def tell(self, so_far: SoFar) -> None:
        """Take a state; it is written at a phase's end, and where it is a tenth smaller than the last one written."""
        self._last = so_far
        nodes = so_far.program.nodes()
        if so_far.is_end or self._nodes is None or not _SHARE * self._nodes < nodes <= self._nodes:
            self._nodes = nodes
            self.write()

    def write(self) -> None:
        """Write the last state."""
        if self._last is None or not self._is_open:
            return
        folder = f"contracts/{self._incident}"
        report = of_state(self._last).to_json().decode("ascii")
        write_generated(self._work, f"{folder}/reduction.json", report)  # first: what follows is marked by it
        for version, source in self._last.program.programs().items():
            write_generated(self._work, f"{folder}/program/{version}.py", source)


@contextmanager
def best_of(work: Work, incident: str) -> Iterator[Best]:
    """Give what is told of the states of one reduction; a run that is interrupted leaves the last of them."""
    best = Best(work, incident)
    try:
        yield best
    except KeyboardInterrupt:  # a request to end the process is one too
        best.write()
        raise


def forget_best(work: Work, incident: str) -> None:
    """Remove what a reduction that was refused in the end had left."""
    path = f"contracts/{incident}/reduction.json"
    if work.workspace.path(path).is_file() and is_generated(work, path) and _is_open(work, incident):
        forget_generated(work, f"contracts/{incident}/program")
        work.workspace.path(path).unlink()
        work.journal.forget("generated", path)


def _is_open(work: Work, incident: str) -> bool:
    """Tell whether there are no programs yet, or only such as a run left that was cut off."""
    folder = work.workspace.path("contracts", incident)
    if not (folder / "reduction.json").is_file():
        return not (folder / "program").is_dir()
    try:
        return read_reduction(folder / "reduction.json").ended == "cut-off"
    except UsageError:
        return False
