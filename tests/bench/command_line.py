"""What it costs to start the command line: CPU seconds of a few commands that do no work."""

import resource
import subprocess
import sys

COMMANDS = (("--help",), ("--version",), ("explain", "USE001"), ("explain", "all", "--json"))


def main() -> None:
    """Print the least of five runs of each command."""
    for command in COMMANDS:
        cost = min(_cpu_seconds(command) for _ in range(5))
        sys.stdout.write(f"{cost:6.3f} s CPU  authoring {' '.join(command)}\n")


def _cpu_seconds(command: tuple[str, ...]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "authoring", *command], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
