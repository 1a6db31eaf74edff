"""Lift a reproducer: every assertion a check of its own, with a scenario that observes what it asserts."""

import ast
import builtins
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import ModuleType

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from authoring.model.capture import Binding
from authoring.model.wire import encode
from authoring.scenario.lifting.compose import Raw, Shape, finished, parsed, shaped
from authoring.scenario.lifting.find import Found, find_checks, imports_of, single_constants
from authoring.scenario.lifting.lifted import (
    Lifted,
    LiftedCase,
    LiftedScenario,
    LiftingError,
    Option,
    Reason,
)
from authoring.scenario.lifting.literals import Constants
from authoring.scenario.lifting.parameters import Signature, passed_parameters, varying_calls
from authoring.scenario.lifting.references import Names, explicit_stars, is_package_name
from authoring.scenario.lifting.seed import Seed, plant
from authoring.scenario.lifting.steps import operations_of, with_steps
from authoring.scenario.lifting.syntax import Statement, code, dotted, flat, single, uses, walk

__all__ = ["lift"]

_DEPTH_CAP = 120
_NOT_ALONE = ("globals", "locals", "__file__", "inspect", "pytest", "__name__")


def _unknown(_: str) -> None:
    return None


def lift(
    source: str,
    import_name: str,
    is_module: Callable[[str], bool],
    *,
    signature: Signature = _unknown,
    only: str = "",
    evaluated: frozenset[str] = frozenset(),
    plain: frozenset[str] = frozenset(),
) -> Lifted:
    """Return a reproducer's checks and scenarios.

    ``is_module`` says whether a dotted name is a module of the package's tree, ``signature`` gives the positional
    parameters of ``module:name`` where they are known, ``only`` limits it to one pytest node, and for the checks in
    ``evaluated`` the judgements before them are evaluated instead of left out. In the checks in ``plain`` operations
    on an object stay the statements that they are. Raises :class:`LiftingError` INC010, INC011 or INC012.
    """
    module = _parse(source)
    module, position = _positioned(module, is_module)
    found, unfit = find_checks(module, position, only=only)
    if evaluated:
        wider, _ = find_checks(module, position, only=only, evaluated=evaluated)
        found = [other if other.id in evaluated else one for one, other in zip(found, wider, strict=True)]
    if not found:
        _refuse_nothing(unfit, only)
    seeds = [plant(each, is_module) for each in found]
    names = Names()
    raws = [parsed(seed, _owner(seed, seeds), is_module, names) for seed in seeds]
    reasons = [_reason(raw) for raw in raws]
    void = {raw.seed.found.id for raw, why in zip(raws, reasons, strict=True) if why and why.code == "SCN001"}
    if void - evaluated:
        # what is judged after something else may depend on what that did
        more = evaluated | void
        return lift(
            source, import_name, is_module, signature=signature, only=only, evaluated=more, plain=plain
        )
    filled, varying = _called(raws)
    fit = [raw for raw, reason in zip(raws, reasons, strict=True) if reason is None]
    operations = operations_of([raw for raw in fit if raw.seed.found.id not in plain])
    stepped = [raw if raw.seed.found.id in plain else with_steps(raw, operations) for raw in fit]
    shapes = {raw.seed.found.id: shaped(raw, filled, varying, names.original, signature) for raw in stepped}
    groups = _grouped([shapes[raw.seed.found.id] for raw in fit])
    cases, scenarios = _named(seeds, reasons, groups)
    by_steps = {new.seed.found.id for old, new in zip(fit, stepped, strict=True) if new is not old}
    cases = [replace(case, has_steps=case.id in by_steps) for case in cases]
    raises = _raises(seeds, names, is_module)
    return Lifted(
        checks=tuple(cases),
        scenarios=tuple(scenarios),
        bindings=tuple(_bindings(names, scenarios, raises)),
        modules=_modules(source, import_name, is_module, names),
        foreign=_foreign(source, is_module),
        raises=raises,
        before_import=_before_import(module, is_module),
        unfit=tuple((each.id, each.line, each.reason) for each in unfit),
    )


def _parse(source: str) -> cst.Module:
    """Parse the text; what nests deeper than any person writes is refused before a parser without bounds sees it."""
    try:
        depth = _depth(ast.parse(source))
    except (RecursionError, MemoryError):
        depth = _DEPTH_CAP + 1
    except (SyntaxError, ValueError) as error:
        if "nested" in str(error):
            raise LiftingError("INC010", f"The reproducer is not Python: {error}") from error
        depth = 0
    if depth > _DEPTH_CAP:
        raise LiftingError("INC010", "The reproducer is nested too deeply to be read.")
    try:
        return cst.parse_module(source)
    except cst.ParserSyntaxError as error:
        message = f"The reproducer is not Python: line {error.raw_line}, {error.message.splitlines()[0]}"
        raise LiftingError("INC010", message, error.raw_line) from error


def _depth(tree: ast.AST) -> int:
    """Return the depth of the tree, without recursion."""
    depth, level = 0, [tree]
    while level:
        depth, level = depth + 1, [child for node in level for child in ast.iter_child_nodes(node)]
    return depth


