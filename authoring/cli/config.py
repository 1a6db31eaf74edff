"""`config show`: every setting, its value, and where the value comes from."""

import typer

from authoring.cli.answer import Answer
from authoring.cli.frame import add_command, make_app
from authoring.cli.screen import Screen
from authoring.cli.session import Session

__all__ = ["register"]

_SECTION = "Look at the configuration."


def register(app: typer.Typer) -> None:
    """Add the group to the app."""
    group = make_app(_SECTION)
    add_command(group, "show")(show)
    app.add_typer(group, name="config")


def show(session: Session) -> Answer:
    """Show every setting with its value and where the value comes from."""
    from authoring.system.configuration import load

    loaded = load(session.workspace)
    values = _flat(loaded.values.model_dump(mode="json"))
    settings = [
        {"name": name, "value": values[name], "origin": origin}
        for name, origin in sorted(loaded.origins.items())
    ]
    return Answer(data={"settings": settings}, human=lambda screen: _draw(screen, settings))


def _flat(values: dict[str, object], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for name, value in values.items():
        flat |= _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
    return flat


def _draw(screen: Screen, settings: list[dict[str, object]]) -> None:
    import json

    rows = [
        (str(item["name"]), json.dumps(item["value"], ensure_ascii=False), str(item["origin"]))
        for item in settings
    ]
    screen.table(("setting", "value", "from"), rows)
