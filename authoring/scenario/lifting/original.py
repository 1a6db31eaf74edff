"""The text of original.py: the canonical names of the scenarios, bound to the real package."""

from collections.abc import Sequence

from authoring.model.capture import Binding

__all__ = ["original_text"]


def original_text(bindings: Sequence[Binding], import_name: str, before_import: str = "") -> str:
    """Return original.py for bindings; ``before_import`` runs before the package is imported.

    Names of the import name's own module are read from ``package``, others from their modules, which are imported.
    """
    lines = ["import types\n"]
    if any(_module(binding) != import_name for binding in bindings):
        lines.append("from importlib import import_module\n")
    if before_import:
        lines.append(f"\n{before_import.strip()}\n")
    lines.append("\n\ndef bind(package):\n    return types.SimpleNamespace(\n")
    lines += [f"        {binding.name}={_expression(binding, import_name)},\n" for binding in bindings]
    lines.append("    )\n")
    return "".join(lines)


def _module(binding: Binding) -> str:
    return binding.original.partition(":")[0]


def _expression(binding: Binding, import_name: str) -> str:
    module, _, name = binding.original.partition(":")
    base = "package" if module == import_name else f'import_module("{module}")'
    return f"{base}.{name}" if name else base
