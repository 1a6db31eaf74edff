"""The audit before a public commit: nothing hidden may be in the public tree, nor in any object behind it."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from keyword import iskeyword
from typing import Any

from authoring.model.digest import canonical
from authoring.model.errors import RefusedError
from authoring.model.task import Check
from authoring.model.wire import WireError, decode
from authoring.variants.material import VariantTask

__all__ = ["CHECKS", "FACES", "Leak", "Secrets", "find_leaks", "refuse_leaks", "secrets_of"]

FACES = ("program.py", "prompt.md", "hard_negative.py")
"""Files by which a task's program is known: a hidden variant's must not be rendered in public."""
CHECKS = "checks.json"
"""The file of a task's public checks."""

_TRIVIAL_LINE = 8
_TELLING = 24
"""Length of a canonical value that tells something in a file of the same contract."""

_TELLING_ELSEWHERE = 64
"""The same elsewhere, where short values are equal by chance."""

_WORD = re.compile(r"[A-Za-z0-9_]+")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Leak:
    """Something hidden at a public place; says where, and never what."""

    place: str
    """A path, or ``object <id>``."""
    kind: str
    """What it repeats, in words."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """What must not be public, prepared for searching."""

    reference_lines: dict[str, str]
    """Task by line that only its reference has, normalised."""
    renderings: dict[str, tuple[str, frozenset[str]]]
    """By name of a hidden file: its normalised text, and the lines that set it apart from all public variants."""
    values: dict[bytes, str]
    """Check by canonical form of what it is given or expects."""
    spellings: tuple[tuple[str, str], ...]
    """Ways to write these values in text without blanks, each with its check."""
    inputs: dict[tuple[str, bytes], str]
    """Check by scenario and canonical form of its parameters, within one contract."""


def secrets_of(tasks: Sequence[VariantTask], known: str = "", siblings: Sequence[str] = ()) -> Secrets:
    """Return what the variants of one contract must not show in public.

    What a hidden variant shows its candidates and a public one shows too is no secret, nor is what a public check
    says that its arguments become, nor a line of ``known``: text of the tool's own that is the same in every task.
    ``siblings`` are texts that the public tasks of the incident's other contracts show: of the same program, so
    that what a hidden variant shares with them is no secret either, nor is what their checks expect, which other
    inputs may give too. An input stays a secret, and so does a line of a reference, unless the task's own program
    shows the line too under other names: variants are renamed each in its own way, so that the same line of the
    program can be spelt like a repaired one elsewhere.
    """
    everywhere = _lines(known)
    elsewhere = frozenset().union(*map(_lines, siblings))
    faces = [task for task in tasks if task.spec.tier == "public"] or [tasks[0]]
    common = everywhere.union(
        *(_lines(text) for task in faces for text in (*_texts(task).values(), task.reference)),
        elsewhere,
    )
    shown_texts = {_squeezed(text) for task in faces for text in _texts(task).values()}
    renderings = {
        f"{task.id}/{name}": (_squeezed(text), _lines(text) - common)
        for task in tasks
        if task.spec.tier == "hidden"
        for name, text in {**_texts(task), "reference.py": task.reference}.items()
        if text.strip() and _squeezed(text) not in shown_texts
    }
    lines: dict[str, str] = {}
    for task in tasks:
        if task.spec.tier == "public":
            told = everywhere | _lines(task.program) | _lines(task.hard_negative) | _lines(task.scenarios)
            renamed = frozenset().union(*(_renamed(task.program, text) for text in siblings))
            lines |= dict.fromkeys(sorted(_lines(task.reference) - told - renamed), task.id)
    shown = [check for task in tasks if task.spec.tier == "public" for check in task.public.checks]
    public_values = {form for check in shown for form in (*_forms(check), *_changed_arguments(check))}
    public_values.update(form for text in siblings for form in _expected_in(text))
    public_inputs = {(check.scenario, canonical(check.params)) for check in shown}
    values: dict[bytes, str] = {}
    inputs: dict[tuple[str, bytes], str] = {}
    for task in tasks:
        for check in _hidden_checks(task):
            name = f"{task.id} {check.id}"
            place = check.scenario, canonical(check.params)
            if place not in public_inputs or check in task.hidden.checks:
                inputs[place] = name
            values |= {
                form: name for form in _forms(check) if len(form) >= _TELLING and form not in public_values
            }
    spellings = tuple((way, name) for form, name in values.items() for way in dict.fromkeys(_ways(form)))
    return Secrets(lines, renderings, values, spellings, inputs)


def _texts(task: VariantTask) -> dict[str, str]:
    return dict(zip(FACES, (task.program, task.prompt, task.hard_negative), strict=True))


def _hidden_checks(task: VariantTask) -> tuple[Check, ...]:
    return task.hidden.checks + (task.public.checks if task.spec.tier == "hidden" else ())


def _forms(check: Check) -> list[bytes]:
    return [canonical(check.params), canonical(list(check.expect))]


def _changed_arguments(check: Check) -> list[bytes]:
    """Return what a check expects of its arguments after the call: what an input becomes may be another one's input."""
    return [canonical(one["args_after"]) for one in check.expect if "args_after" in one]


