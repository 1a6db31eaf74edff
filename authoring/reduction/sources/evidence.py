"""Which lines of a version ran."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from authoring.model.execution import Traced

__all__ = ["Executed", "executed"]


@dataclass(frozen=True, slots=True)
class Executed:
    """Lines that ran, by file relative to the tree (or to the dependency that holds it), with forward slashes."""

    at_import: Mapping[str, frozenset[int]] = field(default_factory=dict)
    in_calls: Mapping[str, frozenset[int]] = field(default_factory=dict)

    def files(self) -> list[str]:
        """Return the files of which a line ran, sorted."""
        return sorted({*self.at_import, *self.in_calls})

    def of(self, file: str) -> tuple[frozenset[int] | None, frozenset[int]]:
        """Return the file's lines that ran at import, and in calls; None for the first where nothing was recorded."""
        in_calls = self.in_calls.get(file, frozenset())
        at_import = self.at_import.get(file)
        return (frozenset() if at_import is None and in_calls else at_import), in_calls


def executed(traces: Iterable[Traced]) -> Executed:
    """Return the union of what several traces of one version saw."""
    at_import: dict[str, frozenset[int]] = {}
    in_calls: dict[str, frozenset[int]] = {}
    for trace in traces:
        for total, lines in ((at_import, trace.import_lines), (in_calls, trace.lines)):
            for file, numbers in lines.items():
                total[file] = total.get(file, frozenset()) | numbers
    return Executed(at_import, in_calls)
