"""The JSON Schemas of every document: generated from the models, committed here, proved current by a test."""

import importlib
import json
import pkgutil
import re
from pathlib import Path

import authoring.model
from authoring.model.configuration import Configuration
from authoring.model.document import Document, Part
from authoring.model.envelope import Envelope
from authoring.model.incident import Incident

__all__ = ["SCHEMA_FOLDER", "document_models", "schema_texts", "write_schemas"]

SCHEMA_FOLDER = Path(__file__).parent
"""Where the schemas lie."""

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def document_models() -> list[type[Part]]:
    """Return every document of the model sorted by name, with those that carry no ``schema_version``."""
    found: dict[str, type[Part]] = {
        "Configuration": Configuration,
        "Envelope": Envelope,
        "Incident": Incident,
    }
    for entry in pkgutil.iter_modules(authoring.model.__path__):
        module = importlib.import_module(f"authoring.model.{entry.name}")
        for value in vars(module).values():
            if (
                isinstance(value, type)
                and issubclass(value, Document)
                and value.__module__ == module.__name__
            ):
                found[value.__name__] = value
    return [found[name] for name in sorted(found) if found[name] is not Document]


def schema_texts() -> dict[str, str]:
    """Return the text of every schema by file name, such as ``hidden-checks.schema.json``."""
    return {f"{_kebab(model.__name__)}.schema.json": _text(model) for model in document_models()}


def write_schemas() -> list[str]:
    """Write the schemas, remove those whose document is gone, and return the names of what changed."""
    texts = schema_texts()
    changed = []
    for path in sorted(SCHEMA_FOLDER.glob("*.schema.json")):
        if path.name not in texts:
            path.unlink()
            changed.append(path.name)
    for name, text in texts.items():
        path = SCHEMA_FOLDER / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(name)
    return changed


def _text(model: type[Part]) -> str:
    schema = {"$schema": _DIALECT, **model.model_json_schema()}
    return json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _kebab(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()
