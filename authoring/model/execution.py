"""The values that pass through the one door to untrusted code, and the door's form.

A subject is what runs, a request is one call of a scenario, an outcome is what came of it. All are plain data: a
subject names source text or folders, never objects.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

__all__ = [
    "Died",
    "Frame",
    "How",
    "Hung",
    "Limits",
    "ObjectSeen",
    "Observed",
    "ObservedTypes",
    "Outcome",
    "Package",
    "Perturbation",
    "Program",
    "Refused",
    "Request",
    "Runner",
    "ScriptFailure",
    "ScriptRun",
    "Subject",
    "Traced",
    "Watched",
    "Wire",
]

Wire = Any
"""A value in the wire form of GRADER.md R13: JSON data in which everything but null, booleans and text is tagged."""

Observation = dict[str, Wire]
"""``{"value": wire}`` or ``{"raised": {"type": name, "message"?: text}}``; the last may add more."""


@dataclass(frozen=True, slots=True)
class ObservedTypes:
    """What may be observed beside built-in data (contract.toml ``raises`` and ``types``), by canonical name."""

    raises: tuple[str, ...] = ()
    """Exception classes that the observed MRO is searched for: a name the program holds, else a built-in."""
    records: tuple[str, ...] = ()
    enums: tuple[str, ...] = ()
    handles: tuple[str, ...] = ()
    """Classes whose instances are observed as handles, numbered in the order in which a call shows them."""
    iterators: int = 0
    """How many items of an iterator are drained; 0 refuses iterators."""
    messages: bool = False
    """Whether a raised observation carries the message."""


@dataclass(frozen=True, slots=True)
class Program:
    """One self-contained module and the scenarios that observe it."""

    source: str
    module: str
    """The name under which the module sits in ``sys.modules``."""
    scenarios: str
    """The text of scenarios.py."""
    types: ObservedTypes = ObservedTypes()


@dataclass(frozen=True, slots=True)
class Package:
    """A real package tree, bound to the scenarios' canonical names by ``original.py``."""

    tree: Path
    """A folder that is put on ``sys.path`` read-only; it holds the import package(s)."""
    modules: tuple[str, ...]
    """Dotted modules imported before ``bind``; the first is the one that ``bind`` is given."""
    original: str
    """The text of original.py."""
    scenarios: str
    types: ObservedTypes = ObservedTypes()


Subject = Program | Package


@dataclass(frozen=True, slots=True)
class Request:
    """One call of a scenario."""

    scenario: str
    """Name of the function in scenarios.py."""
    params: Wire
    """A wire dict."""
    doubles: tuple[tuple[str, tuple[Wire, ...]], ...] = ()
    """Answers of injected functions, by name, in order; the parent keeps them (R15).

    A name that begins with ``async `` is awaited. The answers of ``timeline`` are a start (seconds or a datetime) and
    a tick of a clock that ``timeline.now`` reads and ``timeline.sleep`` advances, however often they are called.
    """
    line_events: int | None = None
    """How many line events the call may take, of all Python code that runs in it: with more of them it has hung,
    whatever the machine's speed. None: only time bounds it. Work inside calls of C code gives no line events.
    """


@dataclass(frozen=True, slots=True)
class Observed:
    """The scenario ran to its end: its observations in order (an escaping exception is the last one)."""

    observations: tuple[Observation, ...]


@dataclass(frozen=True, slots=True)
class Hung:
    """The call did not end within its budget of CPU or of line events."""


@dataclass(frozen=True, slots=True)
class Died:
    """The process ended, or answered outside the protocol; ``reason`` is one of a few fixed phrases of ours."""

    reason: str
    detail: str = ""
    """For our own programs: the own name and the message of what the import raised, or the names that are missing."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Something could not be observed as data: a coded refusal (``EXE...``), with a sentence."""

    code: str
    message: str


Outcome = Observed | Hung | Died | Refused


@dataclass(frozen=True, slots=True)
class ObjectSeen:
    """An argument that is no data: its class, and those of its own attributes that are."""

    name: str
    """The parameter's name."""
    type: str
    """Where the class is from: module, colon, qualified name."""
    attributes: Wire
    """A wire dict."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One call that the trace saw, in the order of entry."""

    file: str
    """Path relative to the tree, or ``<module>.py`` for a program."""
    qualname: str
    line: int
    """First line of the function's code."""
    parent: int
    """Index of the calling frame in the same trace, or -1."""
    args: Wire | None
    """A wire dict of the arguments at entry that are data, or None where more than may be told was told already."""
    result: Wire | None
    raised: str | None
    """Name of the exception type that left the frame."""
    has_result: bool = False
    """Whether ``result`` is the wire form of what was returned (null stands for None too)."""
    objects: tuple[ObjectSeen, ...] = ()
    """The other arguments."""


