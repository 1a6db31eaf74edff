"""cuts.json: which classes of inputs a contract's programs carry most for."""

from authoring.model.document import Document, Part
from authoring.model.execution import Wire

__all__ = ["CutRecord", "Cuts", "HeldCode"]


class CutRecord(Part):
    """One class of inputs."""

    sentence: str
    """What is excluded and what that saves, as ``CUTS`` of domain.py has it."""
    saves: int
    """Nodes of the merged programs that went, or go, with it."""
    checks: tuple[str, ...] = ()
    """Ids of the lifted checks whose inputs lie in it; none of them fails on any side."""
    requests: int = 0
    """Requests of the reduction's oracle that lie in it."""
    recorded: int = 0
    """Recorded arguments of an entry inside the package that lie in it."""


class HeldCode(Part):
    """Code that could go but for some inputs that show no fault."""

    code: str
    """The first line of what would go or change."""
    nodes: int
    """Merged nodes that would go."""
    requests: int
    """Requests of the reduction's oracle that need it."""
    scenario: str
    params: Wire
    """The smallest of these."""


class Cuts(Document):
    """What the domain lost, and what else it could lose with every fault kept."""

    nodes: int
    """Nodes of the merged programs as they are."""
    requests: int
    """Requests of the reduction's oracle."""
    taken: tuple[CutRecord, ...] = ()
    """In the order in which they were taken."""
    proposed: tuple[CutRecord, ...] = ()
    """What saves most comes first; taken with ``--accept-cuts`` only."""
    unlooked: str = ""
    """Why no cut was looked for, in words; empty where some were."""
    held: tuple[HeldCode, ...] = ()
    """What only inputs that show no fault keep from going, the most nodes first, as far as it was looked for."""
