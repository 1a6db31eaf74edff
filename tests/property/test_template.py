"""The template writer against every text that a string inside a program may hold."""

from hypothesis import given, settings
from hypothesis import strategies as st

from authoring.model.variants import VersionName
from authoring.variants.lines import Line, project
from authoring.variants.render import render_source
from authoring.variants.template import write_template

VERSIONS: tuple[VersionName, ...] = ("broken", "hard_negative", "reference")
AWKWARD = [
    "",
    " ",
    "\t",
    "\x0b",
    "\x0c",
    "\x1c",
    "#% if x",
    "  #% endif",
    "#%- else",
    "⟦",
    "⟧",
    "⟦% raw %⟧",
    "⟦% endraw %⟧",
    "⟦##⟧",
]
texts = st.one_of(
    st.sampled_from(AWKWARD),
    st.text(alphabet=st.sampled_from(list("ab#%⟦⟧{} \t\x0b\x0c\x85 -+")), max_size=12),
)
held = st.sets(st.sampled_from(VERSIONS), min_size=1).map(frozenset)


@given(st.lists(st.tuples(texts, held), max_size=14))
@settings(max_examples=400, deadline=None, database=None)
def test_rendering_a_version_gives_its_source_byte_for_byte(
    body: list[tuple[str, frozenset[VersionName]]],
) -> None:
    everyone: frozenset[VersionName] = frozenset(VERSIONS)
    lines = [Line('text = """', everyone), *(Line(*item) for item in body), Line('"""', everyone)]
    template = write_template(lines)
    for version in VERSIONS:
        assert render_source(template, version, {}) == project(lines, version)
