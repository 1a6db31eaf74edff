"""contract.toml as text: written once in a fixed order, and mended in place after its author's edits."""

from typing import Any

import tomlkit
from tomlkit.items import AoT, Item

from authoring.model.contract import Contract

__all__ = ["contract_text", "merged_text"]

_INLINE = ("entry", "environment", "types", "origin")
_WORDS = ("symptom", "returns", "domain")


def contract_text(contract: Contract) -> str:
    """Return contract.toml of a contract that nobody has edited."""
    data = _data(contract)
    document = tomlkit.document()
    for key in ("schema_version", "id", "incident", "mechanism", "group", "category", "tier"):
        document.add(key, data[key])
    for key in _WORDS:
        document.add(key, data[key])
    document.add("entry", _inline(data["entry"]))
    document.add("environment", _inline(data["environment"]))
    document.add("raises", _array(data["raises"]))
    document.add("types", _inline(data["types"]))
    document.add("origin", _inline(data["origin"]))
    document.add("reference_digest", data["reference_digest"])
    for key in ("rules", "scenarios"):
        document.add(key, _tables(data[key]))
    return tomlkit.dumps(document)


def merged_text(contract: Contract, previous: str) -> str:
    """Return the previous text with the values that differ replaced; comments, order and spacing stay.

    Rules and scenarios are matched by id: new ones are added at the end, those that are gone are removed.
    """
    data = _data(contract)
    document = tomlkit.parse(previous)
    for key, value in data.items():
        if key in ("rules", "scenarios"):
            _merge_tables(document, key, value)
        elif key not in document or _unwrapped(document[key]) != value:
            document[key] = _inline(value) if key in _INLINE else _array(value) if key == "raises" else value
    return tomlkit.dumps(document)


def _data(contract: Contract) -> dict[str, Any]:
    data: dict[str, Any] = contract.model_dump(mode="json", exclude_none=True)
    for scenario in data["scenarios"]:
        scenario["compare"] = dict(scenario["compare"])
    return data


def _unwrapped(item: Any) -> Any:
    return item.unwrap() if isinstance(item, Item) else item


def _inline(value: dict[str, Any]) -> Any:
    table = tomlkit.inline_table()
    for key, part in value.items():
        table.append(key, _value(part))
    return table


def _value(part: Any) -> Any:
    if isinstance(part, dict):
        return _inline(part)
    return _array(part) if isinstance(part, list) else part


def _array(values: list[Any]) -> Any:
    array = tomlkit.array()
    for value in values:
        array.append(_value(value))
    return array


def _table(entry: dict[str, Any]) -> Any:
    table = tomlkit.table()
    for key, value in entry.items():
        table.add(key, _value(value))
    return table


def _tables(entries: list[dict[str, Any]]) -> AoT:
    tables = tomlkit.aot()
    for entry in entries:
        tables.append(_table(entry))
    return tables


def _merge_tables(document: Any, key: str, entries: list[dict[str, Any]]) -> None:
    if key not in document:
        document.add(key, _tables(entries))
        return
    tables = document[key]
    wanted = {entry["id"]: entry for entry in entries}
    for index in range(len(tables) - 1, -1, -1):
        if tables[index].get("id") not in wanted:
            del tables[index]
    present = {table["id"]: table for table in tables}
    for name, entry in wanted.items():
        if name not in present:
            tables.append(_table(entry))
            continue
        for part, value in entry.items():
            if part not in present[name] or _unwrapped(present[name][part]) != value:
                present[name][part] = _value(value)
