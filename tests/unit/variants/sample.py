"""A small contract with all three versions, from which the tests of variants, validation and gate start."""

from typing import Any

from authoring.model.contract import Contract, Entry, Environment, Origin, Rule, ScenarioSpec
from authoring.model.digest import sha256_hex
from authoring.model.execution import How, Observed, Program, Request, Runner
from authoring.model.observation import Compare, Observation, observations_digest
from authoring.model.task import Check, Pool
from authoring.model.variants import VersionName
from authoring.model.wire import encode
from authoring.reduction.align import merge_text
from authoring.variants.material import Material, Tools, observed_types
from authoring.variants.vocabulary import read_words
from tests.memory_runner import MemoryRunner

KEY = b"k" * 32

REFERENCE = """class PageError(ValueError):
    pass


class Listing:
    def __init__(self, rows, limit=40):
        self.rows = sorted(rows)
        self.ceiling = limit

    def page(self, start, size=12):
        if size > self.ceiling:
            raise PageError("too large")
        later = [row for row in self.rows if row >= start]
        return later[:size]


def count_pages(total, size=12):
    whole, rest = divmod(total, size)
    if rest:
        whole += 1
    return whole
"""
BROKEN = REFERENCE.replace("    if rest:\n        whole += 1\n", "").replace("row >= start", "row > start")
HARD = REFERENCE.replace("    if rest:\n        whole += 1\n", "    if rest > 1:\n        whole += 1\n")
SCENARIOS = """def pages(program, p, seen):
    seen(program.count_pages(p["total"], size=p["size"]))


def page(program, p, seen):
    listing = program.Listing(p["rows"], limit=9)
    seen(listing.page(p["start"], size=p["size"]))
"""
DOMAIN = """from hypothesis import strategies as st

SEEN = {}


def pages(constants):
    return st.fixed_dictionaries({"total": st.integers(0, 60), "size": st.integers(1, 9)})


def page(constants):
    rows = st.lists(st.integers(0, 30), max_size=6)
    return st.fixed_dictionaries({"rows": rows, "start": st.integers(0, 30), "size": st.integers(0, 12)})


CUTS = []
"""
PROMPT = 'Repair `⟦ name("count_pages") ⟧` and `⟦ name("Listing.page") ⟧`.\n\n- ⟦ check("p01") ⟧\n'
PROGRAMS: dict[VersionName, str] = {"broken": BROKEN, "hard_negative": HARD, "reference": REFERENCE}
PUBLIC: tuple[tuple[str, dict[str, Any]], ...] = (
    ("pages", {"total": 7, "size": 3}),
    ("page", {"rows": [3, 1, 2], "start": 2, "size": 5}),
    ("page", {"rows": [3, 1], "start": 0, "size": 12}),
)
HIDDEN: tuple[tuple[str, dict[str, Any]], ...] = (
    ("pages", {"total": 10, "size": 9}),
    ("pages", {"total": 8, "size": 3}),
    ("page", {"rows": [5, 5, 6], "start": 5, "size": 2}),
)


def contract() -> Contract:
    return Contract(
        id="pages-lost",
        incident="pages-lost",
        mechanism="boundary",
        group="boundary",
        category="paging",
        symptom="The last page is missing.",
        returns="The number of pages.",
        domain="Any rows.",
        entry=Entry(name="count_pages", kind="function", original="paging:count_pages"),
        environment=Environment(python="3.11"),
        raises=("PageError",),
        origin=Origin(package="paging", releases=("1.0", "1.1"), licence="MIT"),
        reference_digest=sha256_hex(REFERENCE.encode()),
        rules=(Rule(id="whole", text="Every row is on a page."),),
        scenarios=(
            ScenarioSpec(id="pages", function="pages", level="both"),
            ScenarioSpec(id="page", function="page", level="both"),
        ),
    )


def expected(scenario: str, params: dict[str, Any]) -> tuple[Observation, ...]:
    subject = Program(REFERENCE, "program", SCENARIOS, observed_types(contract()))
    (outcome,) = MemoryRunner().observe(subject, [Request(scenario, encode(params))], How())
    assert isinstance(outcome, Observed)
    return outcome.observations


def check(number: int, tier: str, scenario: str, params: dict[str, Any]) -> Check:
    return Check(
        id=f"{tier}{number:02d}",
        name=f"{scenario} {number}",
        scenario=scenario,
        rules=("whole",),
        params=encode(params),
        expect=expected(scenario, params),
    )


def pool() -> Pool:
    inputs = [{"total": total, "size": 4} for total in range(12)]
    digests = tuple(
        observations_digest(KEY, "pool", expected("pages", params), Compare(), "pages-lost/base", index)
        for index, params in enumerate(inputs)
    )
    return Pool(scenario="pages", inputs=tuple(map(encode, inputs)), expect_hmac=digests)


def material() -> Material:
    return Material(
        contract=contract(),
        programs=PROGRAMS,
        scenarios=SCENARIOS,
        domain=DOMAIN,
        prompt_template=PROMPT,
        public=tuple(check(n, "p", *item) for n, item in enumerate(PUBLIC, 1)),
        hidden=tuple(check(n, "h", *item) for n, item in enumerate(HIDDEN, 1)),
        pools=(pool(),),
    )


def mutants(source: str) -> list[tuple[str, str]]:
    """Return two wrong versions of any rendering of the reference."""
    pairs = (("size off by one", ("[:", "[1:")), ("boundary", (" > ", " >= ")), ("start", (">= ", "> ")))
    return [(name, source.replace(*pair)) for name, pair in pairs if pair[0] in source]


def swap_sum(source: str) -> str:
    """A behaviour-preserving rewrite of the sample."""
    return source.replace("+= 1", "+= 2 - 1")


def tools(runner: Runner | None = None, **changes: Any) -> Tools:
    values: dict[str, Any] = {
        "runner": runner or MemoryRunner(),
        "how": How(),
        "key": KEY,
        "words": read_words(),
        "merge": lambda programs: merge_text(programs).lines,
        "mutants_of": mutants,
        "shapes": {"split-a-sum": swap_sum},
    }
    return Tools(**{**values, **changes})


__all__ = ["KEY", "PROGRAMS", "contract", "material", "tools"]
