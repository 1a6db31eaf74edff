"""Draw parameters from a domain's strategy; only their wire texts leave the box."""

from posix import _exit

from authoring.execution.driver.codec import Encoder, Outside, class_name, decode
from authoring.execution.driver.frames import Pipes
from authoring.execution.driver.observe import message_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
else:
    Any = object


class Enough(BaseException):
    """As many distinct values as were asked for; not an Exception, so that Hypothesis lets it through."""


def serve_draw(pipes: Pipes) -> None:
    """Answer one frame: draw, and reply with the values or with what the domain raised."""
    pipes.send('{"up":true}')
    order = pipes.receive()
    encoder = Encoder(order["reply_bytes"])
    try:
        values = draw(order, encoder)
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


def draw(order: dict[str, Any], encoder: Encoder) -> list[str]:
    """Return at most as many distinct wire texts as were asked for, in the order drawn."""
    scope: dict[str, Any] = {"__name__": "domain", "__builtins__": __builtins__}
    exec(compile(order["domain"], "<domain>", "exec", dont_inherit=True), scope)
    strategy = scope[order["scenario"]](decode(order["constants"], None))
    return sample(strategy, order["count"], order["seed"], encoder)


def sample(strategy: Any, count: int, seed: int, encoder: Encoder) -> list[str]:
    """Return distinct drawn values' texts; the same for the same seed, whatever was drawn before."""
    hypothesis: Any = __import__("hypothesis")

    found: dict[str, None] = {}

    def take(value: Any) -> None:
        if type(value) is not dict:
            raise Outside("type", "parameters that are no dict")
        found[encoder.encode(value)] = None
        if len(found) >= count:
            raise Enough

    settings = hypothesis.settings(
        max_examples=3 * count + 20,
        database=None,
        deadline=None,
        derandomize=False,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
        verbosity=hypothesis.Verbosity.quiet,
    )
    run: Any = hypothesis.seed(seed)(settings(hypothesis.given(strategy)(take)))
    if count > 0:
        try:
            run()
        except Enough:
            pass
    return list(found)
