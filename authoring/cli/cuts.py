"""Cuts of the domain as rows for people: what was taken, and what could be."""

from typing import Any

__all__ = ["cut_rows"]

_MOST = 3


def cut_rows(cuts: dict[str, Any]) -> list[tuple[str, str]]:
    """Return a row for each cut that was taken and for the first few that could be; none where there are none."""
    rows = [("cut off", each["sentence"]) for each in cuts.get("taken", ())]
    for each in list(cuts.get("proposed", ()))[:_MOST]:
        lost = ", ".join(each["checks"])
        rows.append(("could cut", each["sentence"] + (f"; takes {lost} with it" if lost else "")))
    return rows
