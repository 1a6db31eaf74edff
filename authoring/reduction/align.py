"""Align one to three sources into a merged program.

Definitions are matched first, then the lines inside matched ones, by a longest common subsequence weighted by AST
nodes: a shared ``else:`` never costs a shared call.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from authoring.model.variants import VersionName
from authoring.reduction.lines import defined_name, frame, indent_of, kind_of, logical_lines, node_count
from authoring.reduction.merged import MergedLine, MergedProgram, ordered, single

T = TypeVar("T")

__all__ = ["merge", "merge_lines", "merge_text", "realign"]

_CONTINUES = frozenset(("elif", "else", "except", "finally", "case"))


@dataclass(frozen=True, slots=True)
class _Chunk:
    """A statement at one level with all that belongs to it."""

    key: str
    lines: tuple[MergedLine, ...]


def merge(sources: Mapping[VersionName, str]) -> MergedProgram:
    """Merge flat sources by logical lines; blank lines are dropped. SyntaxError or TokenError on what is not Python."""
    return merge_lines({version: logical_lines(text) for version, text in sources.items()})


def merge_text(sources: Mapping[VersionName, str]) -> MergedProgram:
    """Merge sources by physical lines, blank ones kept, so that every projection gives the source back."""
    return merge_lines({version: text.removesuffix("\n").split("\n") for version, text in sources.items()})


def realign(program: MergedProgram) -> MergedProgram:
    """Align the versions of a program anew, so that lines that became equal are one line again."""
    return merge_lines({version: program.texts(version) for version in program.versions})


def merge_lines(texts: Mapping[VersionName, Sequence[str]]) -> MergedProgram:
    """Merge versions given as lines."""
    versions = ordered(texts)
    lines: list[MergedLine] = []
    for number, version in enumerate(reversed(versions)):
        own = single(texts[version], version)
        lines = _align(own, lines, 0) if number else own
    return MergedProgram(tuple(lines), versions)


def _align(left: Sequence[MergedLine], right: Sequence[MergedLine], indent: int) -> list[MergedLine]:
    head, tail = _common_ends(left, right)
    out = [_joined(a, b) for a, b in zip(left[:head], right[:head], strict=True)]
    out += _align_middle(left[head : len(left) - tail], right[head : len(right) - tail], indent)
    out += [_joined(a, b) for a, b in zip(left[len(left) - tail :], right[len(right) - tail :], strict=True)]
    return out


def _common_ends(left: Sequence[MergedLine], right: Sequence[MergedLine]) -> tuple[int, int]:
    limit = min(len(left), len(right))
    head = 0
    while head < limit and left[head].text == right[head].text:
        head += 1
    tail = 0
    while tail < limit - head and left[-1 - tail].text == right[-1 - tail].text:
        tail += 1
    return head, tail


def _align_middle(left: Sequence[MergedLine], right: Sequence[MergedLine], indent: int) -> list[MergedLine]:
    if not left or not right:
        return [*left, *right]
    ours, theirs = _chunks(left, indent), _chunks(right, indent)
    if max(len(ours), len(theirs)) > 1 and any(_is_definition(chunk) for chunk in (*ours, *theirs)):
        return _align_chunks(ours, theirs, indent)
    if len(ours) == len(theirs) == 1 and ours[0].key == theirs[0].key and ours[0].key.startswith("class "):
        return _align_bodies(ours[0], theirs[0], indent)
    pairs = _heaviest(left, right, lambda a, b: 2 + 2 * _weight(a.text) if a.text == b.text else 0)
    return _zipped(left, right, pairs, lambda a, b: [_joined(a, b)])


def _align_chunks(ours: Sequence[_Chunk], theirs: Sequence[_Chunk], indent: int) -> list[MergedLine]:
    out: list[MergedLine] = []
    i = j = 0
    for a, b in _heaviest(ours, theirs, _likeness):
        out += _flat(ours[i:a]) + _flat(theirs[j:b]) + _align(ours[a].lines, theirs[b].lines, indent)
        i, j = a + 1, b + 1
    return out + _flat(ours[i:]) + _flat(theirs[j:])


def _flat(chunks: Sequence[_Chunk]) -> list[MergedLine]:
    return [line for chunk in chunks for line in chunk.lines]


def _align_bodies(ours: _Chunk, theirs: _Chunk, indent: int) -> list[MergedLine]:
    """Align two classes of one name: headers by line, members as definitions one level deeper."""
    a, b = _header_stop(ours.lines, indent), _header_stop(theirs.lines, indent)
    pairs = _heaviest(ours.lines[:a], theirs.lines[:b], lambda x, y: 1 if x.text == y.text else 0)
    headers = _zipped(ours.lines[:a], theirs.lines[:b], pairs, lambda x, y: [_joined(x, y)])
    inner = next(
        (indent_of(line.text) for line in (*ours.lines[a:], *theirs.lines[b:]) if line.text), indent + 4
    )
    return headers + _align(ours.lines[a:], theirs.lines[b:], max(inner, indent + 1))


def _header_stop(lines: Sequence[MergedLine], indent: int) -> int:
    return next(
        (n for n, line in enumerate(lines) if line.text and indent_of(line.text) > indent), len(lines)
    )


def _chunks(lines: Sequence[MergedLine], indent: int) -> list[_Chunk]:
    """Cut lines into statements of this level; decorators open the definition that they stand on."""
    groups: list[list[MergedLine]] = []
    after_decorator = False
    for line in lines:
        starts = (
            bool(line.text.strip())
            and indent_of(line.text) <= indent
            and kind_of(line.text) not in _CONTINUES
        )
        starts = starts and line.text.strip()[0] not in ")]}"
        if not groups or (starts and not after_decorator):
            groups.append([line])
        else:
            groups[-1].append(line)
        if line.text.strip():
            after_decorator = kind_of(line.text) == "decorator" and indent_of(line.text) <= indent
    return _united([_Chunk(_key(group, indent), tuple(group)) for group in groups])


def _united(chunks: Sequence[_Chunk]) -> list[_Chunk]:
    """Join neighbours of one key that no version holds both of: two renderings of one definition."""
    out: list[_Chunk] = []
    for chunk in chunks:
        if (
            out
            and out[-1].key == chunk.key
            and not _holders(out[-1]) & _holders(chunk)
            and _is_definition(chunk)
        ):
            out[-1] = _Chunk(chunk.key, out[-1].lines + chunk.lines)
        else:
            out.append(chunk)
    return out


def _holders(chunk: _Chunk) -> set[VersionName]:
    """Return the versions that hold the chunk's header."""
    header = next(line for line in chunk.lines if line.text.strip())
    return set(header.versions)


