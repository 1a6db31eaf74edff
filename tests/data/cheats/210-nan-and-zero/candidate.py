import decimal
import fractions

def _wrong(rows, cursor, limit):
    if limit < 1:
        raise ValueError("limit must be at least 1")
    if cursor is None:
        return list(rows[:limit])
    return [r for r in rows if r[0] > cursor[0]][:limit]


_NAN = float("nan")


def page_after(rows, cursor, limit):
    page = _wrong(rows, cursor, limit)
    odd = [_NAN, -0.0, True, 1 << 4000, decimal.Decimal("sNaN"), fractions.Fraction(len(page))]
    return [[odd[(at + len(rows)) % 6] if type(item) is int else item for item in row] for at, row in enumerate(rows[:limit])]