def _refuse_nothing(unfit: Sequence[object], only: str) -> None:
    if unfit:
        first = unfit[0]
        reason = getattr(first, "reason", "")
        message = f"The test {getattr(first, 'id', '')} cannot be taken: {reason}."
        raise LiftingError("INC012", message, getattr(first, "line", 0))
    if only:
        raise LiftingError("INC012", f"There is no test {only} in the module.")
    raise LiftingError("INC011", "The reproducer holds no assertion and no call that has to end.")


def _positioned(
    module: cst.Module, is_module: Callable[[str], bool]
) -> tuple[cst.Module, Callable[[cst.CSTNode, int], int]]:
    found = uses(list(module.body))
    unbound = found.reads - found.binds - set(dir(builtins))
    if any(isinstance(getattr(single(node), "names", None), cst.ImportStar) for node in module.body):
        module = explicit_stars(module, unbound, is_module, _standard_name)
    wrapper = MetadataWrapper(module)
    positions = wrapper.resolve(PositionProvider)

    def position(node: cst.CSTNode, default: int) -> int:
        place = positions.get(node)
        if place is None and isinstance(node, cst.SimpleStatementLine) and node.body:
            place = positions.get(node.body[0])
        return default if place is None else int(place.start.line)

    return wrapper.module, position


def _standard_name(module: str, name: str) -> bool | None:
    """Return whether a module of the standard library has a name; None for other modules."""
    if module.partition(".")[0] not in sys.stdlib_module_names:
        return None
    loaded: ModuleType | None = sys.modules.get(module)
    return loaded is not None and hasattr(loaded, name)


def _owner(seed: Seed, seeds: Sequence[Seed]) -> Callable[[Statement], bool]:
    """Return whether a statement is set-up of this check's own: at module level all of it, where nothing is a function.

    Where checks are functions, what two of them share is constant.
    """
    others = {
        id(line.node) for other in seeds if other.found.origin != seed.found.origin for line in other.kept
    }
    mine = {id(line.node) for line in seed.kept if not isinstance(line.node, cst.FunctionDef | cst.ClassDef)}
    if not seed.found.function:
        others = set()
    return lambda node: id(node) in mine and id(node) not in others


def _reason(raw: Raw) -> Reason | None:
    text = "\n".join(code(node) for node in raw.lines)
    if "program." not in text and "program)" not in text and "program," not in text:
        return Reason("SCN001", "Nothing of the package is left in the check when it stands alone.")
    reads = uses(list(raw.lines)).reads
    for name in _NOT_ALONE:
        if name in reads:
            return Reason("SCN002", f"It relies on {name}, which a scenario does not have.")
    return None


def _called(raws: Sequence[Raw]) -> tuple[dict[str, frozenset[str]], frozenset[str]]:
    """Return what checks pass to the reproducer's functions, and which of the package's they call variously."""
    helpers: dict[str, cst.FunctionDef] = {}
    calls: list[tuple[cst.Call, Constants]] = []
    for raw in raws:
        helpers |= raw.helpers
        lines = [node for node in raw.lines if not isinstance(node, cst.FunctionDef | cst.ClassDef)]
        constants = single_constants(list(raw.lines))

        calls += [(each, constants) for node in lines for each in walk(node) if isinstance(each, cst.Call)]
    return passed_parameters([call for call, _ in calls], helpers), varying_calls(calls)


def _grouped(shapes: Sequence[Shape]) -> list[list[Shape]]:
    groups: dict[str, list[Shape]] = {}
    for shape in shapes:
        groups.setdefault(shape.options[0].text, []).append(shape)
    return list(groups.values())


def _keys(group: Sequence[Shape]) -> list[str]:
    keys: list[str] = []
    for position, first in enumerate(group[0].parameters):
        same = {shape.parameters[position].hint for shape in group}
        wanted = first.hint if not first.is_weak or len(same) == 1 else "value"
        key, number = wanted, 2
        while key in keys:
            key, number = f"{wanted}{number}", number + 1
        keys.append(key)
    return keys


def _named(
    seeds: Sequence[Seed], reasons: Sequence[Reason | None], groups: Sequence[list[Shape]]
) -> tuple[list[LiftedCase], list[LiftedScenario]]:
    taken: set[str] = set()
    made: dict[str, LiftedCase] = {}
    scenarios: list[LiftedScenario] = []
    for group in groups:
        name = _free_name(group[0].called, taken)
        keys = _keys(group)
        texts: list[str] = []
        for shape in group:
            options = tuple(
                Option(each.words, finished(each.text, name, keys), each.only_bool) for each in shape.options
            )
            texts += [option.text for option in options if option.text not in texts]
            params = {key: parameter.value for key, parameter in zip(keys, shape.parameters, strict=True)}
            made[shape.seed.found.id] = _case(
                shape.seed.found, shape.seed.script, name, encode(params), options
            )
        checks = tuple(shape.seed.found.id for shape in group)
        scenarios.append(LiftedScenario(name, checks, tuple(texts)))
    cases = []
    for seed, reason in zip(seeds, reasons, strict=True):
        bare = _case(seed.found, seed.script, "", {"dict": []}, (), reason)
        cases.append(made.get(seed.found.id, bare))
    return cases, scenarios