def _key(group: Sequence[MergedLine], indent: int) -> str:
    for line in group:
        kind = kind_of(line.text)
        if kind in ("def", "class"):
            return f"{kind} {defined_name(line.text)}"
        if kind != "decorator" and line.text.strip():
            return line.text.split(" = ")[0] if indent == 0 and kind == "simple" else line.text
    return group[0].text


def _is_definition(chunk: _Chunk) -> bool:
    return chunk.key.startswith(("def ", "class "))


def _likeness(a: _Chunk, b: _Chunk) -> int:
    if a.key != b.key and not (_is_definition(a) and _is_definition(b)):
        return 0
    shared = Counter(line.text for line in a.lines) & Counter(line.text for line in b.lines)
    likeness = sum(times * (1 + _weight(text)) for text, times in shared.items())
    if a.key != b.key:  # renamed, perhaps: worth a match only where most of it is the same
        larger = max(sum(1 + _weight(line.text) for line in chunk.lines) for chunk in (a, b))
        return likeness if 2 * likeness > larger else 0
    return 2 + 2 * likeness


def _weight(text: str) -> int:
    if not text.strip():
        return 0
    try:
        return node_count(text)
    except SyntaxError:  # a physical line of a longer statement
        return len(frame(text).body) // 8


def _joined(a: MergedLine, b: MergedLine) -> MergedLine:
    return MergedLine(a.text, a.versions | b.versions)


def _zipped(
    left: Sequence[T], right: Sequence[T], pairs: Sequence[tuple[int, int]], join: Callable[[T, T], list[T]]
) -> list[T]:
    out: list[T] = []
    i = j = 0
    for a, b in pairs:
        out += [*left[i:a], *right[j:b], *join(left[a], right[b])]
        i, j = a + 1, b + 1
    return [*out, *left[i:], *right[j:]]


def _heaviest(left: Sequence[T], right: Sequence[T], weight: Callable[[T, T], int]) -> list[tuple[int, int]]:
    """Return index pairs of the common subsequence of most weight; ties keep the earliest match of the left side."""
    best = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    weights = [[weight(a, b) for b in right] for a in left]
    for i in range(len(left) - 1, -1, -1):
        row, below, gains = best[i], best[i + 1], weights[i]
        for j in range(len(right) - 1, -1, -1):
            taken = gains[j] + below[j + 1] if gains[j] else 0
            row[j] = max(taken, below[j], row[j + 1])
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if weights[i][j] and best[i][j] == weights[i][j] + best[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs
