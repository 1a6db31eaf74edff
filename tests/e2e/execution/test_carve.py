"""An entry inside a package is found where outer calls lead to it with data, and only where versions show there."""

from pathlib import Path

import pytest

from authoring.execution import BoxRunner
from authoring.model.capture import Binding
from authoring.model.execution import How, Limits, Observed, Package, Request
from authoring.model.observation import Compare
from authoring.model.variants import VersionName
from authoring.model.wire import decode, encode
from authoring.reduction.carve import (
    CarvedEntry,
    Situation,
    choose_entry,
    entry_original,
    entry_scenarios,
    recorded,
    relaxed_compare,
)

HOW = How(limits=Limits(call_cpu_s=1.0, call_s=10.0, import_s=10.0))
ENGINE = "\n\n".join(
    f"def step_{at}(state, word):\n    if word == 'skip {at}':\n        return state\n"
    f"    return [*state, (word, {at} + len(word) * 2 - {at})]\n"
    for at in range(25)
)
OUTER = f"""
from pkg.inner import Options, label

{ENGINE}

def run(text, strict=False):
    state = []
    for word in text.split():
        {"".join(f"state = step_{at}(state, word)[-1:]; " for at in range(25))}
    options = Options(strict)
    return "<" + label(options, text.strip(), [len(one) for one, _ in state]) + ">"
"""
INNER = """
class Options:
    def __init__(self, strict):
        self.strict = strict
        self.handle = object()


def label(options, text, sizes):
    limit = {limit}
    if options.strict and len(text) > limit:
        return text[:limit]
    return text
"""
ORIGINAL = "import types\n\n\ndef bind(package):\n    return types.SimpleNamespace(run=package.run)\n"
SCENARIOS = 'def run(program, p, seen):\n    seen(program.run(p["text"], p["strict"]))\n'
REQUESTS = [
    Request("run", encode({"text": text, "strict": strict}))
    for text in (
        "ab cd",
        "abcdef",
        "a",
        "abcd",
        "abcdefghi",
        "xyz",
        "pq rs tu",
        "m",
        "no op",
        "skip 3 skip 4",
    )
    for strict in (True, False)
]


def situation(folder: Path, runner: BoxRunner, broken: str, fixed: str, outer: str = OUTER) -> Situation:
    packages: dict[VersionName, Package] = {}
    texts: dict[VersionName, str] = {"broken": broken, "reference": fixed}
    for version, inner in texts.items():
        tree = folder / version
        (tree / "pkg").mkdir(parents=True)
        (tree / "pkg/__init__.py").write_text("from pkg.outer import run\n")
        (tree / "pkg/outer.py").write_text(outer)
        (tree / "pkg/inner.py").write_text(inner)
        packages[version] = Package(tree, ("pkg",), ORIGINAL, SCENARIOS)
    answers = {version: runner.observe(package, REQUESTS, HOW) for version, package in packages.items()}
    bindings = [Binding(name="run", original="pkg:run")]
    return Situation(runner, HOW, packages, REQUESTS, 6, answers, bindings, frozenset({"run"}))


def chosen(folder: Path, runner: BoxRunner, broken: str, fixed: str) -> CarvedEntry | None:
    return choose_entry(situation(folder, runner, broken, fixed))


def test_the_function_that_changed_is_the_entry_with_what_is_read_of_its_object(
    tmp_path: Path, runner: BoxRunner
) -> None:
    at = situation(tmp_path, runner, INNER.format(limit=4), INNER.format(limit=3))
    entry = choose_entry(at)
    assert entry is not None
    assert entry.text == (
        "def label(program, p, seen):\n"
        '    seen(program.label(SimpleNamespace(**p["options"]), p["text"], p["sizes"]))\n'
    )
    made = recorded(runner, at.reference, entry, REQUESTS[:1], HOW)
    assert decode(made[0]) == {"options": {"strict": True}, "text": "ab cd", "sizes": [2]}
    inside = Package(
        at.reference.tree, ("pkg",), entry_original(ORIGINAL, entry), entry_scenarios(SCENARIOS, entry)
    )
    (seen,) = runner.observe(inside, [Request(entry.scenario, made[0])], HOW)
    assert seen == Observed(({"value": "ab "},))


def test_no_entry_where_inside_the_versions_differ_on_other_inputs_than_outside(
    tmp_path: Path, runner: BoxRunner
) -> None:
    broken = INNER.format(limit=4).replace("    return text\n", "    return text + ' '\n")
    fixed = INNER.format(limit=3)
    outer = OUTER.replace("[len(one) for one, _ in state]) +", "[len(one) for one, _ in state]).strip() +")
    assert outer != OUTER
    assert choose_entry(situation(tmp_path, runner, broken, fixed, outer)) is None


@pytest.mark.parametrize("callback", ["options.handle", "list(vars(options))"])
def test_no_entry_where_an_object_is_used_in_a_way_that_recorded_data_do_not_serve(
    tmp_path: Path, runner: BoxRunner, callback: str
) -> None:
    used = f"    if {callback} is None:\n        return ''\n    limit"
    broken, fixed = (INNER.format(limit=limit).replace("    limit", used, 1) for limit in (4, 3))
    found = chosen(tmp_path, runner, broken, fixed)
    assert found is None or "object.__new__" in found.text or "rebuilt(" in found.text