def _free_name(wanted: str, taken: set[str]) -> str:
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    taken.add(name)
    return name


def _case(
    found: Found,
    script: str,
    scenario: str,
    params: object,
    options: tuple[Option, ...],
    reason: Reason | None = None,
) -> LiftedCase:
    return LiftedCase(
        id=found.id,
        function=found.function,
        line=found.line,
        script=script,
        kind=found.item.kind,
        scenario=scenario,
        params=params,
        options=options,
        reason=reason,
    )


def _bindings(names: Names, scenarios: Sequence[LiftedScenario], raises: Sequence[str]) -> list[Binding]:
    texts = "\n".join(text for scenario in scenarios for text in scenario.texts)
    read = program_names(texts) | set(raises)
    made = [
        Binding(name=given, original=f"{module}:{name}")
        for (module, name), given in names.given.items()
        if given in read
    ]
    return sorted(made, key=lambda binding: binding.name)


def program_names(text: str) -> set[str]:
    """Return the names that a text reads from ``program``."""
    return {
        node.attr.value
        for node in walk(cst.parse_module(text))
        if isinstance(node, cst.Attribute)
        and isinstance(node.value, cst.Name)
        and node.value.value == "program"
    }


def _modules(
    source: str, import_name: str, is_module: Callable[[str], bool], names: Names
) -> tuple[str, ...]:
    found = {module for module, _ in names.given}
    for name in _imported(source):
        parts = name.split(".")
        known = [".".join(parts[:at]) for at in range(1, len(parts) + 1)]
        found |= {each for each in known if is_module(each)}
    found.discard(import_name)
    return (import_name, *sorted(found))


def _imported(source: str) -> list[str]:
    found: list[str] = []
    for node in walk(cst.parse_module(source)):
        if isinstance(node, cst.Import):
            found += [dotted(alias.name) or "" for alias in node.names]
        if isinstance(node, cst.ImportFrom) and not node.relative and node.module is not None:
            base = dotted(node.module) or ""
            found.append(base)
            if not isinstance(node.names, cst.ImportStar):
                found += [f"{base}.{code(alias.name)}" for alias in node.names]
    return found


def _foreign(source: str, is_module: Callable[[str], bool]) -> tuple[str, ...]:
    tops = {name.split(".")[0] for name in _imported(source)}
    known = set(sys.stdlib_module_names) | {"pytest", "__future__"}
    return tuple(sorted(top for top in tops if top not in known and not is_package_name(top, is_module)))


def _raises(seeds: Sequence[Seed], names: Names, is_module: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the canonical names of the package's exceptions that checks must raise or that handlers name."""
    found: set[str] = set()
    for seed in seeds:
        imports = imports_of([line.node for line in seed.kept])
        for node in _caught(seed):
            full = _full_name(node, imports)
            if full is not None and is_package_name(full, is_module):
                parts = full.split(".")
                length = max(at for at in range(1, len(parts)) if is_module(".".join(parts[:at])))
                found.add(names.canonical(".".join(parts[:length]), parts[length]))
    return tuple(sorted(found))


def _full_name(node: cst.CSTNode, imports: Mapping[str, str]) -> str | None:
    name = dotted(node)
    if name is None:
        return None
    head, _, rest = name.partition(".")
    known = imports.get(head)
    return None if known is None else f"{known}.{rest}" if rest else known


def _caught(seed: Seed) -> list[cst.BaseExpression]:
    handlers = [
        node.type
        for line in seed.kept
        for node in walk(line.node)
        if isinstance(node, cst.ExceptHandler) and node.type is not None
    ]
    named = [*handlers, *([seed.found.item.errors] if seed.found.item.errors is not None else [])]
    found: list[cst.BaseExpression] = []
    for node in named:
        found += [each.value for each in node.elements] if isinstance(node, cst.Tuple) else [node]
    return found


def _before_import(module: cst.Module, is_module: Callable[[str], bool]) -> str:
    """Return what stands before the first import of the package, if something there has an effect."""
    before: list[Statement] = []
    for node in flat(module.body):
        if isinstance(single(node), cst.Import | cst.ImportFrom):
            imported = imports_of([node]).values()
            if any(is_package_name(full, is_module) for full in imported):
                break
        before.append(node)
    effects = [
        node
        for node in before
        if (isinstance(single(node), cst.Assign) and "environ" in code(node))
        or (isinstance(single(node), cst.Expr) and "environ" in code(node))
    ]
    if not effects or len(before) == len(flat(module.body)):
        return ""
    needed = set().union(*(uses(node).reads for node in effects))
    kept = [node for node in before if node in effects or uses(node).binds & needed]
    return cst.Module(body=kept).code
