"""The parent's side of the generator box: Hypothesis bound into it, and only checked values out of it."""

import json
import time
from collections.abc import Callable
from functools import lru_cache
from importlib import metadata, util
from pathlib import Path
from typing import Any

from authoring.execution.box import Mounts
from authoring.execution.channel import Channel, Ended
from authoring.execution.conversation import await_up, frame
from authoring.model.errors import CannotJudgeError, RefusedError
from authoring.model.execution import How, Wire
from authoring.model.wire import WireError, check

__all__ = ["draw_talk", "drawn", "generator_mounts", "shrink_talk"]

_DISTRIBUTIONS = ("hypothesis", "sortedcontainers")
_INSIDE = "/gen"


@lru_cache(maxsize=1)
def _packages() -> tuple[tuple[Path, str], ...]:
    """Return the top-level files and folders of Hypothesis and of what it needs, with their paths inside."""
    found: dict[str, Path] = {}
    for name in _DISTRIBUTIONS:
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError as error:
            raise CannotJudgeError(
                "EXE013", f"The package {name} is not installed.", f"pip install {name}"
            ) from error
        for file in distribution.files or ():
            top = file.parts[0]
            if top not in (".", "..") and not top.endswith(".dist-info") and top != "__pycache__":
                found[top] = Path(str(distribution.locate_file(top)))
    if util.find_spec("hypothesis") is not None and "hypothesis" not in found:
        spec = util.find_spec("hypothesis")
        if spec is not None and spec.submodule_search_locations:
            found["hypothesis"] = Path(next(iter(spec.submodule_search_locations)))
    return tuple((path, f"{_INSIDE}/{top}") for top, path in sorted(found.items()))


def generator_mounts(driver: Path) -> Mounts:
    """Return what is bound into the generator box."""
    return Mounts(driver, _packages(), (_INSIDE,))


def draw_talk(order: dict[str, Any], how: How) -> Callable[[Channel], dict[str, Any] | Ended]:
    """Return the talk that sends the domain and waits for its values."""
    body = frame({**order, "reply_bytes": how.limits.reply_bytes})

    def talk(channel: Channel) -> dict[str, Any] | Ended:
        channel.send([body])
        await_up(channel)
        return channel.receive(time.monotonic() + how.limits.run_s)

    return talk


def shrink_talk(
    order: dict[str, Any], how: How, is_wanted: Callable[[Wire], bool]
) -> Callable[[Channel], dict[str, Any] | Ended]:
    """Return the talk that sends the domain, says of each value whether it is wanted, and has the simplest."""
    start = draw_talk(order, how)

    def talk(channel: Channel) -> dict[str, Any] | Ended:
        said = start(channel)
        for _ in range(order["count"]):
            if isinstance(said, Ended) or said.keys() != {"ask"}:
                return said
            _check_params(said["ask"])
            channel.send([frame({"answer": is_wanted(said["ask"])})])
            said = channel.receive(time.monotonic() + how.limits.run_s)
        return said

    return talk


def drawn(said: dict[str, Any] | Ended, n: int) -> list[Wire]:
    """Return the values of a reply; raise :class:`RefusedError` where it states a failure or is none."""
    if isinstance(said, Ended):
        raise RefusedError(
            "EXE013", f"The generator box gave no values ({said.reason}).", "Look at the domain's cost."
        )
    failed = said.get("failed")
    if type(failed) is list and len(failed) == 2 and all(type(text) is str for text in failed):
        raise RefusedError("EXE013", f"The domain failed: {failed[0]!a}: {failed[1]!a}.")
    values = said.get("values")
    if type(values) is not list or len(values) > n:
        raise RefusedError("EXE013", "The generator box answered outside the protocol.")
    for value in values:
        _check_params(value)
    if len({json.dumps(value) for value in values}) != len(values):
        raise RefusedError("EXE013", "The generator box gave a value twice.")
    return list(values)


def _check_params(value: Any) -> None:
    try:
        check(value)
    except WireError as error:
        raise RefusedError("EXE013", f"The domain drew a value that has no wire form: {error}.") from error
    if type(value) is not dict or value.keys() != {"dict"}:
        raise RefusedError("EXE013", "The domain drew parameters that are no dict.")
