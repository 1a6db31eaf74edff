"""What is expected of every committed contract's programs beside their releases, for tests to assert."""

from pathlib import Path

from authoring.model.progress import SilentProgress
from authoring.taskrepo.audits import stored_contracts
from authoring.taskrepo.stages.opened import opened
from tests.measures.committed import committed
from tests.measures.faithful import faithfulness
from tests.measures.planted import complaints, names_in, share_kept

__all__ = ["assert_faithful"]

_LEAST_KEPT = 0.95
_LEAST_DISTINCT = 20
_FULL_POOL = 200


def assert_faithful(workspace: Path, contract: str, inputs: int = 60) -> None:
    """Assert that programs do what their releases do on fresh inputs, keep names, and are clean for pyflakes.

    The process needs a git identity, as every command that opens a workspace does.
    """
    with opened(workspace, SilentProgress()) as work:
        (stored,) = stored_contracts(work.workspace, [contract])[0]
        one = committed(work, stored)
        measured = faithfulness(one, work.runner, inputs // 2)
    assert sum(measured.inputs.values()) >= inputs // 4, measured
    assert measured.compared >= len(one.programs) * 10, measured
    assert not measured.differences, "\n".join(map(str, measured.differences))
    is_finite = measured.pooled < _FULL_POOL
    assert measured.distinct >= _LEAST_DISTINCT or is_finite
    known = names_in([*(tree.path for tree in one.trees.sides.values()), *one.trees.dependencies])
    for source in one.programs.values():
        share, new = share_kept(source, known)
        assert share >= _LEAST_KEPT, new
        assert not complaints(source)
