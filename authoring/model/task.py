"""task.json, checks.json and hidden_checks.json: one variant as it is handed out and judged (DESIGN.md 5.4)."""

from pydantic import Field

from authoring.model.contract import Entry, Origin, ScenarioSpec, Types
from authoring.model.document import Document, Part
from authoring.model.execution import Wire
from authoring.model.incident import Dependency

__all__ = [
    "Check",
    "CheckCounts",
    "Checks",
    "HiddenChecks",
    "OuterPart",
    "Pool",
    "Task",
    "TaskEnvironment",
    "TaskLimits",
    "pool_id",
]


class TaskLimits(Part):
    """The declared limits of a task's box."""

    import_s: float = 5.0
    call_s: float = 2.0
    cpu_s: int = 32
    memory_bytes: int = 1 << 30
    processes: int = 0


class TaskEnvironment(Part):
    """Interpreter, pinned dependencies and limits."""

    python: str
    dependencies: tuple[Dependency, ...] = ()
    limits: TaskLimits = Field(default_factory=TaskLimits)


class CheckCounts(Part):
    """How many checks a task has by tier; the number that every verdict must answer for."""

    public: int
    hidden: int


class Task(Document):
    """task.json: the public face of a variant."""

    id: str
    """``<contract>/<variant>``."""
    contract: str
    mechanism: str
    group: str
    category: str
    difficulty: str
    entry: Entry
    program: str = "program.py"
    editable: tuple[str, ...] = ("program.py",)
    visible: tuple[str, ...] = ("prompt.md", "program.py", "scenarios.py", "checks.json", "run_checks.py")
    raises: tuple[str, ...] = ()
    types: Types = Field(default_factory=Types)
    compare: dict[str, ScenarioSpec] = Field(default_factory=dict)
    """By scenario id."""
    environment: TaskEnvironment
    files: dict[str, str]
    """sha256 of every file of the folder but task.json."""
    checks: CheckCounts
    reference_solution: None = None
    reward: str = "1 when every public and hidden check passes, else 0"
    origin: Origin
    licence: str


class OuterPart(Part):
    """The outer side of a check or pool input of an ``entry`` scenario."""

    scenario: str
    params: Wire
    expect: tuple[dict[str, Wire], ...]


class Cost(Part):
    """A bound on what a call may cost."""

    line_events: int = Field(gt=0)
    """At most so many line events, of all Python code that runs in the call; one that takes more has not ended."""


class Check(Part):
    """A scenario, its parameters, and what this variant's reference gives for them."""

    id: str
    name: str
    """For people; never enters a box."""
    scenario: str
    """Id of a scenario; its function is looked up in ``Task.compare``."""
    rules: tuple[str, ...]
    params: Wire
    expect: tuple[dict[str, Wire], ...]
    doubles: dict[str, tuple[Wire, ...]] = Field(default_factory=dict)
    outer: OuterPart | None = None
    cost: Cost | None = Field(default=None, exclude_if=lambda cost: cost is None)
    """Only where the cost is what the check is about; left out of the file else."""

    @property
    def line_events(self) -> int | None:
        """How many line events a call may take; None where only time bounds it."""
        return None if self.cost is None else self.cost.line_events


class Checks(Document):
    """checks.json: the public checks."""

    task: str
    scenarios_sha256: str
    checks: tuple[Check, ...]


class Pool(Part):
    """Frozen inputs of one scenario with keyed digests of the reference's observations."""

    scenario: str
    inputs: tuple[Wire, ...]
    expect_hmac: tuple[str, ...]
    """``keyed_digest(key, "pool", task id, index, observations)`` in hex, one for each input."""


class HiddenChecks(Checks):
    """hidden_checks.json: the hidden checks and the pools."""

    pools: tuple[Pool, ...] = ()


def pool_id(scenario: str, index: int) -> str:
    """Return the id of a pool's input in evidence and reports."""
    return f"pool:{scenario}:{index}"
