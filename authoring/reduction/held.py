"""Say why the largest statements of a reduced program are left: which request their deletion would lose."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from authoring.model.execution import Request
from authoring.reduction.edits import Edit, applied
from authoring.reduction.lines import kind_of
from authoring.reduction.merged import MergedProgram
from authoring.reduction.oracle import Oracle
from authoring.reduction.view import Unit, View

__all__ = ["Held", "Left", "left_statements"]

_MOST = 12
"""Statements that are told, at most."""
_ASKED = 24
"""Statements whose deletion is run, at most."""


@dataclass(frozen=True, slots=True)
class Held:
    """A statement that a request holds."""

    code: str
    nodes: int
    is_kept: bool
    """Whether one of the requests that show the fault holds it."""
    request: Request


@dataclass(frozen=True, slots=True)
class Left:
    """What is left, as far as was looked."""

    held: tuple[Held, ...] = ()
    """The largest statements that requests hold, none inside one that only inputs without a fault hold."""
    counts: tuple[tuple[str, int], ...] = ()
    """How many statements are left for which reason: ``check``, ``input``, a kind of screening, or ``untried``."""


def left_statements(
    oracle: Oracle, program: MergedProgram, exports: frozenset[str], kept: frozenset[int]
) -> Left:
    """Return why statements are left, the largest first; ``kept`` are the numbers of the requests that show the fault.

    A definition is left for what calls it: only what stands in definitions, or beside them, is looked at. ``oracle``
    has admitted the program. What is asked here is no trial: nothing is decided by it.
    """
    view = View(program, exports)
    others = sorted(set(range(len(oracle.requests))) - kept)
    held: list[Held] = []
    counts: Counter[str] = Counter()
    seen: set[int] = set()
    asked = 0
    for unit, edit, candidate in _deletions(view):
        if asked == _ASKED or len(held) == _MOST:
            break
        if unit.line in seen:
            continue
        kind = min(
            filter(None, (oracle.screen(candidate, version) for version in candidate.versions)), default=""
        )
        if kind:
            counts[kind] += 1
            continue
        asked += 1
        found = oracle.refusing(candidate, sorted(kept))
        is_kept = found is not None
        if found is None:
            seen.update(change.line for change in edit.changes)
            found = oracle.refusing(candidate, others)
        if found is None:
            counts["untried"] += 1
            continue
        counts["check" if is_kept else "input"] += 1
        code = program.lines[unit.line].text.strip().splitlines()[0]
        nodes = program.nodes() - candidate.nodes()
        held.append(Held(code, nodes, is_kept, oracle.requests[found]))
    return Left(tuple(held), tuple(sorted(counts.items())))


def _deletions(view: View) -> Iterator[tuple[Unit, Edit, MergedProgram]]:
    """Yield every statement but definitions with its deletion and what that leaves, the largest first."""
    edits = []
    for unit in view.units:
        if kind_of(view.program.lines[unit.line].text) in ("def", "class", "decorator"):
            continue
        lines = view.extent(unit)
        edits.append((unit, Edit(view.cuts(lines), view.gain(lines))))
    for unit, edit in sorted(edits, key=lambda each: (-each[1].gain, each[0].line)):
        candidate = applied(view.program, edit)
        if candidate is not None and candidate.nodes() < view.program.nodes():
            yield unit, edit, candidate
