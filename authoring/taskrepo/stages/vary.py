"""The stage `vary`: render a contract as public and hidden variants."""

from collections.abc import Mapping
from pathlib import Path

from authoring.contract import Draft
from authoring.model.capture import Capture
from authoring.model.task import Check
from authoring.model.variants import VersionName
from authoring.scenario.domain import narrowed
from authoring.taskrepo.stages.contract import how_of
from authoring.taskrepo.stages.work import Work
from authoring.variants.material import Material, Variation
from authoring.variants.tools import make_tools
from authoring.variants.vary import vary

__all__ = ["make_variants"]


def make_variants(
    work: Work,
    capture: Capture,
    draft: Draft,
    programs: Mapping[VersionName, str],
    scenarios: str,
    dependencies: tuple[Path, ...] = (),
    *,
    is_domain_edited: bool = False,
    repaired: str = "",
    taken: tuple[Check, ...] = (),
) -> Variation:
    """Return the template and the variants; raise RefusedError VAR… where a hidden one is worth nothing.

    ``repaired`` and ``taken`` are the program with every fault repaired and the checks of the other contracts, where
    the contract is about one of several faults.
    """
    material = Material.of(
        draft, programs, scenarios, is_domain_edited=is_domain_edited, repaired=repaired, taken=taken
    )
    how = how_of(capture, dependencies)
    runner = narrowed(work.runner, how, draft.domain)
    tools = make_tools(runner, how, work.workspace.key, work.workspace.root)
    settings = work.settings
    return vary(
        material, tools, work.progress, public=settings.public_variants, hidden=settings.hidden_variants
    )
