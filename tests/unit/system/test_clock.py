"""Laws of dates."""

from datetime import UTC, datetime

import pytest

from authoring.model.errors import UsageError
from authoring.system.clock import commit_date, now


def test_the_discovery_counts_before_the_given_date_and_that_before_now() -> None:
    assert commit_date("2026-01-02", "2025-05-05") == datetime(2026, 1, 2, tzinfo=UTC)
    assert commit_date("", "2025-05-05T10:00:00+02:00") == datetime(2025, 5, 5, 8, tzinfo=UTC)
    assert abs((commit_date() - now()).total_seconds()) < 60


@pytest.mark.parametrize(
    "text", ["yesterday", "2026-13-01", "20260101", "1960-01-01", "2026-01-01x", "2026-W01-1", "٢٠٢٦-01-01"]
)
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        commit_date(text)
    assert refused.value.code == "WSP014"
