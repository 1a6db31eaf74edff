"""Analyse one top-level statement: which module-level names it uses and binds, where, and when.

The result depends on the statement's text alone, so that it is made once for all versions that share it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

import libcst as cst

from authoring.reduction.sources.spans import statement_spans
from authoring.reduction.sources.tree import children, is_kind

__all__ = ["Attribute", "ImportName", "Scan", "Scope", "Text", "Use", "parse", "scan"]


@dataclass(slots=True, eq=False)
class Scope:
    """A name space of the statement: ``module``, ``class``, ``function`` or ``comprehension``."""

    kind: str
    parent: "Scope | None" = None
    bound: dict[str, int] = field(default_factory=dict)
    """Names bound here, with the order number of the first binding."""
    assigned: set[str] = field(default_factory=set)
    """Names bound here by anything but an import."""
    declared_global: set[str] = field(default_factory=set)
    declared_nonlocal: set[str] = field(default_factory=set)
    node: cst.CSTNode | None = None

    def captures(self) -> frozenset[str]:
        """Return the names that mean something local at this place, here or in an enclosing function."""
        names = set(self.bound)
        scope = self.parent
        while scope is not None and scope.kind != "module":
            if scope.kind != "class":
                names.update(scope.bound)
            scope = scope.parent
        return frozenset(names - self.declared_global)


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """A place where a module-level name (or a name imported inside a function) is read, bound, deleted or declared."""

    name: str
    node: cst.Name | cst.Subscript
    role: str
    """``load``, ``store``, ``delete``, ``declare`` (a ``global`` statement), or ``module`` for
    ``sys.modules[__name__]``: the module itself."""
    scope: Scope
    home: Scope
    """The scope that the name belongs to: the module's, or that of the function which imports it."""
    statement: cst.CSTNode
    deferred: bool
    """Whether it is evaluated only when a function is called."""
    annotation: str
    """``function`` or ``variable`` inside an annotation, else empty."""
    member: int
    """Index of the statement in the body of the top-level class, or -1."""
    chain: tuple[cst.Attribute, ...]
    """The attribute accesses that follow, innermost first: for ``a.b.c`` those of ``b`` and ``c``."""
    chain_role: str
    """The role of the last attribute of the chain, or of the name itself."""


@dataclass(frozen=True, slots=True, eq=False)
class ImportName:
    """One name that an import statement binds."""

    name: str
    """The bound name; ``*`` for a star import."""
    module: str
    """The module part as written, without leading dots."""
    level: int
    attribute: str
    """The imported name of a ``from`` import; empty for ``import a.b``."""
    renamed: bool
    node: cst.Import | cst.ImportFrom
    alias: cst.ImportAlias | None
    scope: Scope
    statement: cst.CSTNode
    deferred: bool
    member: int

    @property
    def is_from(self) -> bool:
        """Whether it is a ``from`` import."""
        return isinstance(self.node, cst.ImportFrom)


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    """An attribute name that is read, by a dot or by ``getattr`` and its like with a literal."""

    name: str
    node: cst.CSTNode
    statement: cst.CSTNode
    member: int
    by_text: bool
    on_self: bool = False
    """Whether it is read from a name such as ``self`` or ``cls``: the class's own."""
    is_prefix: bool = False
    """Whether only the beginning of the name is known: ``getattr(self, "visit_" + kind)``."""


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A literal text."""

    value: str
    statement: cst.CSTNode
    member: int


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """What one statement says."""

    module: cst.Module
    scope: Scope
    uses: tuple[Use, ...]
    imports: tuple[ImportName, ...]
    attributes: tuple[Attribute, ...]
    texts: tuple[Text, ...]
    """Literal texts that may name something: short ones, and ones that hold an import statement."""
    siblings: tuple[tuple[int, str], ...]
    """For each read of a class's own name in its body: the index of the member that reads, and the name."""
    spans: dict[cst.CSTNode, tuple[int, int]]
    """First and last line of each statement's own header, from 1; nested blocks are not part of it."""
    names: frozenset[str]
    """Every identifier of the statement, for choosing names that are free."""

    @property
    def binds(self) -> tuple[str, ...]:
        """The module-level names that it binds, in order."""
        return tuple(self.scope.bound)


