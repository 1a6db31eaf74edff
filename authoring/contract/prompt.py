"""The template of prompt.md: what was seen, what must hold, the interface, and how to try."""

import re
from collections.abc import Iterator, Sequence

from authoring.model.contract import Contract, Rule
from authoring.model.task import Check

__all__ = ["prompt_template"]

_WORD = re.compile(r"(?<![\w⟦])[A-Za-z_][A-Za-z0-9_]*")


def prompt_template(contract: Contract, names: Sequence[str], public: Sequence[Check] = ()) -> str:
    """Return the text of prompt.md.j2, with the public checks that stand for each rule as slots, since variants have
    checks of their own.

    ``names`` are the canonical names that scenarios read from the program; where a sentence uses one that
    cannot be taken for an ordinary word, it becomes ``⟦ name("…") ⟧``, since variants carry other names.
    """
    known = frozenset([*names, contract.entry.name])
    listed = ", ".join(f"`{_slot(name)}`" for name in sorted(names or known))
    scenarios = "\n".join(_scenario_line(spec.function) for spec in contract.scenarios)
    rules = "\n".join(
        line
        for rule in contract.rules
        for line in (f"- **{rule.id}**: {_named(rule.text, known)}", *_examples(rule, public))
    )
    parts = [
        f"# Repair `{_slot(contract.entry.name)}`",
        _named(contract.symptom, known),
        "## What must hold",
        rules,
        "Where no rule asks for a change, `program.py` is right as it is: keep its results, its "
        "exceptions and the "
        "arguments that it leaves alone.",
        "## Interface",
        f"`program.py` is one module of plain Python and the standard library. It must go on defining "
        f"{listed}, "
        "called as `scenarios.py` does:",
        scenarios,
        f"Inputs: {_named(contract.domain, known)}",
        f"Result: {_named(contract.returns, known)}",
        *_exceptions(contract, known),
        "## How to try",
        "Edit `program.py` and nothing else. `python run_checks.py` runs the public checks of "
        "`checks.json` and prints a "
        "line for each. Hidden checks of the same rules, at other inputs, decide; every one must pass.",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _slot(name: str) -> str:
    return f'⟦ name("{name}") ⟧'


def _examples(rule: Rule, public: Sequence[Check]) -> Iterator[str]:
    for check in public:
        if rule.id in check.rules:
            yield f'  - ⟦ check("{check.id}") ⟧'


def _scenario_line(function: str) -> str:
    return f"- `{function}(program, p, seen)`: what it passes to `seen` is what is compared."


def _exceptions(contract: Contract, known: frozenset[str]) -> list[str]:
    if not contract.raises:
        return ["No exception is part of the behaviour: on every input above a right program returns."]
    listed = ", ".join(f"`{_slot(name) if name in known else name}`" for name in contract.raises)
    return [
        f"Exceptions that are part of the behaviour: {listed}. An exception counts as the first class among its own "
        "and its bases that is listed or built in."
    ]


def _named(text: str, known: frozenset[str]) -> str:
    """Return the text with program names as slots, where their form tells them from ordinary words."""

    def slot(match: re.Match[str]) -> str:
        word = match[0]
        after = text[match.end() : match.end() + 1]
        before = text[max(match.start() - 1, 0) : match.start()]
        is_telling = (
            "_" in word or any(c.isupper() for c in word[1:]) or after == "(" or before == after == "`"
        )
        return _slot(word) if word in known and is_telling else word

    return _WORD.sub(slot, _plain(text))


def _plain(text: str) -> str:
    """Return the text without marks that the template would read as its own."""
    return text.replace("⟦", "[[").replace("⟧", "]]").replace("\n#%", "\n# %")
