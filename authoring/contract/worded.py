"""The words of a contract apart from what programs are asked by: an edit of words alone asks nothing anew.

What is found out about programs is drafted once under plain words, which stand for an author's in the form of marks;
the author's own are put on afterwards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from authoring.contract.material import Draft
from authoring.contract.prompt import prompt_template
from authoring.contract.sentences import relation_rule, sentence, slug_of, unique_slug
from authoring.model.contract import Contract, Rule
from authoring.model.task import Check

__all__ = ["Wording", "plain", "reworded", "terms_of", "wording"]

_WORDS = ("mechanism", "group", "category", "tier", "symptom", "returns", "domain")
"""What nothing but the contract, the prompt and the tasks' descriptions is made of."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What an author's words are to a draft under other words."""

    contract: Contract
    """The draft's contract under the author's words."""
    ids: Mapping[str, str]
    """By the id of a rule in the draft: its id under the author's words."""
    marks: Mapping[str, str]
    """By a mark: the author's text of the rule."""

    def of_checks(self, checks: Sequence[Check]) -> tuple[Check, ...]:
        """Return checks that name their rules by the author's ids."""
        return tuple(
            check.model_copy(update={"rules": tuple(self.ids.get(rule, rule) for rule in check.rules)})
            for check in checks
        )

    def of_contract(self, contract: Contract) -> Contract:
        """Return a contract, or one under a variant's names, with these words and rules."""
        words = {name: getattr(self.contract, name) for name in (*_WORDS, "rules")}
        return contract.model_copy(update=words)

    def of_text(self, text: str) -> str:
        """Return a text with the author's rules in place of marks."""
        return _told(text, self.marks)


def terms_of(contract: Contract) -> dict[str, Any]:
    """Return what of a contract programs are asked by, as JSON: no word of it.

    Of a rule it is what decides which inputs stand for it: whether it stands for a relation, speaks of a refusal, of
    what stays.
    """
    relations = _relation_rules(contract)
    return {
        "raises": list(contract.raises),
        "types": contract.types.model_dump(mode="json"),
        "rules": [
            [rule.id if rule.id in relations else "", about.is_about_refusal, about.is_about_keeping]
            for rule in contract.rules
            for about in (sentence(rule.text),)
        ],
        "scenarios": [
            [spec.id, spec.relation_of, spec.compare.model_dump(mode="json")]
            for spec in contract.scenarios
            if spec.level != "outer"
        ],
    }


def plain(author: Contract) -> Contract:
    """Return an author's contract without its words: contracts of the same terms give the same."""
    relations = _relation_rules(author)
    rules = tuple(
        Rule(id=rule.id if rule.id in relations else f"rule-{number}", text=_mark(number, rule.text))
        for number, rule in enumerate(author.rules, 1)
    )
    words = dict.fromkeys(_WORDS, "plain") | {"tier": "public+hidden"}
    return author.model_copy(update={**words, "rules": rules})


def _mark(number: int, text: str) -> str:
    """Return a sentence that stands for a rule's text: it is about the same."""
    about = sentence(text)
    refusal = " raises" if about.is_about_refusal else ""
    return f"⟦{number}⟧{refusal}{' stays' if about.is_about_keeping else ''}."


def _relation_rules(contract: Contract) -> frozenset[str]:
    return frozenset(relation_rule(spec.id) for spec in contract.scenarios if spec.relation_of is not None)


def wording(contract: Contract, author: Contract, *, is_plain: bool) -> Wording:
    """Return what an author's words are to a drafted contract of the same terms.

    ``is_plain``: it was drafted under :func:`plain` words, else under words of the incident.
    """
    marks: dict[str, str] = {}
    rules = list(author.rules)
    if is_plain:
        known = {_mark(number, rule.text): rule for number, rule in enumerate(author.rules, 1)}
        marks = {mark: rule.text for mark, rule in known.items()}
        rules = []
        for rule in contract.rules:
            rules.append(known.get(rule.text) or _joined(rule, contract, marks, [one.id for one in rules]))
    words = {name: getattr(author, name) for name in _WORDS}
    ids = {old.id: new.id for old, new in zip(contract.rules, rules, strict=True)}
    return Wording(contract.model_copy(update={**words, "rules": tuple(rules)}), ids, marks)


def _joined(rule: Rule, contract: Contract, marks: Mapping[str, str], taken: Sequence[str]) -> Rule:
    """Return a rule that is none of the author's alone: put together of several, or of a relation."""
    text = _told(rule.text, marks)
    is_relation = rule.id in _relation_rules(contract)
    return Rule(id=rule.id if is_relation else unique_slug(slug_of(text), taken), text=text)


def _told(text: str, marks: Mapping[str, str]) -> str:
    for mark, own in marks.items():
        text = text.replace(mark, own)
    return text


def reworded(draft: Draft, told: Wording, names: Sequence[str]) -> Draft:
    """Return a draft under other words; ``names`` are what scenarios read from the program.

    The prompt speaks of the scenarios that checks name, not of the outer ones that stand behind them.
    """
    own = tuple(spec for spec in told.contract.scenarios if spec.level != "outer")
    ledger = tuple(replace(line, rule=told.ids.get(line.rule, line.rule)) for line in draft.facts.ledger)
    notes = tuple(map(told.of_text, draft.facts.notes))
    public = told.of_checks(draft.public)
    return replace(
        draft,
        contract=told.contract,
        prompt_template=prompt_template(told.contract.model_copy(update={"scenarios": own}), names, public),
        public=public,
        hidden=told.of_checks(draft.hidden),
        facts=replace(draft.facts, ledger=ledger, notes=notes),
    )
