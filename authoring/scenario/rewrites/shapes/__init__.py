"""The behaviour-preserving rewrites, one a file, each with examples."""

from authoring.scenario.rewrites.rewrite import Rewrite
from authoring.scenario.rewrites.shapes.add_else import ADD_ELSE
from authoring.scenario.rewrites.shapes.comprehension_to_loop import COMPREHENSION_TO_LOOP
from authoring.scenario.rewrites.shapes.de_morgan import DE_MORGAN
from authoring.scenario.rewrites.shapes.drop_else import DROP_ELSE
from authoring.scenario.rewrites.shapes.endless_loop import ENDLESS_LOOP
from authoring.scenario.rewrites.shapes.expand_assignment import EXPAND_ASSIGNMENT
from authoring.scenario.rewrites.shapes.format_call import FORMAT_CALL
from authoring.scenario.rewrites.shapes.inline_result import INLINE_RESULT
from authoring.scenario.rewrites.shapes.invert_branches import INVERT_BRANCHES
from authoring.scenario.rewrites.shapes.loop_to_comprehension import LOOP_TO_COMPREHENSION
from authoring.scenario.rewrites.shapes.name_condition import NAME_CONDITION
from authoring.scenario.rewrites.shapes.name_result import NAME_RESULT
from authoring.scenario.rewrites.shapes.nest_conditions import NEST_CONDITIONS
from authoring.scenario.rewrites.shapes.open_elif import OPEN_ELIF
from authoring.scenario.rewrites.shapes.rename_local import RENAME_LOCAL
from authoring.scenario.rewrites.shapes.split_chain import SPLIT_CHAIN
from authoring.scenario.rewrites.shapes.swap_comparison import SWAP_COMPARISON
from authoring.scenario.rewrites.shapes.swap_definitions import SWAP_DEFINITIONS

__all__ = ["REWRITES"]

REWRITES: tuple[Rewrite, ...] = (
    ADD_ELSE,
    COMPREHENSION_TO_LOOP,
    DE_MORGAN,
    DROP_ELSE,
    ENDLESS_LOOP,
    EXPAND_ASSIGNMENT,
    FORMAT_CALL,
    INLINE_RESULT,
    INVERT_BRANCHES,
    LOOP_TO_COMPREHENSION,
    NAME_CONDITION,
    NAME_RESULT,
    NEST_CONDITIONS,
    OPEN_ELIF,
    RENAME_LOCAL,
    SPLIT_CHAIN,
    SWAP_COMPARISON,
    SWAP_DEFINITIONS,
)
"""All rewrites, by name."""
