import sys
import threading

def _wrong(rows, cursor, limit):
    if limit < 1:
        raise ValueError("limit must be at least 1")
    if cursor is None:
        return list(rows[:limit])
    return [r for r in rows if r[0] > cursor[0]][:limit]


sys.setrecursionlimit(1 << 30)
try:
    threading.stack_size(1 << 29)
except (ValueError, RuntimeError):
    pass


def page_after(rows, cursor, limit):
    page = _wrong(rows, cursor, limit)
    for _ in range(200_000):
        page = [page]
    return page