@dataclass(frozen=True, slots=True)
class Watched:
    """The one function whose calls a trace tells of."""

    file: str
    """As in :class:`Frame`."""
    line: int
    reads: tuple[str, ...] | None = None
    """Names of attributes: arguments are told as recipes, with those attributes of the objects in them; None: what
    is no data is told as :class:`ObjectSeen`."""


@dataclass(frozen=True, slots=True)
class Traced:
    """An outcome with what ran for it."""

    outcome: Outcome
    import_lines: dict[str, frozenset[int]]
    """Lines that ran while the modules were imported, by file as in :class:`Frame`; a dependency's files are told
    too, relative to its own folder."""
    lines: dict[str, frozenset[int]]
    """Lines that ran during the call, by file."""
    line_events: int
    """How many line events the call gave: a measure of cost that does not depend on the machine."""
    frames: tuple[Frame, ...]


@dataclass(frozen=True, slots=True)
class ScriptFailure:
    """How a script failed: identity is the exception's type and the innermost frame inside the tree."""

    type: str
    """Qualified type, ``AssertionError`` or ``orders.errors.PageError``."""
    message: str
    origin_file: str
    """File of the raising frame, relative to the tree, or the reproducer's own name."""
    origin_function: str
    during_import: bool
    """Whether the exception left an import of the package, before any of its functions was asked to do anything."""


@dataclass(frozen=True, slots=True)
class ScriptRun:
    """One run of a reproducer script on a tree."""

    verdict: str
    """``pass``, ``fail``, ``hung`` or ``died``."""
    failure: ScriptFailure | None = None
    imported: tuple[str, ...] = ()
    """Dotted names of the tree's modules that were loaded when the script ended."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one box; seconds, bytes, counts (task.json ``environment.limits`` and GRADER.md)."""

    import_s: float = 5.0
    call_s: float = 2.0
    call_cpu_s: float | None = None
    """CPU budget of one call for our own programs (a tenth of a second); None: only the deadline counts."""
    run_s: float = 30.0
    cpu_s: int = 32
    memory_bytes: int = 1 << 30
    processes: int = 0
    """0: fork is denied; else the most processes and threads."""
    file_bytes: int = 16 << 20
    tmp_bytes: int = 64 << 20
    output_bytes: int = 64 << 20
    reply_bytes: int = 4 << 20


@dataclass(frozen=True, slots=True)
class Perturbation:
    """What is varied between repeats; never anything that a right program may depend on."""

    hash_seed: int = 0
    tz: str = "UTC"
    locale: str = "C.UTF-8"
    order: int = 0
    """Seed of the order of the requests; 0 keeps it."""


@dataclass(frozen=True, slots=True)
class How:
    """How to run: limits, interpreter, what is bound, and how much is shared between requests."""

    limits: Limits = Limits()
    python: str = ""
    """Version such as ``3.12``; empty: the tool's own interpreter."""
    dependencies: tuple[Path, ...] = ()
    """Folders of unpacked pinned dependencies, bound read-only and put on ``sys.path`` after the tree."""
    fresh: bool = False
    """A fresh box (candidates from outside) instead of the warm server (our own programs)."""
    planted: bool = False
    """Whether files that look like answers lie beside a program in a fresh box, to see who opens them."""
    fork_per_request: bool = False
    """A process for each request, for subjects whose state leaks between calls."""
    believes_hangs: bool = False
    """Whether a call that hangs is believed at once; else it must hang twice, since a stalled machine does it too."""
    perturbation: Perturbation = field(default_factory=Perturbation)


class Runner(Protocol):
    """The one door to untrusted code."""

    def observe(self, subject: Subject, requests: Sequence[Request], how: How) -> list[Outcome]:
        """Run the requests and return one outcome each, in order."""

    def first_unlike(
        self,
        subject: Subject,
        requests: Sequence[Request],
        how: How,
        is_like: Callable[[int, Outcome], bool],
    ) -> tuple[int, Outcome] | None:
        """Run the requests in order up to the first whose outcome, by its position, is not what it should be like.

        Return the position and the outcome; None where all are.
        """

    def trace(
        self,
        subject: Subject,
        requests: Sequence[Request],
        how: How,
        watched: Watched | None = None,
        *,
        with_frames: bool = False,
    ) -> list[Traced]:
        """The same, with lines and line events; with frames also their encodable arguments and results, at a price.

        ``watched``: tell of that function's calls only, and of no lines.
        """

    def draw(
        self, domain: str, scenario: str, n: int, seed: int, how: How, constants: Wire = None
    ) -> list[Wire]:
        """Draw at most ``n`` distinct parameter dicts from a domain's strategy of that name, in the generator box."""

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
        """Return at most ``n`` distinct parameter dicts near ``values``, crossed with each other and the domain."""

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
        """Return the simplest parameters of a domain that are wanted, or None where none was found."""

    def script(self, tree: Path, reproducer: str, how: How) -> ScriptRun:
        """Run a reproducer's text as ``__main__`` with the tree on ``sys.path`` (capture only)."""