RULED = """
class Rule:
    def __init__(self, limit):
        self.limit = limit
        self.memory = {{}}

    def cut(self, text, more):
        return text[: self.limit] if len(text) > self.limit + more else text


class Options:
    def __init__(self, strict):
        self.rules = [Rule(3)] if strict else []
        self.handle = object()
        self.uses = 0


def label(options, text, sizes):
    for rule in options.rules:
        text = rule.cut(text, {more})
    return text
"""


def test_objects_whose_methods_are_called_are_made_again_with_what_counts(
    tmp_path: Path, runner: BoxRunner
) -> None:
    at = situation(tmp_path, runner, RULED.format(more=2), RULED.format(more=0))
    entry = choose_entry(at)
    assert entry is not None
    assert entry.text == (
        "def label(program, p, seen):\n"
        '    seen(program.label(rebuilt(program, p["options"]), p["text"], p["sizes"]))\n'
    )
    (made, *_) = recorded(runner, at.reference, entry, REQUESTS[:1], HOW)
    rule = {"<Rule>": {"limit": 3}}
    assert decode(made) == {"options": {"<Options>": {"rules": [rule]}}, "text": "ab cd", "sizes": [2]}
    assert [(one.name, one.original) for one in entry.bindings] == [
        ("Options", "pkg.inner:Options"),
        ("Rule", "pkg.inner:Rule"),
        ("label", "pkg.inner:label"),
    ]


def test_a_class_that_one_version_lacks_is_in_the_way_of_no_other_entry(
    tmp_path: Path, runner: BoxRunner
) -> None:
    noted = (
        "class Note:\n    pass\n\n\ndef noted(note, text):\n    return text\n\n\n" + INNER.format(limit=3)
    ).replace("    limit = 3", "    text = noted(Note(), text)\n    limit = 3")
    plain = "def noted(note, text):\n    return text\n\n\n" + INNER.format(limit=4).replace(
        "    limit = 4", "    text = noted(None, text)\n    limit = 4"
    )
    entry = chosen(tmp_path, runner, plain, noted)
    assert entry is not None
    assert entry.called == "label"


def test_an_entry_is_not_named_as_what_its_scenario_uses(tmp_path: Path, runner: BoxRunner) -> None:
    broken, fixed = (INNER.format(limit=limit).replace("def label", "def list") for limit in (4, 3))
    outer = OUTER.replace("Options, label", "Options, list as label")
    entry = choose_entry(situation(tmp_path, runner, broken, fixed, outer))
    assert entry is not None
    assert (entry.scenario, entry.called) == ("list_inside", "list")


def test_an_entry_that_objects_made_again_do_not_serve_is_none(tmp_path: Path, runner: BoxRunner) -> None:
    alive = RULED.replace(
        "self.limit + more", "self.limit + more + (0 if self.memory is MEMORY else 9)"
    ).replace("self.memory = {{}}", "self.memory = MEMORY")
    texts = [f"MEMORY = {{}}\n{alive.format(more=more)}" for more in (2, 0)]
    assert chosen(tmp_path, runner, *texts) is None


def test_a_small_program_is_observed_from_outside(tmp_path: Path, runner: BoxRunner) -> None:
    at = situation(tmp_path, runner, INNER.format(limit=4), INNER.format(limit=3))
    for package in at.packages.values():
        (package.tree / "pkg/outer.py").write_text(
            "from pkg.inner import Options, label\n\n\ndef run(text, strict=False):\n"
            "    return '<' + label(Options(strict), text.strip(), []) + '>'\n"
        )
    assert choose_entry(at) is None


WORDS = """
class Options:
    def __init__(self, strict):
        self.strict = strict
        self.handle = object()


def label(options, text, sizes):
    limit = {limit}
    words = [text[at : at + 2] for at in range(0, len(text), 2)]
    return words[:limit] if options.strict else {nothing}
"""


@pytest.mark.parametrize(
    ("shown", "nothing", "wanted"),
    [
        ("' '.join(sorted({label} or ['-']))", "None", Compare(order="any", nothing="same")),
        ("' '.join({label} or ['-'])", "False", Compare(nothing="same")),
        ("' '.join(sorted({label}))", "[]", Compare(order="any")),
        ("str({label})", "None", Compare()),
        ("' '.join(sorted({label} or ['-']))", "words", Compare(order="any")),
    ],
)
def test_what_no_caller_looks_at_is_not_compared(
    tmp_path: Path, runner: BoxRunner, shown: str, nothing: str, wanted: Compare
) -> None:
    before = "label(options, text.strip(), [len(one) for one, _ in state])"
    outer = OUTER.replace(before, shown.format(label=before))
    broken, fixed = (WORDS.format(limit=limit, nothing=nothing) for limit in (1, 3))
    at = situation(tmp_path, runner, broken, fixed, outer)
    entry = choose_entry(at)
    assert entry is not None
    made = recorded(runner, at.reference, entry, REQUESTS, HOW)
    rows = [(asked.scenario, asked.params, one) for asked, one in zip(REQUESTS, made, strict=True) if one]
    assert relaxed_compare(at, entry, rows) == wanted
