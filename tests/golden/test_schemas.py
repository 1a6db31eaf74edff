"""The committed JSON Schemas are those of the models."""

import json

import jsonschema
import pytest

from authoring.model.envelope import Envelope
from authoring.model.schemas import SCHEMA_FOLDER, document_models, schema_texts


def test_the_committed_schemas_are_current() -> None:
    committed = {path.name: path.read_text(encoding="utf-8") for path in SCHEMA_FOLDER.glob("*.schema.json")}
    assert committed == schema_texts(), "run ./dev schemas"


@pytest.mark.parametrize("name", sorted(schema_texts()))
def test_every_schema_is_one_and_closes_its_objects(name: str) -> None:
    schema = json.loads(schema_texts()[name])
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("model", document_models(), ids=lambda model: str(model.__name__))
def test_every_document_says_what_it_is_for(model: type) -> None:
    assert model.__doc__


def test_an_envelope_written_by_the_tool_satisfies_its_schema() -> None:
    schema = json.loads(schema_texts()["envelope.schema.json"])
    written = json.loads(Envelope(command="show", status="done", data={"id": "x"}).text())
    jsonschema.validate(written, schema)
