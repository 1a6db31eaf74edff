"""The words of a contract: from its author, else from the incident, else from what tells the versions
apart.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from authoring.contract.describe import domain_words, outcome_words, params_words
from authoring.contract.material import Material
from authoring.contract.sentences import (
    Sentence,
    kept_sentence,
    relation_rule,
    sentence,
    sentences_of,
    slug_of,
    whole_slug,
)
from authoring.contract.telling import ToldRules
from authoring.model.observation import Observation
from authoring.model.wire import encode
from authoring.scenario.domain import allowed_in, cuts_of
from authoring.scenario.inputs import Input

_OTHERS = " Inputs on which another fault of the program shows are left out."

_CALLS = (
    "Where a scenario passes its `calls` to `seen`, it is compared too how the program calls the functions that it is "
    "handed"
)

__all__ = ["domain_of", "drafted_rules", "mechanism_of", "returns_of", "symptom_of"]

_COST = (
    "A check that names a `cost` bounds what its call may take: at most so many line events (`sys.settrace` tells of "
    "them) of all Python code that runs in it, many times what a right program needs"
)


def drafted_rules(material: Material, tell: Callable[[], ToldRules]) -> list[Sentence]:
    """Return the sentences of the rules, the boundary first, and at least one about what stays.

    They are the author's own, else the incident's, else what ``tell`` learned from the inputs. What one exact
    description tells is added to the incident's first sentence.
    """
    if material.author is not None and material.author.rules:
        relations = {
            relation_rule(spec.id) for spec in material.author.scenarios if spec.relation_of is not None
        }
        texts = [rule.text for rule in material.author.rules if rule.id not in relations]
        if texts:
            return [sentence(text) for text in texts]
    written = sentences_of(material.incident.rule) if material.beside is None else []
    told = tell()
    if not written:
        return [*told.sentences, kept_sentence()]
    if told.is_exact:
        written[0] = replace(written[0], text=f"{written[0].text} {told.sentences[0].text}")
    if not any(one.is_about_keeping for one in written[1:]):
        written.append(kept_sentence())
    return written


def symptom_of(material: Material, fault: Input, wrong: Sequence[Observation] | None) -> str:
    """Return what was seen."""
    if material.author is not None:
        return material.author.symptom
    if material.incident.symptom and material.beside is None:
        return material.incident.symptom
    now = _late(fault, "never returns") if wrong is None else outcome_words(wrong)
    return f"{fault.scenario}({params_words(fault.params)}) {now}."


def _late(fault: Input, otherwise: str) -> str:
    return otherwise if fault.line_events is None else f"takes more than {fault.line_events} line events"


def returns_of(material: Material) -> str:
    """Return what a right program gives back, in words."""
    if material.author is not None:
        return material.author.returns
    equal = "what each scenario passes to `seen`, equal in value and type to what the rules ask for"
    has_calls = any(check.has_calls for check in material.capture.checks)
    return ". ".join([equal, *([_CALLS] if has_calls else []), *([_COST] if material.bounded else [])])


def domain_of(material: Material) -> str:
    """Return where inputs come from, in words."""
    if material.author is not None:
        return material.author.domain
    seen: dict[str, list[object]] = {}
    for check in material.capture.checks:
        if check.scenario:
            seen.setdefault(check.scenario, []).append(check.params)
    for scenario, name, value in allowed_in(material.domain):
        if scenario in seen:
            seen[scenario].append(encode({name: value}))
    return domain_words(seen) + _cut_off(material.domain) + (_OTHERS if material.beside is not None else "")


def _cut_off(domain: str) -> str:
    """Return what the domain's author took out of it, a sentence each, without what that saved."""
    return "".join(f" {sentence.partition(' (saves ')[0].rstrip('.')}." for sentence in cuts_of(domain))


def mechanism_of(material: Material) -> str:
    """Return the slug of the way to fail: the incident's own, else from its category, else from its rule."""
    incident = material.incident
    if material.author is not None:
        return material.author.mechanism
    if incident.mechanism:
        return whole_slug(incident.mechanism) or incident.id
    return whole_slug(incident.category) or slug_of(incident.rule or incident.symptom, incident.id)
