"""Rules drafted from what tells the inputs on which broken is wrong from those on which it is right."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from authoring.contract.sentences import Sentence, sentence
from authoring.contract.telling.example import Example, kind_of, parameters_of
from authoring.contract.telling.learn import Described, describe
from authoring.contract.telling.neighbouring import near_words
from authoring.contract.telling.numerals import numerals
from authoring.contract.telling.outcome import GENERIC, right_words, wrong_words
from authoring.contract.telling.outcomes_now import outcomes_now
from authoring.contract.telling.single_values import single_values
from authoring.contract.telling.text_shapes import text_shapes
from authoring.contract.telling.trait import Trait
from authoring.contract.telling.two_values import two_values
from authoring.contract.trial import Table
from authoring.contract.work import Work
from authoring.model.execution import Hung, Observed, Outcome
from authoring.model.observation import Observation
from authoring.scenario.domain import ChangedCode
from authoring.scenario.inputs import Input

__all__ = ["ToldRules", "told_rules"]

_FAULTS_CAP, _OTHERS_CAP = 400, 600
_RULES_MOST = 4
_MOST = 0.8
_COST = (
    "A call ends within the line events that its check allows, where the broken one takes many times as many"
)


@dataclass(frozen=True, slots=True)
class ToldRules:
    """What was learned of the inputs on which broken is wrong."""

    sentences: tuple[Sentence, ...]
    """What is exact first, then the class of most faults; each knows the inputs that it speaks of."""
    is_exact: bool
    """Whether one description holds every fault and nothing else, and says what is right there."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Inputs of one scenario on which the reference ends in the same way and broken is wrong."""

    scenario: str
    kind: str
    examples: Sequence[Example]
    """All of the scenario, faults that end otherwise included."""
    wanted: int
    others: int


@dataclass(slots=True)
class _Class:
    """A class of faults with what is said of it."""

    group: _Group
    described: Described | None
    """None: what no description holds."""
    told: int
    keys: set[str] = field(default_factory=set)

    @property
    def faults(self) -> list[Example]:
        """The faults that the class tells."""
        return [one for at, one in enumerate(self.group.examples) if self.told >> at & 1]


def told_rules(work: Work, table: Table) -> ToldRules:
    """Return a sentence for each class of inputs on which broken is wrong, in terms of what the inputs are like."""
    scenarios = sorted({one.scenario for one in table.inputs if one.line_events is None})
    classes: list[_Class] = []
    for scenario in scenarios:
        examples = _examples(work, table, scenario)
        traits = _traits(examples, work.code)
        for group in _groups(scenario, examples):
            classes += _classes(group, traits)
    classes = _fewer(classes)
    written = [_sentence(work, one, len(scenarios) > 1) for one in classes]
    bounded = frozenset(
        one.key for one in table.inputs if one.line_events is not None and one.key in table.faults
    )
    cost = [sentence(_COST).told_of(bounded)] if bounded else []
    is_exact = (
        len(classes) == 1 and not bounded and _is_exact(classes[0]) and "public checks" not in written[0].text
    )
    return ToldRules((*written, *cost), is_exact)


def _is_exact(one: _Class) -> bool:
    return one.described is not None and not one.described.others


def _examples(work: Work, table: Table, scenario: str) -> list[Example]:
    known = table.known
    inputs = [
        one
        for one in table.inputs
        if one.scenario == scenario and one.line_events is None and one.key in known
    ]
    faults = _some([one for one in inputs if one.key in table.faults], _FAULTS_CAP)
    others = _some([one for one in inputs if one.key not in table.faults], _OTHERS_CAP)
    seen = work.bench.outcomes(work.broken, faults)
    made = [
        Example(one, parameters_of(one), table.expected[one.key], _observed(outcome), True)
        for one, outcome in zip(faults, seen, strict=True)
    ]
    return made + [
        Example(one, parameters_of(one), table.expected[one.key], table.expected[one.key], False)
        for one in others
    ]


