"""Render a template of source or prose for one version of one variant, within bounds that hold for hostile
templates.

A template may choose and fill in, nothing else: its syntax tree is checked against a short list before it
runs, so it has no loops, macros, filters, arithmetic or includes, and its output is linear in its size.
"""

import ast
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jinja2 import StrictUndefined, Undefined, nodes
from jinja2.exceptions import SecurityError, TemplateError, UndefinedError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from authoring.model.errors import UsageError
from authoring.model.variants import VersionName
from authoring.variants.literal import write_literal

__all__ = ["Constants", "render_prose", "render_source"]

_SIZE_CAP = 1 << 20
_ALLOWED = (
    nodes.Template,
    nodes.Output,
    nodes.TemplateData,
    nodes.If,
    nodes.Compare,
    nodes.Operand,
    nodes.Const,
    nodes.Tuple,
    nodes.Name,
    nodes.Getattr,
    nodes.And,
    nodes.Or,
    nodes.Not,
)


class _Word(str):
    """Text that is written as it is, not as a literal."""

    __slots__ = ()


class Constants:
    """The constant slots of a template, read as attributes."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.__dict__.update({name: value for name, value in values.items() if not name.startswith("_")})


def render_source(template: str, version: VersionName, constants: Mapping[str, Any]) -> str:
    """Return one version's source; raise ``UsageError`` where the template or its output is not sound."""
    source = _render(template, {"version": version, "constants": Constants(constants)}, calls=frozenset())
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = (
            error.msg
            if isinstance(error, SyntaxError)
            else "it is nested too deeply or holds null characters"
        )
        raise UsageError(
            "VAR003",
            f"source.py.j2 renders the version {version} as text that is not Python: {reason}",
            "Compare the template's choices with the programs in program/.",
            stage="vary",
        ) from error
    return source


def render_prose(
    template: str,
    names: Mapping[str, str],
    constants: Mapping[str, Any],
    examples: Mapping[str, str] | None = None,
) -> str:
    """Return a prompt with this variant's identifiers, constants and public checks.

    ``names`` maps base names to the variant's; ``examples`` the ids of its public checks to what each says. One that
    is not there, such as a check that an edited prompt still names, is written as its id.
    """

    def name(base: str) -> str:
        return _Word(".".join(names.get(part, part) for part in str(base).split(".")))

    def check(identity: str) -> str:
        said = (examples or {}).get(str(identity))
        return _Word(f"`{identity}`: {said}" if said else f"`{identity}`")

    values = {"name": name, "check": check, "constants": Constants(constants)}
    return _render(template, values, calls=frozenset({"name", "check"}))


def _render(template: str, values: Mapping[str, Any], calls: frozenset[str]) -> str:
    if len(template) > _SIZE_CAP:
        raise _refusal(f"it is longer than {_SIZE_CAP} characters")
    environment = _environment()
    try:
        tree = environment.parse(template)
        _check(tree, calls)
        return environment.from_string(tree).render(values)
    except (TemplateError, RecursionError, MemoryError, SyntaxError, ValueError, OverflowError) as error:
        raise _refusal(_reason(error)) from error


def _reason(error: Exception) -> str:
    if isinstance(error, SecurityError):
        return "it reads what a template may not read"
    if isinstance(error, UndefinedError):
        return f"a name is not defined: {error.message}"
    if isinstance(error, TemplateError):
        return str(error.message)
    return "it is nested too deeply"


def _refusal(reason: str) -> UsageError:
    return UsageError(
        "VAR002",
        f"the template cannot be rendered: {reason}",
        "Templates hold text, `#% if` choices and ⟦ ⟧ slots for constants and names.",
        stage="vary",
    )


def _check(tree: nodes.Template, calls: frozenset[str]) -> None:
    """Raise for any construct beyond choices and slots; iterative, so that depth costs nothing."""
    pending: list[nodes.Node] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, nodes.Call):
            plain = isinstance(node.node, nodes.Name) and node.node.name in calls and len(node.args) == 1
            if (
                not plain
                or node.kwargs
                or node.dyn_args
                or node.dyn_kwargs
                or not isinstance(node.args[0], nodes.Const)
            ):
                raise _refusal(f"line {node.lineno} calls something")
        elif isinstance(node, nodes.Getattr):
            if not isinstance(node.node, nodes.Name) or node.node.name != "constants":
                raise _refusal(f"line {node.lineno} reads an attribute of something else than constants")
        elif not isinstance(node, _ALLOWED):
            raise _refusal(
                f"line {node.lineno} holds {type(node).__name__.lower()}, which is neither a choice nor a "
                f"slot"
            )
        pending.extend(node.iter_child_nodes())


@lru_cache(maxsize=1)
def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        line_statement_prefix="#%",
        variable_start_string="⟦",
        variable_end_string="⟧",
        block_start_string="⟦%",
        block_end_string="%⟧",
        comment_start_string="⟦#",
        comment_end_string="#⟧",
        keep_trailing_newline=True,
        newline_sequence="\n",
        undefined=StrictUndefined,
        finalize=_finalize,
        autoescape=False,
        cache_size=0,
    )
    environment.globals.clear()
    return environment


def _finalize(value: Any) -> Any:
    return value if isinstance(value, Undefined | _Word) else write_literal(value)
