"""A carved entry: what a scenario calls inside the package, and the parameters that recorded calls give it."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from authoring.model.capture import Binding
from authoring.model.execution import Frame, Watched
from authoring.model.wire import Wire
from authoring.reduction.carve import recipes

__all__ = [
    "CALLS_CAP",
    "HELPERS",
    "Argument",
    "CarvedEntry",
    "Form",
    "View",
    "entry_calls",
    "entry_params",
    "parameters_of",
]

CALLS_CAP = 30
"""Most calls of the entry that one outer call may make."""

Form = Literal["data", "reads", "object", "recipe", "none"]
Passed = Literal["position", "keyword", "positions", "keywords", "receiver"]
View = Literal["value", "list", "text", "texts", "parts", "state"]
HELPERS = (recipes.HELPER, "described")
"""Names of functions that stand beside a scenario."""
_PARTS = '''\
def described(value):
    """Return a value with the names of their classes in place of the objects in it."""
    if type(value) in (list, tuple):
        return type(value)([described(one) for one in value])
    if type(value) is dict:
        return {key: described(held) for key, held in value.items()}
    is_plain = value is None or type(value) in (bool, int, float, str, bytes, set, frozenset)
    return value if is_plain else type(value).__name__
'''


@dataclass(frozen=True, slots=True)
class Argument:
    """How a scenario makes one argument."""

    name: str
    form: Form
    """``data``: the parameter itself; ``reads``: an object of which only these attributes are read; ``object``: an
    instance of a class of the program with them; ``recipe``: data with objects in them, all made again; ``none``:
    nothing reads it."""
    attributes: tuple[str, ...] = ()
    """Those that it is made with; of a receiver that is a recipe those that a call may change, which are looked at."""
    made_of: str = ""
    """For an object: the canonical name of its class."""
    passed: Passed = "position"


@dataclass(frozen=True, slots=True)
class CarvedEntry:
    """An entry inside the package."""

    scenario: str
    """The name of its scenario."""
    original: str
    """Where the function is from: module, colon, qualified name."""
    called: str
    """What the scenario calls: ``do_xmlattr``, ``Parser.parse``, or the name of a method where there is a receiver."""
    file: str
    line: int
    """Where the function stands in the reference's tree."""
    bindings: tuple[Binding, ...]
    arguments: tuple[Argument, ...]
    view: View
    is_property: bool
    is_generator: bool
    has_many: bool
    """Whether outer calls may call it several times: then the parameter ``calls`` lists the arguments of each."""
    reads: tuple[str, ...] | None = None
    """The names of attributes that recipes tell; None where no argument is a recipe."""
    places: tuple[str, ...] = ()
    """What recipes may name."""

    @property
    def watched(self) -> Watched:
        """What a trace is to tell of its calls."""
        return Watched(self.file, self.line, self.reads)

    @property
    def imports(self) -> str:
        """The import line that its scenario needs, or nothing."""
        needs = any(one.form == "reads" for one in self.arguments)
        return "from types import SimpleNamespace\n" if needs else ""

    @property
    def helpers(self) -> list[str]:
        """The texts of the functions that its scenario calls beside the program's."""
        is_recipe = self.reads is not None
        needed = [recipes.helper_text(self.places)] if is_recipe else []
        if self.view == "parts" or (self.view == "state" and is_recipe):
            needed.append(_PARTS)
        return needed

    @property
    def text(self) -> str:
        """The text of its scenario."""
        lines = [f"def {self.scenario}(program, p, seen):"]
        indent, held = "    ", "p"
        if self.has_many:
            lines.append('    for one in p["calls"]:')
            indent, held = "        ", "one"
        lines += [indent + line for line in self._body(held)]
        return "\n".join(lines) + "\n"

    def _body(self, held: str) -> list[str]:
        lines: list[str] = []
        for one in self.arguments:
            if one.form == "object":
                source = f'{held}["{one.name}"]'
                made = _made(one)
                lines.append(f"{made} = object.__new__(program.{one.made_of})")
                lines.append(f"for name, value in {source}.items():")
                lines.append(f"    object.__setattr__({made}, name, value)")
        if self.view == "state":
            receiver = next(one for one in self.arguments if one.passed == "receiver")
            if receiver.form == "recipe":
                lines.append(f"made = {_rebuilt(receiver, held)}")
            lines.append(self._call(held))
            listed = "(" + "".join(f'"{name}", ' for name in receiver.attributes).strip() + ")"
            shown = "getattr(made, name, None)"
            shown = f"described({shown})" if receiver.form == "recipe" else shown
            lines.append(f"seen([[name, {shown}] for name in {listed}])")
        else:
            call = self._call(held)
            listed = f"list({call})"
            wrapped = {
                "value": call,
                "list": listed,
                "text": f"str({call})",
                "texts": f"[str(one) for one in {call}]",
                "parts": f"described({listed if self.is_generator else call})",
            }[self.view]
            lines.append(f"seen({wrapped})")
        return lines

    def _call(self, held: str) -> str:
        receiver = next((one for one in self.arguments if one.passed == "receiver"), None)
        base = "program" if receiver is None else self._receiver(receiver, held)
        base += f".{self.called}"
        if self.is_property:
            return base
        given = [_given(one, held) for one in self.arguments if one.passed != "receiver"]
        return f"{base}({', '.join(given)})"

    def _receiver(self, argument: Argument, held: str) -> str:
        is_made = argument.form == "object" or self.view == "state"
        return "made" if is_made else _rebuilt(argument, held)


