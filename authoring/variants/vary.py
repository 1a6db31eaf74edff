"""Make the variants of one contract: base and p2 in public, h1 to h3 hidden (DESIGN.md 4.5).

Each variant has its own names, constants, shape or fault, and inputs; what is expected is recorded from its
own reference. Nothing is taken on trust: every change is kept only when running the programs shows that it
holds.
"""

from authoring.model.errors import RefusedError
from authoring.model.progress import Progress
from authoring.model.variants import Variants
from authoring.variants.base import Stock, make_base, prepare
from authoring.variants.material import Material, Tools, VariantTask, Variation
from authoring.variants.rejection import find_witness
from authoring.variants.variant import make_hidden, make_public

__all__ = ["vary"]


def vary(
    material: Material, tools: Tools, progress: Progress, *, public: int = 2, hidden: int = 3
) -> Variation:
    """Return ``base``, ``p2`` up to ``public`` and ``h1`` up to ``hidden``; raise ``RefusedError`` (VAR006,
    VAR007) where a hidden one would be worth nothing.

    A contract of the tier ``hidden-only`` has its ``base`` hidden too, and no public variant.
    """
    stock = prepare(material, tools)
    progress.phase("vary", total=public + hidden)
    tasks = [make_base(stock, tools)]
    progress.step("base")
    shown = public if material.contract.tier == "public+hidden" else 1
    for variant in (f"p{number}" for number in range(2, shown + 1)):
        tasks.append(make_public(stock, tools, variant))
        progress.step(variant)
    for turn in range(hidden):
        variant = f"h{turn + 1}"
        tasks.append(_hidden(stock, tools, variant, turn))
        progress.step(variant)
    return Variation(stock.template, Variants(variants=tuple(task.spec for task in tasks)), tuple(tasks))


def _hidden(stock: Stock, tools: Tools, variant: str, turn: int) -> VariantTask:
    task = make_hidden(stock, tools, variant, turn)
    if task is None:
        raise RefusedError(
            "VAR007",
            f"the hidden variant {variant} would differ from the public ones in names and inputs only",
            "The program offers no constant, shape or other fault: declare the variant in variants.toml "
            "yourself.",
            stage="vary",
        )
    _require_rejection(task, tools)
    return task


def _require_rejection(task: VariantTask, tools: Tools) -> None:
    if find_witness(task, tools) is None:
        raise RefusedError(
            "VAR006",
            f"the hidden checks of {task.id} accept every program that its public checks accept",
            "Add hidden checks at boundaries that the public ones leave open, then run `authoring "
            "contract` again.",
            stage="vary",
        )