_OWN = {"self", "cls", "klass", "mcs", "mcls", "type_self"}
_CONSTANTS = {"None", "True", "False"}
_WRAPPED_SCOPES = {"function", "comprehension"}


class _Scanner:
    """One walk over a statement; names are resolved when all scopes are known."""

    def __init__(self) -> None:
        self.scope = Scope("module")
        self.statement: cst.CSTNode = cst.Pass()
        self.deferred = False
        self.annotation = ""
        self.member = -1
        self.order = 0
        self.raw: list[tuple[int, Use]] = []
        self.imports: list[ImportName] = []
        self.attributes: list[Attribute] = []
        self.texts: list[Text] = []
        self.names: set[str] = set()

    # -- walking ------------------------------------------------------------------------------------------------

    def walk(self, node: cst.CSTNode) -> None:
        handler = self.HANDLERS.get(type(node))
        if handler is not None:
            handler(self, node)
        else:
            if is_kind(type(node), cst.BaseCompoundStatement):
                self.enter_statement(node)
            for child in children(node):
                self.walk(child)

    def each(self, nodes: Iterable[cst.CSTNode | None]) -> None:
        for node in nodes:
            if node is not None:
                self.walk(node)

    def enter_statement(self, node: cst.CSTNode) -> None:
        self.statement = node

    def inside(self, scope: Scope, deferred: bool, work: Callable[[], None]) -> None:
        saved = self.scope, self.deferred, self.statement
        self.scope, self.deferred = scope, self.deferred or deferred
        work()
        self.scope, self.deferred, self.statement = saved

    def subscript(self, node: cst.Subscript) -> None:
        if _is_own_module(node):
            self.raw.append(
                (
                    self.order,
                    Use(
                        "__name__",
                        node,
                        "module",
                        self.scope,
                        self.scope,
                        self.statement,
                        self.deferred,
                        self.annotation,
                        self.member,
                        (),
                        "load",
                    ),
                )
            )
            return
        self.walk(node.value)
        self.each(node.slice)

    def use(
        self, node: cst.Name, role: str, chain: tuple[cst.Attribute, ...] = (), chain_role: str = ""
    ) -> None:
        if node.value in _CONSTANTS:
            return
        self.order += 1
        self.names.add(node.value)
        use = Use(
            node.value, node, role, self.scope, self.scope, self.statement, self.deferred, self.annotation,
            self.member, chain, chain_role or role,
        )  # fmt: skip
        self.raw.append((self.order, use))
        if role == "store" or (role == "delete" and self.scope.parent is not None):
            self.bind(node.value)

    def bind(self, name: str, by_import: bool = False) -> None:
        self.order += 1
        self.names.add(name)
        scope = self.scope
        if name in scope.declared_global:
            while scope.parent is not None:
                scope = scope.parent
        scope.bound.setdefault(name, self.order)
        if not by_import:
            scope.assigned.add(name)

    # -- statements ---------------------------------------------------------------------------------------------

    def simple_line(self, node: cst.SimpleStatementLine | cst.SimpleStatementSuite) -> None:
        self.enter_statement(node)
        self.each(node.body)

    def block(self, node: cst.IndentedBlock) -> None:
        saved = self.statement
        for item in node.body:
            self.walk(item)
            self.statement = saved

    def handler(self, node: cst.ExceptHandler | cst.ExceptStarHandler) -> None:
        saved = self.statement
        self.enter_statement(node)
        self.each((node.type, node.name, node.body))
        self.statement = saved

    def case(self, node: cst.MatchCase) -> None:
        saved = self.statement
        self.enter_statement(node)
        self.each((node.pattern, node.guard, node.body))
        self.statement = saved

    def function(self, node: cst.FunctionDef) -> None:
        self.enter_statement(node)
        self.each(node.decorators)
        self.use(node.name, "store")
        self.typed(node, lambda: self.function_rest(node))

    def typed(self, node: cst.FunctionDef | cst.ClassDef, work: Callable[[], None]) -> None:
        """Walk the rest inside the scope of the type parameters, where there are some."""
        parameters = node.type_parameters
        if parameters is None:
            work()
            return
        scope = Scope("comprehension", self.scope, node=node)

        def rest() -> None:
            self.walk(parameters)
            work()

        self.inside(scope, False, rest)

    def function_rest(self, node: cst.FunctionDef) -> None:
        self.parameter_defaults(node.params)
        for parameter in _parameters(node.params):
            if parameter.annotation is not None:
                self.annotated(parameter.annotation, "function")
        if node.returns is not None:
            self.annotated(node.returns, "function")
        scope = Scope("function", self.scope, node=node)
        self.inside(scope, True, lambda: self.function_body(node.params, node.body))

    def function_body(self, params: cst.Parameters, body: cst.CSTNode) -> None:
        for parameter in _parameters(params):
            self.bind(parameter.name.value)
        for node in _own_statements(body):
            for name in node.names:
                target = (
                    self.scope.declared_global
                    if isinstance(node, cst.Global)
                    else self.scope.declared_nonlocal
                )
                target.add(name.name.value)
        self.walk(body)

    def lambda_(self, node: cst.Lambda) -> None:
        self.parameter_defaults(node.params)
        scope = Scope("function", self.scope, node=node)
        self.inside(scope, True, lambda: self.function_body(node.params, node.body))

    def parameter_defaults(self, params: cst.Parameters) -> None:
        self.each(parameter.default for parameter in _parameters(params))

    def class_(self, node: cst.ClassDef) -> None:
        self.enter_statement(node)
        self.each(node.decorators)

        def rest() -> None:
            self.each(argument.value for argument in (*node.bases, *node.keywords))
            top = self.scope.kind == "module"
            self.inside(Scope("class", self.scope, node=node), False, lambda: self.class_body(node, top))

        self.typed(node, rest)
        self.use(node.name, "store")

    def class_body(self, node: cst.ClassDef, top: bool) -> None:
        for index, item in enumerate(node.body.body):
            if top:
                self.member = index
            self.walk(item)
        if top:
            self.member = -1

    def global_(self, node: cst.Global) -> None:
        for item in node.names:
            self.scope.declared_global.add(item.name.value)
            self.use(item.name, "declare")

    def nonlocal_(self, node: cst.Nonlocal) -> None:
        self.scope.declared_nonlocal.update(item.name.value for item in node.names)

    def import_(self, node: cst.Import) -> None:
        for alias in node.names:
            module = _dotted(alias.name)
            renamed = alias.asname is not None
            name = _bound_name(alias) if renamed else module.partition(".")[0]
            self.imported(ImportName(
                name, module, 0, "", renamed, node, alias, self.scope, self.statement, self.deferred, self.member
            ))  # fmt: skip

    def import_from(self, node: cst.ImportFrom) -> None:
        module = _dotted(node.module) if node.module is not None else ""
        level = len(node.relative)
        at = (self.scope, self.statement, self.deferred, self.member)
        if isinstance(node.names, cst.ImportStar):
            self.imports.append(ImportName("*", module, level, "*", False, node, None, *at))
            return
        for alias in node.names:
            name = _bound_name(alias)
            renamed = alias.asname is not None
            self.imported(ImportName(name, module, level, _dotted(alias.name), renamed, node, alias, *at))

    def imported(self, item: ImportName) -> None:
        self.imports.append(item)
        self.bind(item.name, by_import=True)

    def delete(self, node: cst.Del) -> None:
        self.target(node.target, "delete")

    def assign(self, node: cst.Assign) -> None:
        self.walk(node.value)
        for item in node.targets:
            self.target(item.target, "store")

    def augmented(self, node: cst.AugAssign) -> None:
        self.walk(node.value)
        if isinstance(node.target, cst.Name):
            self.use(node.target, "load")
        self.target(node.target, "store")

    def annotated_assign(self, node: cst.AnnAssign) -> None:
        self.each((node.value,))
        self.annotated(node.annotation, "variable")
        self.target(node.target, "store")

    def annotated(self, node: cst.Annotation, kind: str) -> None:
        saved = self.annotation
        self.annotation = kind
        self.walk(node.annotation)
        self.annotation = saved

    def for_(self, node: cst.For) -> None:
        self.enter_statement(node)
        self.walk(node.iter)
        self.target(node.target, "store")
        self.each((node.body, node.orelse))

    def named(self, node: cst.NamedExpr) -> None:
        self.walk(node.value)
        scope = self.scope
        while scope.kind == "comprehension" and scope.parent is not None:
            scope = scope.parent
        saved, self.scope = self.scope, scope
        self.target(node.target, "store")
        self.scope = saved

    def as_name(self, node: cst.AsName) -> None:
        self.target(node.name, "store")

    def target(self, node: cst.CSTNode, role: str) -> None:
        """Walk what an assignment, a loop, a ``with`` or a ``del`` binds."""
        if isinstance(node, cst.Name):
            self.use(node, role)
        elif isinstance(node, cst.Tuple | cst.List):
            for element in node.elements:
                self.target(element.value, role)
        elif isinstance(node, cst.Attribute):
            self.attribute(node, role)
        elif isinstance(node, cst.StarredElement):
            self.target(node.value, role)
        else:
            self.walk(node)

    # -- expressions --------------------------------------------------------------------------------------------

    def text(self, node: cst.SimpleString | cst.FormattedStringText) -> None:
        self.literal(node.value if isinstance(node, cst.FormattedStringText) else node.evaluated_value)

    def formatted(self, node: cst.FormattedString) -> None:
        """Take the whole as the text that ``str.format`` would fill in, and each part by itself."""
        if len(node.parts) > 1:
            self.literal(
                "".join(
                    part.value if isinstance(part, cst.FormattedStringText) else "{}" for part in node.parts
                )
            )
        self.each(node.parts)

    def literal(self, value: object) -> None:
        if isinstance(value, str) and (value.isidentifier() or "import " in value or "." in value[1:64]):
            self.texts.append(Text(value, self.statement, self.member))

    def name(self, node: cst.Name) -> None:
        self.use(node, "load")

    def attribute(self, node: cst.Attribute, role: str = "load") -> None:
        chain = [node]
        while isinstance(chain[-1].value, cst.Attribute):
            chain.append(chain[-1].value)
        chain.reverse()
        for item in chain:
            self.names.add(item.attr.value)
            if item is not node or role == "load":
                on_self = isinstance(item.value, cst.Name) and item.value.value in _OWN
                self.attributes.append(
                    Attribute(item.attr.value, item, self.statement, self.member, False, on_self)
                )
        base = chain[0].value
        if isinstance(base, cst.Name):
            self.use(base, "load", tuple(chain), role)
        else:
            self.walk(base)

    def call(self, node: cst.Call) -> None:
        if isinstance(node.func, cst.Name) and node.func.value in (
            "getattr",
            "hasattr",
            "setattr",
            "delattr",
        ):
            for argument in node.args[1:2]:
                text, is_prefix = _literal_name(argument.value)
                if text:
                    self.attributes.append(
                        Attribute(text, node, self.statement, self.member, True, False, is_prefix)
                    )
        self.walk(node.func)
        self.each(argument.value for argument in node.args)

    def argument(self, node: cst.Arg) -> None:
        self.walk(node.value)

    def comprehension(self, node: cst.BaseSimpleComp | cst.DictComp) -> None:
        self.walk(node.for_in.iter)
        scope = Scope("comprehension", self.scope, node=node)
        self.inside(scope, False, lambda: self.comprehension_rest(node))

    def comprehension_rest(self, node: cst.BaseSimpleComp | cst.DictComp) -> None:
        clause: cst.CompFor | None = node.for_in
        while clause is not None:
            if clause is not node.for_in:
                self.walk(clause.iter)
            self.target(clause.target, "store")
            self.each(clause.ifs)
            clause = clause.inner_for_in
        self.each((node.key, node.value) if isinstance(node, cst.DictComp) else (node.elt,))

    def capture(self, node: cst.MatchAs | cst.MatchStar) -> None:
        if isinstance(node, cst.MatchAs):
            self.each((node.pattern,))
        if node.name is not None:
            self.use(node.name, "store")

    def mapping(self, node: cst.MatchMapping) -> None:
        self.each(node.elements)
        if node.rest is not None:
            self.use(node.rest, "store")

    def class_pattern(self, node: cst.MatchClass) -> None:
        self.walk(node.cls)
        self.each(node.patterns)
        self.each(item.pattern for item in node.kwds)

    def type_variable(self, node: cst.TypeVar | cst.TypeVarTuple | cst.ParamSpec) -> None:
        self.bind(node.name.value)
        if isinstance(node, cst.TypeVar):
            self.each((node.bound,))

    def type_alias(self, node: cst.TypeAlias) -> None:
        self.use(node.name, "store")
        self.each((node.type_parameters, node.value))

    HANDLERS: ClassVar[dict[type[cst.CSTNode], Callable[..., None]]] = {
        cst.SimpleStatementLine: simple_line,
        cst.SimpleStatementSuite: simple_line,
        cst.IndentedBlock: block,
        cst.ExceptHandler: handler,
        cst.ExceptStarHandler: handler,
        cst.MatchCase: case,
        cst.FunctionDef: function,
        cst.ClassDef: class_,
        cst.Lambda: lambda_,
        cst.Global: global_,
        cst.Nonlocal: nonlocal_,
        cst.Import: import_,
        cst.ImportFrom: import_from,
        cst.Del: delete,
        cst.Assign: assign,
        cst.AugAssign: augmented,
        cst.AnnAssign: annotated_assign,
        cst.For: for_,
        cst.NamedExpr: named,
        cst.AsName: as_name,
        cst.Name: name,
        cst.SimpleString: text,
        cst.FormattedStringText: text,
        cst.FormattedString: formatted,
        cst.Attribute: attribute,
        cst.Call: call,
        cst.Subscript: subscript,
        cst.Arg: argument,
        cst.ListComp: comprehension,
        cst.SetComp: comprehension,
        cst.GeneratorExp: comprehension,
        cst.DictComp: comprehension,
        cst.MatchAs: capture,
        cst.MatchStar: capture,
        cst.MatchMapping: mapping,
        cst.MatchClass: class_pattern,
        cst.TypeVar: type_variable,
        cst.TypeVarTuple: type_variable,
        cst.ParamSpec: type_variable,
        cst.TypeAlias: type_alias,
    }

    # -- the result ---------------------------------------------------------------------------------------------

    def sibling_uses(self) -> tuple[tuple[int, str], ...]:
        """Return the names of the top-level class that its body reads when it runs."""
        return tuple(
            (use.member, use.name)
            for order, use in self.raw
            if use.member >= 0 and use.role == "load" and _is_top_class(_home(use, order))
        )

    def global_uses(self) -> tuple[Use, ...]:
        found = []
        for order, use in self.raw:
            home = _home(use, order)
            if home.kind == "module" or use.name not in home.assigned:
                found.append(use if home is use.home else _at_home(use, home))
        return tuple(found)


