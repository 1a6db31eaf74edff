"""The changelog keeps the form that it names."""

import re

from authoring import __version__
from tests.repo.tracked import ROOT

SECTIONS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
HEAD = re.compile(r"## \[(?P<version>Unreleased|\d+\.\d+\.\d+)\](?: - \d{4}-\d{2}-\d{2})?")


def numbers_of(version: str) -> tuple[int, ...]:
    """Return a version as numbers that compare in order."""
    return tuple(int(part) for part in re.findall(r"\d+", version))


def test_versions_fall_sections_are_known_and_every_entry_is_under_one() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# Changelog"
    heads = [line for line in lines if line.startswith("## ")]
    matches = [HEAD.fullmatch(line) for line in heads]
    assert all(matches)
    versions = [match["version"] for match in matches if match]
    assert versions[0] == "Unreleased"
    numbers = [numbers_of(version) for version in versions[1:]]
    assert numbers == sorted(set(numbers), reverse=True)
    assert all(number <= numbers_of(__version__) for number in numbers)
    assert {line.removeprefix("### ") for line in lines if line.startswith("### ")} <= SECTIONS
    first_section = next(index for index, line in enumerate(lines) if line.startswith("### "))
    assert not [line for line in lines[:first_section] if line.startswith("- ")]
    assert [line for line in lines[first_section:] if line.startswith("- ")]
