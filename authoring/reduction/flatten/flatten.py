"""Turn each version's package tree into one self-contained module, with the same decisions in all versions."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from authoring.model.capture import Binding
from authoring.model.errors import RefusedError
from authoring.reduction.flatten.answers import Answer, Unfaithful, missing_name
from authoring.reduction.flatten.grow import Growth
from authoring.reduction.flatten.needs import Policy
from authoring.reduction.flatten.program import FlatProgram, assemble, meaning_of
from authoring.reduction.flatten.resolve import Defined, ModuleObject
from authoring.reduction.flatten.version import Version, Versions
from authoring.reduction.sources.evidence import Executed

__all__ = ["flatten_versions"]

Questions = Callable[[str, str], Answer]

_POLICIES = (
    Policy(),
    Policy(live=True),
    Policy(whole_modules=True),
    Policy(origins=True),
    Policy(whole_modules=True, members="data", effects="kept", origins=True),
    Policy(whole_modules=True, members="all", effects="kept", origins=True, dead=True, texts=True),
    Policy(whole_modules=True, members="all", effects="all", origins=True, dead=True, texts=True),
)
_MISSING_PER_POLICY = 25


def flatten_versions(
    trees: Mapping[str, Path],
    import_name: str,
    bindings: Sequence[Binding],
    evidence: Mapping[str, Executed],
    questions: Questions,
    dependencies: Sequence[Path] = (),
) -> dict[str, FlatProgram]:
    """Return a faithful flat program for each version.

    ``questions`` is asked with a version's name and a program's text whether it behaves like the package. What is kept
    grows by what an answer says is missing, then by policy, until every version's answer is :class:`Faithful`.

    Raises :class:`RefusedError` (RED001 to RED049) with the last answer's proof where no policy leads there.
    """
    versions = Versions(
        [Version(name, [tree, *dependencies], evidence.get(name, Executed())) for name, tree in trees.items()]
    )
    _check(versions, bindings)
    first = list(dict.fromkeys([import_name, *(binding.original.partition(":")[0] for binding in bindings)]))
    last: dict[str, Answer] = {}
    told: list[tuple[str, Unfaithful]] = []
    written: dict[object, str] = {}
    questions = _remembering(questions)
    missed: dict[tuple[str, str], None] = {}
    for policy in _POLICIES:
        if policy.live and not _is_module_bound(versions, bindings):
            continue
        growth = _start(versions, policy, bindings, first)
        growth.written = written
        for missing in missed:
            _add(growth, missing)
        programs = _answered(growth, bindings, questions, last, missed)
        if programs is not None:
            return programs
        told += [(name, found) for name, found in last.items() if isinstance(found, Unfaithful)]
    version, answer = told[0]  # what is kept least is least in the way of the reason
    raise RefusedError(
        "RED010",
        f"The package of version {version} could not be made one module that behaves the same: {answer.reason}.",
        "See what the proof reads of the package: a file, a module object, or code made at run time.",
        stage="reduce",
        proof=answer.proof,
    )


def _is_module_bound(versions: Versions, bindings: Sequence[Binding]) -> bool:
    """Tell whether scenarios are given a module as an object, which they may change."""
    return any(
        isinstance(meaning_of(version, binding)[0], ModuleObject)
        for version in versions.all
        for binding in bindings
    )


def _remembering(questions: Questions) -> Questions:
    """Ask about each text of a version once."""
    known: dict[tuple[str, str], Answer] = {}

    def ask(version: str, source: str) -> Answer:
        if (version, source) not in known:
            known[version, source] = questions(version, source)
        return known[version, source]

    return ask


def _check(versions: Versions, bindings: Sequence[Binding]) -> None:
    for version in versions.all:
        for binding in bindings:
            if meaning_of(version, binding)[0] is None:
                raise RefusedError(
                    "RED002",
                    f"{binding.original} is not found in the text of version {version.name}.",
                    "The name may be made at run time; choose a reproducer that uses one that the modules define.",
                    stage="reduce",
                    proof=binding.original,
                )


def _start(versions: Versions, policy: Policy, bindings: Sequence[Binding], first: Sequence[str]) -> Growth:
    growth = Growth(versions, policy, first)
    names: list[Defined] = []
    for version in versions.all:
        for binding in bindings:
            meaning, rest = meaning_of(version, binding)
            growth.kept.attributes.update(part for part in rest.split(".") if part)
            if isinstance(meaning, Defined):
                names.append(meaning)
            elif isinstance(meaning, ModuleObject):
                growth.kept.modules.add(meaning.module)
    growth.add(names)
    growth.add_executed()
    return growth


def _answered(
    growth: Growth,
    bindings: Sequence[Binding],
    questions: Questions,
    last: dict[str, Answer],
    missed: dict[tuple[str, str], None],
) -> dict[str, FlatProgram] | None:
    """Ask, add what is missing, and ask again; None where the answers name nothing that can be added."""
    for _ in range(_MISSING_PER_POLICY):
        growth.add_light()
        programs = assemble(growth, bindings)
        answers = {name: questions(name, program.source) for name, program in programs.items()}
        last.clear()
        last.update(answers)
        wrong = [answer for answer in answers.values() if isinstance(answer, Unfaithful)]
        if not wrong:
            return programs
        found = [_missing(programs, answer) for answer in wrong]
        added = [_add(growth, missing) for missing in found if missing is not None]
        missed.update((missing, None) for missing in found if missing is not None)
        if not any(added):
            return None
    return None


def _missing(programs: Mapping[str, FlatProgram], answer: Unfaithful) -> tuple[str, str] | None:
    """Return what an answer says is missing, under its name in the package."""
    missing = missing_name(answer)
    if missing is None or missing[0] != "name":
        return missing
    flat = {value: key for program in programs.values() for key, value in program.names.items()}
    return "name", flat.get(missing[1], f":{missing[1]}").rpartition(":")[2]


def _add(growth: Growth, missing: tuple[str, str]) -> bool:
    """Keep what is missing; tell whether there was anything to keep."""
    kind, name = missing
    if kind == "module":
        return _is_new_absence(growth, name) or growth.widen_loading()
    if kind == "body":
        return growth.wake(name)
    if kind == "attribute":
        return growth.add_member(name) or _add_names(growth, name)
    return _add_names(growth, name) or growth.add_member(name)


def _is_new_absence(growth: Growth, name: str) -> bool:
    """Note that a foreign module is not there, so that dead code which names it goes; tell whether that is new."""
    top = name.partition(".")[0]
    if top in growth.absent or any(version.index.is_module(top) for version in growth.versions.all):
        return False
    growth.absent.add(top)
    return True


def _add_names(growth: Growth, name: str) -> bool:
    """Keep the definitions of that name in the modules that were read; tell whether there were new ones."""
    found = [
        Defined(module.name, name)
        for version in growth.versions.all
        for module in version.index.read()
        if name in module.bindings and Defined(module.name, name) not in growth.kept.names
    ]
    growth.add(found)
    return bool(found)