def _is_own_module(node: cst.Subscript) -> bool:
    """Tell whether an expression is ``sys.modules[__name__]``."""
    base = node.value
    if not (isinstance(base, cst.Attribute) and _dotted(base) == "sys.modules" and len(node.slice) == 1):
        return False
    index = node.slice[0].slice
    return (
        isinstance(index, cst.Index) and isinstance(index.value, cst.Name) and index.value.value == "__name__"
    )


def _literal_name(node: cst.BaseExpression) -> tuple[str, bool]:
    """Return a literal text and False, or the literal beginning of a computed text and True."""
    if isinstance(node, cst.BinaryOperation):
        text, is_prefix = _literal_name(node.left)
        cut = text.partition("%")[0] if isinstance(node.operator, cst.Modulo) else text
        return cut, bool(cut) or is_prefix
    if isinstance(node, cst.FormattedString):
        first = node.parts[0] if node.parts else None
        return (first.value, True) if isinstance(first, cst.FormattedStringText) else ("", False)
    if (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Attribute)
        and node.func.attr.value == "format"
    ):
        text = _literal_name(node.func.value)[0].partition("{")[0]
        return text, bool(text)
    value = node.evaluated_value if isinstance(node, cst.SimpleString) else ""
    return (value, False) if isinstance(value, str) else ("", False)


