"""A cut of the domain as domain.py states it: a sentence in ``CUTS``, and a function that tells what is left.

``allows_find(p)`` tells whether parameters of the scenario ``find`` lie inside; what draws them filters by it.
"""

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from authoring.scenario.domain.input_class import InputClass, expression, phrase
from authoring.scenario.domain.literal import literal

__all__ = [
    "CUTS_MARK",
    "PREDICATE",
    "DomainCut",
    "cut_sentence",
    "cuts_of",
    "cuts_text",
    "predicates_text",
]

CUTS_MARK = "CUTS = "
PREDICATE = "allows_"
"""What the name of a function begins with that tells whether parameters lie inside the domain."""


@dataclass(frozen=True, slots=True)
class DomainCut:
    """A class of inputs that is no part of the domain, and what the programs lost with it."""

    inputs: InputClass
    saves: int
    """Nodes of the merged program."""


def cut_sentence(cut: DomainCut) -> str:
    """Return the sentence that stands in ``CUTS``."""
    return f"Excluding {phrase(cut.inputs)} (saves {cut.saves} nodes)"


def cuts_text(cuts: Sequence[DomainCut]) -> str:
    """Return the assignment that ends a domain.py."""
    return f"{CUTS_MARK}{literal([cut_sentence(cut) for cut in cuts])}"


def predicates_text(scenarios: Iterable[str], cuts: Sequence[DomainCut]) -> list[str]:
    """Return the text of each scenario's function that tells what is inside; none where nothing is cut off."""
    if not cuts:
        return []
    outside = "".join(f"        {expression(cut.inputs)},\n" for cut in cuts)
    return [
        f"def {PREDICATE}{scenario}(p):\n"
        f'    """Tell whether parameters lie inside the domain; each line is one of CUTS."""\n'
        f"    outside = [\n{outside}    ]\n"
        f"    return not any(outside)"
        for scenario in scenarios
    ]


def cuts_of(domain: str) -> tuple[str, ...]:
    """Return the sentences of a domain.py's ``CUTS``; none where it holds no such list of texts."""
    try:
        tree = ast.parse(domain)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    for node in tree.body:
        if isinstance(node, ast.Assign) and [_name(target) for target in node.targets] == ["CUTS"]:
            return _texts(node.value)
    return ()


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _texts(node: ast.expr) -> tuple[str, ...]:
    items = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    return tuple(
        item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)
    )