def _expected_in(text: str) -> Iterator[bytes]:
    """Yield what the checks of a text expect, where it is a checks.json."""
    document = _json(text)
    for check in document.get("checks", ()) if isinstance(document, dict) else ():
        if isinstance(check, dict) and "expect" in check:
            yield _canonical(check["expect"])


def find_leaks(secrets: Secrets, contract: str, files: Mapping[str, bytes]) -> list[Leak]:
    """Return every leak in the files (by place), sorted; ``contract`` is the one that the secrets belong
    to."""
    return sorted(
        (
            Leak(place, kind)
            for place, data in files.items()
            for kind in _kinds(secrets, contract, place, data)
        ),
        key=lambda leak: (leak.place, leak.kind),
    )


def _kinds(secrets: Secrets, contract: str, place: str, data: bytes) -> Iterator[str]:
    text = data.decode("utf-8", "replace")
    lines = _lines(text)
    for line in sorted(lines & secrets.reference_lines.keys()):
        yield f"a line that only the reference of {secrets.reference_lines[line]} has"
    yield from _rendered(secrets, text, lines)
    least = _TELLING if place.startswith(f"tasks/{contract}/") else _TELLING_ELSEWHERE
    document = _json(text)
    if document is None:
        yield from _written_out(secrets, text, least)
        return
    for form in _parts(document, least):
        if form in secrets.values:
            yield f"the input or the expectation of hidden check {secrets.values[form]}"
    for scenario, params in _public_inputs(document, contract):
        if (scenario, params) in secrets.inputs:
            yield f"the input of hidden check {secrets.inputs[scenario, params]}"