def _is_top_class(scope: Scope) -> bool:
    return scope.kind == "class" and scope.parent is not None and scope.parent.kind == "module"


def _at_home(use: Use, home: Scope) -> Use:
    return Use(
        use.name, use.node, use.role, use.scope, home, use.statement, use.deferred, use.annotation, use.member,
        use.chain, use.chain_role,
    )  # fmt: skip


def _home(use: Use, order: int) -> Scope:
    """Return the scope that a name belongs to by Python's rules."""
    scope: Scope | None = use.scope
    while scope is not None and scope.parent is not None:
        if use.name in scope.declared_global:
            break
        visible = scope.kind in _WRAPPED_SCOPES or scope is use.scope
        if scope.kind == "class" and use.role == "load" and scope.bound.get(use.name, 0) > order:
            visible = False
        if visible and use.name in scope.bound and use.name not in scope.declared_nonlocal:
            return scope
        scope = scope.parent
    while scope is not None and scope.parent is not None:
        scope = scope.parent
    assert scope is not None
    return scope


def _parameters(params: cst.Parameters) -> list[cst.Param]:
    found = [*params.posonly_params, *params.params]
    if isinstance(params.star_arg, cst.Param):
        found.append(params.star_arg)
    found.extend(params.kwonly_params)
    if params.star_kwarg is not None:
        found.append(params.star_kwarg)
    return found


