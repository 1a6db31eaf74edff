"""The warm servers that are up, by what they have in common with a run; a lost one is replaced and counted."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from authoring.execution.box import Mounts
from authoring.execution.interpreter import Interpreter
from authoring.execution.warm import ServerLostError, WarmServer
from authoring.model.execution import Perturbation

__all__ = ["ServerPool"]

_Key = tuple[str, Mounts, int, str, str]


class ServerPool:
    """Lends servers, one run at a time each; keeps the most recently used few."""

    def __init__(self, most: int = 6) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._idle: OrderedDict[WarmServer, _Key] = OrderedDict()
        self._slots = 0
        self.lost = 0
        self.ended_cpu_s = 0.0

    @contextmanager
    def borrow(self, interpreter: Interpreter, mounts: Mounts, how: Perturbation) -> Iterator[WarmServer]:
        """Lend a server for one run; one that is lost, or left in the middle of a run, is not used again."""
        key = (str(interpreter.binary), mounts, how.hash_seed, how.tz, how.locale)
        server = self._take(key) or WarmServer(interpreter, mounts, how, self._new_slot())
        try:
            yield server
        except BaseException as error:
            self._end(server)
            if isinstance(error, ServerLostError):
                self.lost += 1
            raise
        self._give_back(server, key)

    def _new_slot(self) -> int:
        with self._lock:
            self._slots += 1
            return self._slots % 16

    def _take(self, key: _Key) -> WarmServer | None:
        with self._lock:
            for server, known in reversed(self._idle.items()):
                if known == key:
                    del self._idle[server]
                    return server
        return None

    def _give_back(self, server: WarmServer, key: _Key) -> None:
        with self._lock:
            self._idle[server] = key
            surplus = [self._idle.popitem(last=False)[0] for _ in range(len(self._idle) - self._most)]
        for old in surplus:
            self._end(old)

    def _end(self, server: WarmServer) -> None:
        self.ended_cpu_s += server.close()

    def idle(self) -> tuple[WarmServer, ...]:
        """Return the servers that are up and not lent."""
        with self._lock:
            return tuple(self._idle)

    def close(self) -> None:
        """End every server that is not lent."""
        with self._lock:
            servers = list(self._idle)
            self._idle.clear()
        for server in servers:
            self._end(server)