def _rendered(secrets: Secrets, text: str, lines: frozenset[str]) -> Iterator[str]:
    squeezed = _squeezed(text)
    for name, (whole, telling) in secrets.renderings.items():
        found = len(telling & lines)
        if whole == squeezed or (len(telling) >= 2 and found >= max(2, (len(telling) + 1) // 2)):
            yield f"a rendering of the hidden file {name}"


def _written_out(secrets: Secrets, text: str, least: int) -> Iterator[str]:
    """Find values in text that is no JSON: as data without blanks, or as Python writes them."""
    dense = "".join(text.split())
    found = {name for way, name in secrets.spellings if len(way) >= least and way in dense}
    for name in sorted(found):
        yield f"the input or the expectation of hidden check {name}"


def _ways(form: bytes) -> list[str]:
    wire = json.loads(form)
    ways = ["".join(form.decode("utf-8").split()), "".join(json.dumps(wire).split())]
    try:
        literal = "".join(repr(decode(wire)).split())
    except (WireError, RecursionError):
        return ways
    return [*ways, literal]


def _json(text: str) -> Any:
    try:
        return json.loads(text) if text.lstrip()[:1] in ("{", "[") else None
    except (ValueError, RecursionError):
        return None


def _parts(value: Any, least: int) -> Iterator[bytes]:
    """Yield the canonical form of every part of a document that is long enough to tell something."""
    stack = [value]
    while stack:
        part = stack.pop()
        if isinstance(part, dict | list):
            form = _canonical(part)
            if len(form) >= least:
                yield form
                stack.extend(part.values() if isinstance(part, dict) else part)


def _canonical(value: Any) -> bytes:
    try:
        return canonical(value)
    except (ValueError, RecursionError):
        return b""


def _public_inputs(document: Any, contract: str) -> Iterator[tuple[str, bytes]]:
    if not isinstance(document, dict) or not str(document.get("task", "")).startswith(f"{contract}/"):
        return
    for check in document.get("checks", ()):
        if isinstance(check, dict) and "params" in check:
            yield str(check.get("scenario")), _canonical(check["params"])


def _lines(text: str) -> frozenset[str]:
    """Return the lines that say something, without indentation and doubled blanks."""
    return frozenset(
        line for line in _normalised(text) if len(line) >= _TRIVIAL_LINE and len(_WORD.findall(line)) >= 2
    )


def _normalised(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


def _renamed(own: str, other: str) -> frozenset[str]:
    """Return the lines of another text that are lines of the own one under other names.

    A name stands for another where it mostly does, and in more than one line: so no line is taken for one that was
    changed there.
    """
    ours, theirs = _normalised(own), _normalised(other)
    matcher = SequenceMatcher(None, [*map(_nameless, ours)], [*map(_nameless, theirs)], autojunk=False)
    pairs = [
        (ours[a + at], theirs[b + at]) for a, b, size in matcher.get_matching_blocks() for at in range(size)
    ]
    votes = Counter(vote for left, right in pairs for vote in _names_of_both(left, right))
    best: dict[str, str] = {}
    for (left, right), count in sorted(votes.items(), key=lambda vote: (vote[1], vote[0])):
        if left == right or count > 1:
            best[left] = right
    return frozenset(
        right
        for left, right in pairs
        if all(best.get(name) == other for name, other in _names_of_both(left, right))
    )


def _names_of_both(left: str, right: str) -> set[tuple[str, str]]:
    """Return the names that stand in the same place of two lines of one shape."""
    return set(zip(_NAME.findall(left), _NAME.findall(right), strict=True))


def _nameless(line: str) -> str:
    """Return a line with all names alike; words inside literals count as names."""
    return _NAME.sub(lambda found: found[0] if iskeyword(found[0]) else "_", line)


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _task_of(place: str) -> str:
    """Return the contract of the public task that a place belongs to, or nothing."""
    parts = place.split("/")
    return parts[1] if parts[0] == "tasks" and len(parts) > 2 else ""


def refuse_leaks(leaks: Sequence[Leak], contract: str = "") -> None:
    """Raise :class:`RefusedError` TSK003 where there are leaks; the message names places only.

    ``contract`` is the one that the secrets belong to: another one's task that shows them is of the same code, and no
    public file of this one can be mended.
    """
    if leaks:
        first = leaks[0]
        more = f" and {len(leaks) - 1} more" if len(leaks) > 1 else ""
        others = sorted({other for leak in leaks if (other := _task_of(leak.place)) not in ("", contract)})
        hint = "Mend the public files, or retire the contract; nothing was committed."
        if contract and others:
            hint = (
                f"The public task {others[0]} shows code that repairs this fault: keep {contract} in a workspace of "
                "its own, or retire one of them; nothing was committed."
            )
        raise RefusedError(
            "TSK003",
            f"{first.place} would publish {first.kind}{more}.",
            hint,
            stage="commit",
            proof="\n".join(f"{leak.place}: {leak.kind}" for leak in leaks[:20]),
        )