def _own_statements(node: cst.CSTNode) -> Iterable[cst.Global | cst.Nonlocal]:
    """Yield the scope declarations of a function's body, not those of functions inside it."""
    if isinstance(node, cst.Global | cst.Nonlocal):
        yield node
    elif isinstance(node, _HOLDERS) and not isinstance(node, cst.FunctionDef | cst.ClassDef):
        for child in children(node):
            yield from _own_statements(child)


_CLAUSES = (cst.Else, cst.Finally, cst.ExceptHandler, cst.ExceptStarHandler, cst.MatchCase)
_HOLDERS = (cst.BaseSuite, cst.BaseCompoundStatement, cst.SimpleStatementLine, *_CLAUSES)


def _dotted(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Attribute):
        return f"{_dotted(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


def _bound_name(alias: cst.ImportAlias) -> str:
    if alias.asname is not None and isinstance(alias.asname.name, cst.Name):
        return alias.asname.name.value
    return _dotted(alias.name)


@lru_cache(maxsize=65536)
def parse(text: str) -> cst.Module:
    """Parse a statement's text; raise ``libcst.ParserSyntaxError`` where it is not Python."""
    return cst.parse_module(text)


@lru_cache(maxsize=16384)
def scan(text: str) -> Scan:
    """Analyse a statement's text; raise ``libcst.ParserSyntaxError`` where it is not Python."""
    module = parse(text)
    scanner = _Scanner()
    for node in module.body:
        scanner.walk(node)
    uses = scanner.global_uses()
    spans = statement_spans(module, text)
    return Scan(
        module,
        scanner.scope,
        uses,
        tuple(scanner.imports),
        tuple(scanner.attributes),
        tuple(scanner.texts),
        scanner.sibling_uses(),
        spans,
        frozenset(scanner.names),
    )
