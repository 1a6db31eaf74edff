"""scenarios.py and original.py with an entry inside the package."""

from authoring.reduction.carve.entry import CarvedEntry

__all__ = ["entry_original", "entry_scenarios"]


def entry_original(original: str, entry: CarvedEntry) -> str:
    """Return original.py with the names that the entry's scenario reads bound too, where a release has them."""
    inner = "".join(f"    _bind_inside(found, {one.name!r}, {one.original!r})\n" for one in entry.bindings)
    return (
        f"{original.rstrip()}\n\n\n"
        "_bind_outside = bind\n\n\n"
        "def _bind_inside(found, name, original):\n"
        "    module, _, attribute = original.partition(':')\n"
        "    try:\n"
        "        setattr(found, name, getattr(__import__(module, fromlist=[attribute]), attribute))\n"
        "    except (ImportError, AttributeError):\n"
        "        pass  # a release without it is asked from outside only\n\n\n"
        "def bind(package):\n"
        "    found = _bind_outside(package)\n"
        f"{inner}"
        "    return found\n"
    )


def entry_scenarios(scenarios: str, entry: CarvedEntry) -> str:
    """Return scenarios.py with the entry's scenario at its end."""
    if f"\ndef {entry.scenario}(program, p, seen):" in scenarios:
        return scenarios
    first = entry.imports if entry.imports not in scenarios else ""
    gap = "\n\n" if first and scenarios.startswith(("def ", "async def ")) else ""
    helpers = [one for one in entry.helpers if one not in scenarios]
    return "\n\n".join([f"{first}{gap}{scenarios.rstrip()}\n", *helpers, entry.text])
