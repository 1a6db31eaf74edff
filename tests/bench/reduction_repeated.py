"""Two small incidents reduced under two hash seeds and with one and two workers: the same bytes each time.

``./dev bench reduction_repeated [--ids ID,ID]``. Every run has a workspace of its own, so that no verdict of another is
taken again.
"""

import hashlib
import sys
import tempfile
from pathlib import Path
from shutil import copytree

from tests.bench._workspace import DATA, command, wanted_ids

_INCIDENTS = ("boltons-bytes2human-power", "humanize-naturalsize-carry")
_SETTINGS = (("1", "1"), ("2", "1"), ("1", "2"), ("2", "2"))
"""Hash seed and workers."""


def main() -> None:
    """Print the digest of programs and domain of every run, and whether they are one."""
    for incident in wanted_ids() or _INCIDENTS:
        digests = []
        with tempfile.TemporaryDirectory() as folder:
            for number, (seed, workers) in enumerate(_SETTINGS):
                place = Path(folder) / str(number)
                digests.append(_reduced(incident, place, Path(folder) / "0", seed, workers))
                sys.stdout.write(f"{incident:36} hash seed {seed}, {workers} workers: {digests[-1][:16]}\n")
                sys.stdout.flush()
        same = "byte-identical" if len(set(digests)) == 1 else f"{len(set(digests))} different results"
        sys.stdout.write(f"{incident:36} {same}\n")


def _reduced(incident: str, place: Path, first: Path, seed: str, workers: str) -> str:
    """Reduce in a new workspace, with what the first one downloaded; return the digest of what was made."""
    env = {"PYTHONHASHSEED": seed, "AUTHORING_WORKERS": workers}
    command("init", place, "--date", "2026-01-01", env=env)
    if place != first:
        for kind in ("archives", "releases", "trees"):
            if (first / ".authoring/cache" / kind).is_dir():
                copytree(first / ".authoring/cache" / kind, place / ".authoring/cache" / kind, symlinks=True)
    given = ("--incident", DATA / incident / "incident.toml", "--workspace", place)
    command("capture", incident, *given, env=env)
    command("reduce", incident, "--workspace", place, env=env)
    made = place / "contracts" / incident
    digest = hashlib.sha256()
    for path in sorted([*(made / "program").glob("*.py"), made / "domain.py"]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


if __name__ == "__main__":
    main()
