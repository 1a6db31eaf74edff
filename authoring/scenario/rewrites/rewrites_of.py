"""Programs that do the same as a given one but are written otherwise."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst
from libcst.metadata import MetadataWrapper

from authoring.scenario.compiles import compiles
from authoring.scenario.mutants.operator import Instead
from authoring.scenario.mutants.splice import Splicer
from authoring.scenario.rewrites.rewrite import Rewrite
from authoring.scenario.rewrites.shapes import REWRITES

__all__ = ["Rewriting", "rewrite", "rewrites_of", "steps_of"]

_STEPS_CAP = 5
_TRIES = 4


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A program in another shape."""

    steps: tuple[str, ...]
    """``invert-branches.0``: rewrite and place, in order; :func:`rewrite` does them again."""
    source: str


def rewrites_of(source: str, n: int, seed: int) -> list[Rewriting]:
    """Return at most ``n`` distinct rewritings of one to five steps each; the same for the same seed.

    A source that does not parse raises ``libcst.ParserSyntaxError``.
    """
    rng = random.Random(seed)
    found: dict[str, Rewriting] = {source: Rewriting((), source)}
    known: dict[str, list[tuple[str, str]]] = {}
    for _ in range(_TRIES * n):
        if len(found) > n:
            break
        text, steps = source, []
        for _ in range(1 + int(rng.random() * _STEPS_CAP)):
            options = known.get(text) or known.setdefault(text, list(_rewritten(text, REWRITES)))
            if not options:
                break
            step, text = _picked(options, rng)
            steps.append(step)
        found.setdefault(text, Rewriting(tuple(steps), text))
    return list(found.values())[1 : n + 1]


def steps_of(source: str) -> list[str]:
    """Return every single step that a program allows."""
    return [step for step, _ in _rewritten(source, REWRITES)]


def rewrite(source: str, steps: Sequence[str]) -> str:
    """Do the steps in order; raise ``ValueError`` for one that the program does not allow."""
    for step in steps:
        name = step.rpartition(".")[0]
        made = dict(_rewritten(source, [shape for shape in REWRITES if shape.name == name]))
        if step not in made:
            raise ValueError(f"the rewrite {step} does not apply")
        source = made[step]
    return source


def _picked(options: list[tuple[str, str]], rng: random.Random) -> tuple[str, str]:
    """Pick a rewrite first and then its place, so that one with many places does not crowd out others."""
    names = sorted({step.rpartition(".")[0] for step, _ in options})
    name = names[int(rng.random() * len(names))]
    places = [option for option in options if option[0].rpartition(".")[0] == name]
    return places[int(rng.random() * len(places))]


def _rewritten(source: str, shapes: Sequence[Rewrite]) -> Iterator[tuple[str, str]]:
    wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    splicer = Splicer(wrapper)
    nodes = list(_nodes(wrapper.module))
    for shape in shapes:
        place = 0
        for node in nodes:
            for proposal in shape.propose(node):
                part, by = (proposal.part, proposal.by) if isinstance(proposal, Instead) else (node, proposal)
                text = splicer.replaced(part, by)
                if text is not None and text != source and compiles(text):
                    yield f"{shape.name}.{place}", text
                    place += 1


def _nodes(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for child in node.children:
        yield from _nodes(child)
