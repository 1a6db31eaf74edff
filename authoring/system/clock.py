"""Dates: the one place that reads the clock, and the form in which git is given a date."""

import re
from datetime import UTC, date, datetime

from authoring.model.errors import UsageError

__all__ = ["commit_date", "iso_date", "now", "parse_date"]

_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ].*)?", re.ASCII)


def now() -> datetime:
    """Return the present second, in UTC."""
    return datetime.now(UTC).replace(microsecond=0)


def parse_date(text: str) -> datetime:
    """Return an ISO date (midnight, UTC) or an ISO date and time (UTC where it names no zone).

    Raises :class:`UsageError` WSP014 for anything else, and for years before 1970, which git cannot hold.
    """
    try:
        if not _ISO.fullmatch(text):
            raise ValueError(text)
        moment = datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        if moment.timestamp() < 0:
            raise ValueError(text)
        return moment.astimezone(UTC).replace(microsecond=0)
    except (ValueError, OverflowError) as error:
        raise UsageError(
            "WSP014",
            f"{ascii(text)[:60]} is not a date.",
            "Write it as 2026-01-31 or 2026-01-31T12:00:00+00:00.",
        ) from error


def commit_date(discovered: str = "", given: str = "") -> datetime:
    """Return a commit's date: the incident's ``discovered``, else the one given by ``--date``, else now."""
    return parse_date(discovered) if discovered else parse_date(given) if given else now()


def iso_date(moment: datetime | date) -> str:
    """Return the calendar day as ``2026-01-31``."""
    return moment.strftime("%Y-%m-%d")
