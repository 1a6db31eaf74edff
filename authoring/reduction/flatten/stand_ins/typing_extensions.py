"""Names of typing_extensions that the standard library has on every supported Python."""

from authoring.reduction.flatten.stand_ins.base import StandIn

__all__ = ["EXAMPLES", "NAMES"]

_SHARED = (
    "Annotated Any AsyncContextManager AsyncGenerator AsyncIterable AsyncIterator Awaitable ClassVar Concatenate "
    "ContextManager Coroutine DefaultDict Deque Final ForwardRef Generator Generic Literal LiteralString Mapping "
    "NamedTuple NewType Never NoReturn NotRequired Optional OrderedDict ParamSpec ParamSpecArgs ParamSpecKwargs "
    "Protocol Required Self Sequence Type TypeAlias TypeGuard TypeVar TypeVarTuple TypedDict Union Unpack "
    "assert_never assert_type cast final get_args get_origin get_type_hints is_typeddict overload reveal_type "
    "runtime_checkable"
).split()

NAMES: dict[tuple[str, str], StandIn] = {
    ("typing_extensions", name): StandIn("typing", name) for name in _SHARED
}

EXAMPLES = (
    (
        "from typing_extensions import Literal\nMODE = Literal['r']\n",
        'from typing import Literal\n\nMODE = Literal["r"]\n',
    ),
)
