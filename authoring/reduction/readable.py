"""Give the reduced programs the form that a person would show."""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import black
import libcst as cst

from authoring.model.variants import VersionName
from authoring.reduction.align import merge_text
from authoring.reduction.edits import Cut, Edit, Splice, apply_edits
from authoring.reduction.expressions import Span, line_tree, strength
from authoring.reduction.lines import frame, indent_of, kind_of, words
from authoring.reduction.merged import MergedLine, MergedProgram

__all__ = ["Readable", "formatted", "readable", "tidy", "without_parentheses"]

_HANDLER = re.compile(r"\s+as\s+(?P<name>\w+)\s*:\Z")


@dataclass(frozen=True, slots=True)
class Readable:
    """The formatted programs, and their merge by physical lines."""

    programs: dict[VersionName, str]
    merged: MergedProgram


def readable(program: MergedProgram) -> Readable:
    """Format every version with black at a width of 100."""
    programs = {version: formatted(text) for version, text in program.programs().items()}
    return Readable(programs, merge_text(programs))


def formatted(source: str) -> str:
    """Return a source as black lays it out."""
    return black.format_str(source, mode=black.Mode(line_length=100, magic_trailing_comma=False))


def tidy(
    program: MergedProgram, exports: frozenset[str] = frozenset()
) -> Iterator[Callable[[MergedProgram], MergedProgram]]:
    """Yield steps towards what a person would write, each of which must be judged on the state before it.

    Imports come first; a version drops imports, assignments and names of exceptions that only another version needs.
    """
    yield _imports_first
    yield without_parentheses
    for version in program.versions:
        yield partial(_without_unused, version=version, exports=exports)


def _imports_first(program: MergedProgram) -> MergedProgram:
    imports = [line for line in program.lines if _is_import(line)]
    rest = [line for line in program.lines if not _is_import(line)]
    return MergedProgram((*sorted(imports, key=_rank), *rest), program.versions)


def without_parentheses(program: MergedProgram) -> MergedProgram:
    """Take away parentheses that neither the parser nor a reader needs."""
    lines = (MergedLine(_bare(line.text), line.versions) for line in program.lines)
    return MergedProgram(tuple(lines), program.versions)


def _bare(text: str) -> str:
    if "(" not in text or "\n" in text:
        return text
    for span in line_tree(text).expressions:
        if getattr(span.node, "lpar", ()) and not _helps(span):
            inner = text[span.start + 1 : span.end - 1]
            bare = f"{text[: span.start]}{inner}{text[span.end :]}"
            if _means(bare) == _means(text):
                return _bare(bare)
    return text


def _helps(span: Span) -> bool:
    """Say whether parentheses tell a reader how operators bind."""
    if isinstance(span.node, cst.Tuple | cst.Yield | cst.GeneratorExp | cst.NamedExpr):
        return True
    within = span.within(cst.BinaryOperation, cst.BooleanOperation, cst.UnaryOperation, cst.ComparisonTarget)
    return strength(span.node) < 14 and (within or span.within(cst.Comparison, cst.IfExp))


def _means(text: str) -> str:
    try:
        return ast.dump(ast.parse(frame(text).source))
    except SyntaxError:
        return ""


def _without_unused(program: MergedProgram, version: VersionName, exports: frozenset[str]) -> MergedProgram:
    """Take from one version what it binds and never names again: imports, variables, names of exceptions."""
    texts = program.texts(version)
    alone = frozenset((version,))
    counts = Counter(word for text in texts for word in words(text))
    meant = Counter(name for text in texts for name in _names(text))
    changes: list[Cut | Splice] = []
    for number, line in enumerate(program.lines):
        if version not in line.versions:
            continue
        handler = _HANDLER.search(line.text) if kind_of(line.text) == "except" else None
        if handler and counts[handler["name"]] == 1:
            changes.append(Splice(number, alone, *handler.span(), ":"))
        elif _is_unused(line.text, counts, meant, exports):
            changes.append(Cut(number, alone))
    return apply_edits(program, [Edit(tuple(changes))])


def _is_unused(text: str, counts: Counter[str], meant: Counter[str], exports: frozenset[str]) -> bool:
    """Say whether a line binds what nothing else names; of what an import binds, texts and attributes do not count."""
    made = frame(text)
    if made.kind != "simple":
        return False
    node = ast.parse(made.source).body[0]
    if isinstance(node, ast.Import | ast.ImportFrom):
        names = [alias.asname or alias.name.split(".")[0] for alias in node.names]
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            return False
        counts = meant
    elif isinstance(node, ast.Assign) and made.indent and all(isinstance(t, ast.Name) for t in node.targets):
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
    else:
        return False
    return all(counts[name] == 1 and name not in exports for name in names)


def _names(text: str) -> frozenset[str]:
    """Return the names that a line binds or reads, those of annotations written as texts included."""
    made = frame(text)
    if made.kind in ("else", "finally") or not made.body:
        return frozenset()
    found: set[str] = set()
    for node in ast.walk(ast.parse(made.source)):
        match node:
            case ast.Name(id=name):
                found.add(name)
            case ast.alias(name=name, asname=asname):
                found.add(asname or name.partition(".")[0])
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                found.update(names)
            case ast.arg(annotation=ast.expr() as hint) | ast.AnnAssign(annotation=hint):
                found |= _quoted(hint)
            case (
                ast.FunctionDef(returns=ast.expr() as hint) | ast.AsyncFunctionDef(returns=ast.expr() as hint)
            ):
                found |= _quoted(hint)
    return frozenset(found)


def _quoted(hint: ast.expr) -> frozenset[str]:
    texts = [
        node.value
        for node in ast.walk(hint)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return frozenset().union(*map(words, texts))


def _is_import(line: MergedLine) -> bool:
    return (
        indent_of(line.text) == 0
        and line.text.startswith(("import ", "from "))
        and not line.text.endswith(":")
    )


def _rank(line: MergedLine) -> tuple[bool, bool, str]:
    return (not line.text.startswith("from __future__"), line.text.startswith("from "), line.text)
