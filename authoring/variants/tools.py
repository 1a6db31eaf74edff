"""Put together what varying needs from the other stages: merging, mutants, rewrites and words."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from authoring.model.execution import How, Runner
from authoring.model.variants import VersionName
from authoring.reduction.align import merge_text
from authoring.scenario.mutants import mutants_of
from authoring.variants.lines import VersionedLine
from authoring.variants.material import Tools
from authoring.variants.shapes import all_shapes
from authoring.variants.vocabulary import read_words

__all__ = ["make_tools"]

_MUTANTS = 60


def make_tools(runner: Runner, how: How, key: bytes, workspace: Path | None = None) -> Tools:
    """Return the tools with the workspace's vocabularies over the built-in ones."""
    return Tools(
        runner=runner,
        how=how,
        key=key,
        words=read_words(workspace),
        merge=_merged,
        mutants_of=_mutants,
        shapes=all_shapes(),
    )


def _merged(programs: Mapping[VersionName, str]) -> Sequence[VersionedLine]:
    return merge_text(programs).lines


def _mutants(source: str) -> list[tuple[str, str]]:
    return [(mutant.id, mutant.source) for mutant in mutants_of(source, limit=_MUTANTS)]
