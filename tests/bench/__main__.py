"""Run the benchmarks: each is a module of this folder with a ``main()`` that prints its figures."""

import importlib
import sys
from pathlib import Path


def main(wanted: list[str]) -> int:
    """Run every benchmark whose name holds one of the wanted words, or all; return the exit status."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
    chosen = [name for name in names if not wanted or any(word in name for word in wanted)]
    if not chosen:
        sys.stderr.write(f"no benchmark is named so; there are: {', '.join(names) or 'none'}\n")
        return 2
    for name in chosen:
        sys.stdout.write(f"== {name}\n")
        importlib.import_module(f"tests.bench.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
