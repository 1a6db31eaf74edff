"""Programs that do the same as a given one but are written otherwise."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

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

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A program in another shape."""

    steps: tuple[str, ...]
    """``invert-branches.0``: rewrite and place, in order; :func:`rewrite` does them again."""
    source: str


class _Sites:
    """Where the rewrites apply in one program; a text is written only when it is asked for."""

    def __init__(self, source: str) -> None:
        self._source = source
        wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
        self._splicer = Splicer(wrapper)
        self._nodes = list(_nodes(wrapper.module))
        self._proposed: dict[str, list[tuple[cst.CSTNode, cst.CSTNode]]] = {}

    def count(self, shape: Rewrite) -> int:
        """Return at how many places a rewrite is proposed."""
        return len(self._of(shape))

    def rewritten(self, shape: Rewrite, place: int) -> str | None:
        """Return the program rewritten at a place; None where that changes nothing or does not compile."""
        text = self._splicer.replaced(*self._of(shape)[place])
        return text if text is not None and text != self._source and compiles(text) else None

    def _of(self, shape: Rewrite) -> list[tuple[cst.CSTNode, cst.CSTNode]]:
        if shape.name not in self._proposed:
            self._proposed[shape.name] = [
                (proposal.part, proposal.by) if isinstance(proposal, Instead) else (node, proposal)
                for node in self._nodes
                for proposal in shape.propose(node)
            ]
        return self._proposed[shape.name]


def rewrites_of(source: str, n: int, seed: int) -> list[Rewriting]:
    """Return at most ``n`` distinct rewritings of one to five steps each; the same for the same seed.

    A source that does not parse raises ``libcst.ParserSyntaxError``.
    """
    rng = random.Random(seed)
    found: dict[str, Rewriting] = {source: Rewriting((), source)}
    open_: dict[str, _Sites] = {}
    for _ in range(_TRIES * n):
        if len(found) > n:
            break
        text, steps = source, []
        for _ in range(1 + int(rng.random() * _STEPS_CAP)):
            sites = open_.get(text) or open_.setdefault(text, _Sites(text))
            made = _picked(sites, rng)
            if made is None:
                break
            step, text = made
            steps.append(step)
        found.setdefault(text, Rewriting(tuple(steps), text))
    return list(found.values())[1 : n + 1]


def steps_of(source: str) -> list[str]:
    """Return every single step that a program allows."""
    sites = _Sites(source)
    return [
        f"{shape.name}.{place}"
        for shape in REWRITES
        for place in range(sites.count(shape))
        if sites.rewritten(shape, place) is not None
    ]


def rewrite(source: str, steps: Sequence[str]) -> str:
    """Do the steps in order; raise ``ValueError`` for one that the program does not allow."""
    shapes = {shape.name: shape for shape in REWRITES}
    for step in steps:
        name, _, place = step.rpartition(".")
        sites = _Sites(source)
        is_there = name in shapes and place.isdecimal() and int(place) < sites.count(shapes[name])
        made = sites.rewritten(shapes[name], int(place)) if is_there else None
        if made is None:
            raise ValueError(f"the rewrite {step} does not apply")
        source = made
    return source


def _picked(sites: _Sites, rng: random.Random) -> tuple[str, str] | None:
    """Pick a rewrite first and then its place, so that one with many places does not crowd out others.

    Returns the step and the text after it; None where nothing applies.
    """
    for shape in _shuffled(REWRITES, rng):
        for place in _shuffled(range(sites.count(shape)), rng):
            text = sites.rewritten(shape, place)
            if text is not None:
                return f"{shape.name}.{place}", text
    return None


def _shuffled(items: Sequence[_T], rng: random.Random) -> list[_T]:
    """Return the items in an order that depends on :meth:`random.Random.random` alone."""
    return sorted(items, key=lambda _: rng.random())


def _nodes(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for child in node.children:
        yield from _nodes(child)