def _some(inputs: Sequence[Input], cap: int) -> list[Input]:
    """Return at most ``cap`` inputs, from everywhere in the list."""
    step = -(-len(inputs) // cap) or 1
    return list(inputs[::step])


def _observed(outcome: Outcome) -> tuple[Observation, ...] | None:
    if isinstance(outcome, Hung):
        return None
    return outcome.observations if isinstance(outcome, Observed) else ()


def _traits(examples: Sequence[Example], code: ChangedCode) -> list[Trait]:
    return [
        *single_values(examples, code),
        *text_shapes(examples),
        *two_values(examples),
        *numerals(examples, code),
        *outcomes_now(examples),
    ]


def _groups(scenario: str, examples: Sequence[Example]) -> Iterator[_Group]:
    others = sum(1 << at for at, one in enumerate(examples) if not one.is_fault)
    wanted: dict[str, int] = {}
    for at, one in enumerate(examples):
        if one.is_fault:
            kind = kind_of(one.wanted)
            wanted[kind] = wanted.get(kind, 0) | 1 << at
    for kind, members in sorted(wanted.items()):
        yield _Group(scenario, kind, examples, members, others)


def _classes(group: _Group, traits: Sequence[Trait]) -> Iterator[_Class]:
    found = describe(group.wanted, group.others, traits)
    left = group.wanted
    for one in found:
        left &= ~one.told
        yield _keyed(_Class(group, one, one.told))
    if left:
        yield _keyed(_Class(group, None, left))


def _keyed(one: _Class) -> _Class:
    one.keys.update(example.input.key for example in one.faults)
    return one


def _fewer(classes: Sequence[_Class]) -> list[_Class]:
    """Return exact classes, then those of most faults, then what nothing describes; the least are put with the last."""
    described = [one for one in classes if one.described is not None]
    ranked = sorted(described, key=lambda one: (not _is_exact(one), -one.told.bit_count()))
    rest: dict[tuple[str, str], _Class] = {}
    for one in (*(one for one in classes if one.described is None), *ranked[_RULES_MOST:]):
        place = one.group.scenario, one.group.kind
        if place in rest:
            rest[place].told |= one.told
            rest[place].keys |= one.keys
        else:
            rest[place] = _Class(one.group, None, one.told, one.keys)
    return [*ranked[:_RULES_MOST], *rest.values()]


def _sentence(work: Work, one: _Class, is_named: bool) -> Sentence:
    faults = one.faults

    def ask(inputs: Sequence[Input]) -> Mapping[str, Sequence[Observation]]:
        seen = work.bench.expected(work.reference, inputs, work.raises)
        asked = [one for one in inputs if one.key in seen]
        pairs = zip(asked, work.bench.outcomes(work.broken, asked), strict=True)
        return {
            one.key: seen[one.key] for one, now in pairs if not work.bench.is_wrong(one, now, seen[one.key])
        }

    right = right_words(faults, lambda: near_words(faults, ask))
    where = _where(one, right, wrong_words(faults))
    text = f"In {one.group.scenario}, {where}" if is_named else where[0].upper() + where[1:]
    return sentence(text).told_of(frozenset(one.keys))


def _where(one: _Class, right: str, wrong: str) -> str:
    """Return what is said of a class: a whole sentence, which begins with a small letter."""
    shown = "the public checks of this rule show what is right"
    described = one.described
    if described is None:
        must = shown if right == GENERIC else f"there the program {right}"
        return (
            f"on inputs of which no short description was found, such as those of this rule's public checks, "
            f"the broken one {wrong}; {must}"
        )
    if described.others:
        many = _many(described)
        must = shown if right == GENERIC else f"there the program {right}"
        return f"on {many} inputs where {described.words}, the broken one {wrong}; {must}"
    words = described.words + _hinted(described)
    if right == GENERIC:
        return f"where {words}, the broken one {wrong}; {shown}"
    now = "" if any(trait.is_of_outcome for trait in described.traits) else f", where the broken one {wrong}"
    return f"where {words}, the program {right}{now}"


def _many(described: Described) -> str:
    return "all" if not described.others else "most" if described.share >= _MOST else "some"


def _hinted(described: Described) -> str:
    hint = described.hint
    return "" if hint is None else f" (as on {_many(hint)} inputs where {hint.words})"
