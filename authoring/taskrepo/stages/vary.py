"""The stage `vary`: render a contract as public and hidden variants."""

from collections.abc import Mapping
from pathlib import Path

from authoring.contract import Draft
from authoring.model.capture import Capture
from authoring.model.variants import VersionName
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
) -> Variation:
    """Return the template and the variants; raise RefusedError VAR… where a hidden one is worth nothing."""
    versions = {**programs, "hard_negative": draft.hard_negative} if draft.hard_negative else programs
    material = Material(
        contract=draft.contract,
        programs=versions,
        scenarios=scenarios,
        domain=draft.domain,
        prompt_template=draft.prompt_template,
        public=draft.public,
        hidden=draft.hidden,
        pools=draft.pools,
    )
    tools = make_tools(work.runner, how_of(capture, dependencies), work.workspace.key, work.workspace.root)
    return vary(material, tools, work.progress)
