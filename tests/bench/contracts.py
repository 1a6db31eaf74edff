"""How many of mutmut's mutants the hidden checks and pools reject, of those that the public checks accept.

``./dev bench contracts [--workspace DIR] [--ids ID,ID] [--mutants N]``: for each committed contract; equivalence is
presumed after ten times the product's search with another seed. Also 20 rewritings that must be accepted, programs that
must fail, and the patterns that a sample states beside those of the capture.
"""

import argparse
import sys

from authoring.model.errors import AuthoringError
from authoring.model.execution import Request
from authoring.model.variants import VersionName
from authoring.scenario.inputs import is_same
from authoring.taskrepo.audits import stored_contracts
from authoring.taskrepo.stages.source import stored_source
from authoring.taskrepo.stages.work import Work
from tests.bench._workspace import measured_workspace, wanted_ids
from tests.measures.answers import program_answers, release_answers
from tests.measures.committed import Committed, committed
from tests.measures.patterns import grouped_patterns, stated_patterns
from tests.measures.strength import Strength, strength

_SHOWN = 6


def main() -> None:
    """Print a line for each contract, then what was accepted or rejected wrongly."""
    words = argparse.ArgumentParser(add_help=False)
    words.add_argument("--mutants", type=int, default=0)
    limit = words.parse_known_args()[0].mutants
    sys.stdout.write(
        f"{'contract':36} {'mutants':>7} {'pass pub.':>9} {'hidden':>6} {'pool':>5} {'equiv.':>6} {'surv.':>5} "
        f"{'share':>6} {'rewritten':>9} {'searched':>8}\n"
    )
    shares = []
    with measured_workspace() as work:
        for stored in stored_contracts(work.workspace, wanted_ids())[0]:
            try:
                one = committed(work, stored)
                measured = strength(one, work, limit)
            except AuthoringError as error:
                sys.stdout.write(f"{stored.id:36} {error.code}: {error.message}\n")
                continue
            shares.append(measured.share)
            _show(measured)
            _show_patterns(one, work)
            sys.stdout.flush()
    known = [share for share in shares if share is not None]
    sys.stdout.write(
        f"{sum(share >= 0.95 for share in known)} of {len(known)} contracts reject at least 95 %\n"
    )


def _show(measured: Strength) -> None:
    share = "-" if measured.share is None else f"{measured.share:.1%}"
    accepted = measured.rewritings - len(measured.rejected_rewritings)
    sys.stdout.write(
        f"{measured.id:36} {measured.mutants:7} {measured.accepted_public:9} {measured.rejected_hidden:6} "
        f"{measured.rejected_pool:5} {measured.equivalent:6} {len(measured.survivors):5} {share:>6} "
        f"{f'{accepted}/{measured.rewritings}':>9} {measured.searched:8}\n"
    )
    wrong = "; ".join(f"{name} {verdict}" for name, verdict in measured.wrong.items())
    sys.stdout.write(f"    {wrong}\n")
    for survivor in measured.survivors[:_SHOWN]:
        sys.stdout.write(f"    survivor: {survivor}\n")
    for rewriting in measured.rejected_rewritings[:_SHOWN]:
        sys.stdout.write(f"    rewriting rejected: {rewriting}\n")


def _show_patterns(one: Committed, work: Work) -> None:
    stated = stated_patterns(stored_source(work, one.stored.contract.incident).incident.facts)
    found = grouped_patterns(one.stored.capture)
    pairs = ", ".join(f"{side} {bits}" for side, bits in found.items())
    if not stated:
        sys.stdout.write(f"    patterns {pairs}; the sample states none\n")
    else:
        same = all(found.get(side) == bits for side, bits in stated.items())
        sys.stdout.write(f"    patterns {pairs}; as stated: {'yes' if same else stated}\n")
    differing = [version for version in one.programs if _lifted_differs(one, work, version)]
    if differing:
        sys.stdout.write(f"    programs that differ from their release on a lifted input: {differing}\n")


def _lifted_differs(one: Committed, work: Work, version: VersionName) -> bool:
    """Tell whether a program's pattern may be another than its release's."""
    if one.inside is not None:
        return False  # lifted inputs are the package's, which reach the entry by what was recorded
    lifted = [Request(name, params) for name, wires in sorted(one.seen.items()) for params in wires]
    pairs = zip(
        lifted,
        program_answers(one, work.runner, version, lifted),
        release_answers(one, version, lifted),
        strict=True,
    )
    return any(not is_same(own, real, one.compares.get(request.scenario)) for request, own, real in pairs)


if __name__ == "__main__":
    main()
