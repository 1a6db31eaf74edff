"""The exact scenarios that known reproducers must give."""

from pathlib import Path

import pytest

from authoring.model.wire import decode
from authoring.scenario.lifting import Lifted, lift

SAMPLES = Path(__file__).parents[2] / "data" / "incidents"

EXPECTED = {
    "dnspython-empty-ttl": (
        "dns",
        {"dns", "dns.ttl", "dns.exception"},
        ['def from_text(program, p, seen):\n    seen(program.from_text(p["text"]))\n'],
        [
            {"text": "300"},
            {"text": "1w2d3h4m5s"},
            {"text": "w"},
            {"text": "1x"},
            {"text": "10m5"},
            {"text": ""},
        ],
    ),
    "humanize-naturalsize-carry": (
        "humanize",
        {"humanize"},
        ['def naturalsize(program, p, seen):\n    seen(program.naturalsize(p["value"], **p["options"]))\n'],
        [
            {"value": 1000, "options": {}},
            {"value": 999_900, "options": {}},
            {"value": 999, "options": {}},
            {"value": 999_999, "options": {}},
            {"value": -999_999, "options": {}},
            {"value": 1024**2 - 1, "options": {"binary": True}},
            {"value": 999_999, "options": {"format": "%.3f"}},
        ],
    ),
    "boltons-bytes2human-power": (
        "boltons",
        {"boltons", "boltons.strutils"},
        ['def bytes2human(program, p, seen):\n    seen(program.bytes2human(p["nbytes"]))\n'],
        [{"nbytes": 1023}, {"nbytes": 128991}, {"nbytes": 1024}, {"nbytes": 1024**2}, {"nbytes": -1024}],
    ),
}

SIGNATURES = {
    "dns.ttl:from_text": ("text",),
    "humanize:naturalsize": ("value", "binary", "gnu", "format"),
    "boltons.strutils:bytes2human": ("nbytes", "ndigits"),
}


def lifted(sample: str) -> Lifted:
    import_name, modules, _, _ = EXPECTED[sample]
    source = (SAMPLES / sample / "repro.py").read_text(encoding="utf-8")
    return lift(source, import_name, modules.__contains__, signature=SIGNATURES.get)


@pytest.mark.parametrize("sample", sorted(EXPECTED))
def test_the_scenarios_and_parameters_are_exactly_these(sample: str) -> None:
    found = lifted(sample)
    _, _, scenarios, params = EXPECTED[sample]
    assert [scenario.texts[0] for scenario in found.scenarios] == scenarios
    assert [decode(case.params) for case in found.checks] == params


def test_the_names_of_an_archive_are_listed_found_and_the_listing_ends() -> None:
    source = (SAMPLES / "zipp-dot-and-slash-names" / "repro.py").read_text(encoding="utf-8")
    found = lift(source, "zipp", {"zipp"}.__contains__)
    lines = [scenario.texts[0].splitlines()[-1].strip() for scenario in found.scenarios]
    assert lines == [
        'seen(names(*p["members"]))',
        "seen(None)",
        'seen(p["item"] in names(*p["members"]))',
    ]
    assert all("signal" not in text for scenario in found.scenarios for text in scenario.texts)
    assert [case.id for case in found.checks] == ["check_1", "check_2", "check_3", "check_4", "check_5"]


def test_a_default_that_the_package_remembers_stays_in_the_check_that_shows_it() -> None:
    source = (SAMPLES / "dacite-shared-default" / "repro.py").read_text(encoding="utf-8")
    found = lift(source, "dacite", {"dacite"}.__contains__)
    assert "first.tags.append(" in found.case("check_3").options[0].text