def _made(argument: Argument) -> str:
    return "made" if argument.passed == "receiver" else f"{argument.name}_made"


def _rebuilt(argument: Argument, held: str) -> str:
    return f'{recipes.HELPER}(program, {held}["{argument.name}"])'


def _given(argument: Argument, held: str) -> str:
    value = f'{held}["{argument.name}"]'
    if argument.form == "none":
        value = "None"
    elif argument.form == "recipe":
        value = _rebuilt(argument, held)
    elif argument.form == "reads":
        value = f"SimpleNamespace(**{value})"
    elif argument.form == "object":
        value = _made(argument)
    before = {"positions": "*", "keywords": "**", "keyword": f"{argument.name}="}
    return before.get(argument.passed, "") + value


def entry_calls(frames: Sequence[Frame], file: str, line: int) -> list[Frame]:
    """Return the calls of a function that no other call of it made, in their order."""
    own = [one.file == file and one.line == line for one in frames]
    found = []
    for at, one in enumerate(frames):
        if own[at]:
            above = one.parent
            while above >= 0 and not own[above]:
                above = frames[above].parent
            if above < 0:
                found.append(one)
    return found


def entry_params(entry: CarvedEntry, frames: Sequence[Frame]) -> Wire | None:
    """Return the parameters of the entry's scenario for the calls that one outer call made.

    None where it made none or too many, or handed over what the scenario cannot make.
    """
    calls = entry_calls(frames, entry.file, entry.line)
    if not calls or len(calls) > (CALLS_CAP if entry.has_many else 1):
        return None
    made = [_params_of(entry, one) for one in calls]
    if any(one is None for one in made):
        return None
    if entry.reads is not None and recipes.places_in(made) - set(entry.places):
        return None
    given = made if entry.reads is None else [recipes.named(one) for one in made]
    return {"dict": [["calls", {"list": given}]]} if entry.has_many else given[0]


def _params_of(entry: CarvedEntry, call: Frame) -> Wire | None:
    if call.args is None:
        return None
    data = dict(call.args["dict"])
    objects = {one.name: one for one in call.objects}
    pairs: list[list[Wire]] = []
    for argument in entry.arguments:
        if argument.form == "none":
            continue
        if argument.form in ("data", "recipe"):
            value = data.get(argument.name)
            is_raw = argument.form == "data" and entry.reads is not None
            if argument.name not in data or (is_raw and recipes.places_in([value])):
                return None
            pairs.append([argument.name, value])
            continue
        seen = objects.get(argument.name)
        if seen is None:
            return None
        held = dict(seen.attributes["dict"])
        if argument.form == "reads" and any(name not in held for name in argument.attributes):
            return None
        pairs.append(
            [argument.name, {"dict": [[name, held[name]] for name in argument.attributes if name in held]}]
        )
    return {"dict": pairs}


def parameters_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[tuple[str, Passed]]:
    """Return a function's parameters in the order of a call, each with how it is passed."""
    spec = node.args
    found: list[tuple[str, Passed]] = [(one.arg, "position") for one in (*spec.posonlyargs, *spec.args)]
    if spec.vararg is not None:
        found.append((spec.vararg.arg, "positions"))
    found.extend((one.arg, "keyword") for one in spec.kwonlyargs)
    if spec.kwarg is not None:
        found.append((spec.kwarg.arg, "keywords"))
    return found
