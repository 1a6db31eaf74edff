"""Reduced programs beside the real releases on fresh inputs, the share of names kept, and pyflakes.

``./dev bench reduction_faithful [--workspace DIR] [--ids ID,ID] [--inputs N]``: by default 500 inputs drawn with a seed
that the product does not use and 500 mutated ones for each contract. ``pairs`` are inputs times versions that have a
release; an entry inside the package adds what its recorded frames returned and what differs outside.
"""

import argparse
import sys

from authoring.model.errors import AuthoringError
from authoring.taskrepo.audits import stored_contracts
from tests.bench._workspace import measured_workspace, wanted_ids
from tests.measures.committed import Committed, committed
from tests.measures.faithful import Faithfulness, faithfulness
from tests.measures.planted import complaints, names_in, share_kept

_SHOWN = 4
_ENOUGH = 20


def main() -> None:
    """Print a line for each contract, then what disagrees."""
    words = argparse.ArgumentParser(add_help=False)
    words.add_argument("--inputs", type=int, default=500)
    count = words.parse_known_args()[0].inputs
    sys.stdout.write(
        f"{'contract':36} {'drawn':>5} {'mut.':>5} {'out':>4} {'pairs':>6} {'equal':>6} {'differ':>6} "
        f"{'distinct/pool':>13} {'names':>6} pyflakes\n"
    )
    with measured_workspace() as work:
        for stored in stored_contracts(work.workspace, wanted_ids())[0]:
            try:
                one = committed(work, stored)
                _show(one, faithfulness(one, work.runner, count))
            except AuthoringError as error:
                sys.stdout.write(f"{stored.id:36} {error.code}: {error.message}\n")
            sys.stdout.flush()


def _show(one: Committed, measured: Faithfulness) -> None:
    known = names_in([*(tree.path for tree in one.trees.sides.values()), *one.trees.dependencies])
    kept = {version: share_kept(source, known) for version, source in one.programs.items()}
    said = [f"{version}: {line}" for version, source in one.programs.items() for line in complaints(source)]
    drawn, mutated = (measured.inputs.get(origin, 0) for origin in ("drawn", "mutated"))
    few = "" if measured.distinct >= _ENOUGH else " few"
    sys.stdout.write(
        f"{one.id:36} {drawn:5} {mutated:5} {measured.outside:4} {measured.compared:6} {measured.equal:6} "
        f"{len(measured.differences):6} {f'{measured.distinct}/{measured.pooled}{few}':>13} "
        f"{min(share for share, _ in kept.values()):6.1%} {len(said) or 'clean'}\n"
    )
    if measured.recorded is not None:
        sys.stdout.write(f"    {measured.recorded} distinct arguments recorded at the entry inside\n")
    if measured.unsteady:
        sys.stdout.write(f"    {measured.unsteady} pairs left out: the release itself is unsteady there\n")
    new = sorted({name for _, names in kept.values() for name in names})
    if new:
        sys.stdout.write(f"    names of its own: {', '.join(new)}\n")
    for line in (*map(str, measured.differences[:_SHOWN]), *said[:_SHOWN]):
        sys.stdout.write(f"    {line}\n")


if __name__ == "__main__":
    main()
