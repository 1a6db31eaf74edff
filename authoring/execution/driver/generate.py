"""Draw, shrink or mutate parameters; only their wire texts leave the box."""

from posix import _exit

from authoring.execution.driver.codec import Encoder, Outside, class_name, decode
from authoring.execution.driver.frames import Pipes
from authoring.execution.driver.observe import message_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
else:
    Any = object

MOST_CHANGES = 3


class Enough(BaseException):
    """As many distinct values as were asked for; not an Exception, so that Hypothesis lets it through."""


def serve_draw(pipes: Pipes) -> None:
    """Answer one frame: reply with the values, or with what the domain raised."""
    pipes.send('{"up":true}')
    order = pipes.receive()
    encoder = Encoder(order["reply_bytes"])

    def ask(text: str) -> bool:
        pipes.send('{"ask":' + text + "}")
        return pipes.receive()["answer"] is True

    try:
        values = shrink(order, encoder, ask) if order["do"] == "shrink" else draw(order, encoder)
    except Outside as error:
        pipes.send('{"failed":["Outside",' + encoder.encode(error.phrase) + "]}")
        _exit(1)
    except BaseException as error:
        encoder.start()
        parts = [class_name(type(error))[:80], message_of(error)]
        pipes.send('{"failed":[' + ",".join(encoder.encode(part) for part in parts) + "]}")
        _exit(1)
    pipes.send('{"values":[' + ",".join(values) + "]}")
    _exit(0)


def strategy_of(order: dict[str, Any]) -> Any:
    """Return the domain's strategy of the name that is asked for."""
    scope: dict[str, Any] = {"__name__": "domain", "__builtins__": __builtins__}
    exec(compile(order["domain"], "<domain>", "exec", dont_inherit=True), scope)
    return scope[order["scenario"]](decode(order["constants"], None))


def params_text(value: Any, encoder: Encoder) -> str:
    """Return the wire text of parameters; raise :class:`Outside` for what is no dict or has no wire form."""
    if type(value) is not dict:
        raise Outside("type", "parameters that are no dict")
    return encoder.encode(value)


def settings_of(count: int, *phases: str) -> Any:
    """Return Hypothesis's settings: a budget of examples, and nothing that depends on time or on former runs."""
    hypothesis: Any = __import__("hypothesis")
    return hypothesis.settings(
        max_examples=count,
        database=None,
        deadline=None,
        derandomize=False,
        phases=[hypothesis.Phase[name] for name in phases],
        suppress_health_check=list(hypothesis.HealthCheck),
        verbosity=hypothesis.Verbosity.quiet,
    )


def draw(order: dict[str, Any], encoder: Encoder) -> list[str]:
    """Return at most as many distinct wire texts as were asked for, in the order drawn; mutated ones are new."""
    if order["do"] == "draw":
        return sample(strategy_of(order), order["count"], order["seed"], encoder, frozenset())
    values = [decode(wire, None) for wire in order["values"]]
    known = frozenset([params_text(value, encoder) for value in values])
    encoder.start()
    return sample(mutated(values, order), order["count"], order["seed"], encoder, known)


def sample(strategy: Any, count: int, seed: int, encoder: Encoder, known: frozenset[str]) -> list[str]:
    """Return distinct drawn values' texts; the same for the same seed, whatever was drawn before."""
    hypothesis: Any = __import__("hypothesis")
    found: dict[str, None] = {}

    def take(value: Any) -> None:
        text = params_text(value, encoder)
        if text not in known:
            found[text] = None
        if len(found) >= count:
            raise Enough

    run: Any = hypothesis.seed(seed)(
        settings_of(3 * count + 20, "generate")(hypothesis.given(strategy)(take))
    )
    if count > 0:
        try:
            run()
        except Enough:
            pass
    return list(found)


def shrink(order: dict[str, Any], encoder: Encoder, ask: Any) -> list[str]:
    """Return the simplest value of the domain that the parent wants, or none; ``ask`` tells of each, once."""
    hypothesis: Any = __import__("hypothesis")
    random: Any = __import__("random")
    answers: dict[str, bool] = {}

    def is_wanted(value: Any) -> bool:
        encoder.start()
        text = params_text(value, encoder)
        if text not in answers:
            if len(answers) >= order["count"]:
                raise Enough
            answers[text] = ask(text)
        return answers[text]

    settings = settings_of(order["count"], "generate", "shrink")
    try:
        best = hypothesis.find(
            strategy_of(order), is_wanted, settings=settings, random=random.Random(order["seed"])
        )
    except hypothesis.errors.NoSuchExample:
        return []
    except Enough:
        return sorted(
            [text for text, wanted in answers.items() if wanted], key=lambda text: (len(text), text)
        )[:1]
    return [params_text(best, encoder)]


def mutated(values: list[Any], order: dict[str, Any]) -> Any:
    """Return a strategy of given values of which a few parameters are changed, or taken from others or the domain."""
    st: Any = __import__("hypothesis").strategies
    others = st.sampled_from(values)
    if order["domain"]:
        others = others | strategy_of(order)

    def changed(draw: Any) -> Any:
        value, other = dict(draw(st.sampled_from(values))), draw(others)
        if not value:
            return value
        chosen = draw(st.lists(st.sampled_from(list(value)), min_size=1, max_size=MOST_CHANGES, unique=True))
        for key in chosen:
            crossed = key in other and draw(st.booleans())
            value[key] = other[key] if crossed else draw(st.sampled_from(neighbours(value[key])))
        return value

    return st.composite(changed)()


def neighbours(value: Any) -> list[Any]:
    """Return values near one: numbers beside it, sequences with a part left out or repeated; else it alone."""
    kind = type(value)
    if kind is bool:
        return [not value]
    if kind is int or kind is float:
        return [value + 1, value - 1, -value, value * 2]
    if kind in (str, bytes, list, tuple):
        half = len(value) // 2
        return [value[1:], value[:-1], value[half:], value + value[-1:], value[:1] + value, value[::-1]]
    return [value]
