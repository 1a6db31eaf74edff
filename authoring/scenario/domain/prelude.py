"""The building blocks of a generated domain.py: each is copied into the file that uses it.

They draw only with constructs that give the same values on every Python: no Unicode tables, no types.
"""

import datetime
from typing import Any

from hypothesis import strategies as st

Draw = st.SearchStrategy[Any]


def whole(numbers: list[int], low: int, high: int) -> Draw:
    """A number of the list, one related to it, one beside it, one where rounding turns over, or any."""
    related = {
        f(n)
        for n in numbers
        for f in (int, lambda n: -n, lambda n: 2 * n, lambda n: n // 2, lambda n: 10 * n)
    }
    inside = sorted(n for n in related if low <= n <= high)
    beside = st.tuples(st.sampled_from(inside), st.integers(-2, 2)).map(sum)
    parts = st.tuples(st.sampled_from(inside), st.sampled_from([2, 20, 200, 2000, 20000]), st.integers(-1, 1))
    turning = parts.map(lambda t: t[0] - t[0] // t[1] + t[2])
    near = st.one_of(st.sampled_from(numbers), beside, turning).map(lambda n: min(max(n, low), high))
    digits = st.integers(1, len(str(high)))
    scaled = digits.flatmap(lambda n: st.integers(max(low, -(10**n)), min(high, 10**n)))
    return st.one_of(near, near, scaled)


def real(numbers: list[float], low: int, high: int) -> Draw:
    """One of the numbers, one a little above or below it, or a fraction with few digits."""
    steps = st.sampled_from([-1.0, -0.5, -0.1, -0.05, -0.001, 0.0, 0.001, 0.05, 0.1, 0.5, 1.0])
    beside = st.tuples(st.sampled_from(numbers), steps).map(sum)
    fraction = st.tuples(st.integers(low, high), st.sampled_from([1, 2, 8, 10, 100, 1000])).map(
        lambda t: t[0] / t[1]
    )
    return st.one_of(st.sampled_from(numbers), beside, fraction)


def written(texts: list[Any], tokens: list[Any], most: int) -> Draw:
    """Some tokens in a row as one text (or bytes), or one of the texts edited."""
    joined = st.lists(st.sampled_from(tokens), max_size=most).map(tokens[0][:0].join)
    return st.one_of(joined, edited(texts, tokens))


def edited(texts: list[Any], tokens: list[Any]) -> Draw:
    """One of the texts with a token put in or in place of a stretch, or a stretch dropped or doubled."""

    def edit(text: Any) -> Draw:
        change = st.tuples(
            st.integers(0, len(text)), st.integers(0, 3), st.sampled_from(["put", "drop", "double"])
        )
        return st.tuples(change, st.sampled_from(tokens)).map(lambda t: _splice(text, *t[0], t[1]))

    return st.sampled_from(texts).flatmap(edit)


def _splice(text: Any, at: int, length: int, what: str, token: Any) -> Any:
    """Return the text changed at one place."""
    stretch = text[at : at + length]
    instead = {"put": token, "drop": text[:0], "double": stretch + stretch}[what]
    return text[:at] + instead + text[at + length :]


def rearranged(rows: list[Any]) -> Draw:
    """One of the lists with an item dropped, doubled or moved to another place."""

    def rearrange(row: Any) -> Draw:
        if not row:
            return st.just(row)
        places = st.integers(0, len(row) - 1)
        return st.tuples(places, places, st.sampled_from(["drop", "double", "move"])).map(
            lambda t: _moved(row, *t)
        )

    return st.sampled_from(rows).flatmap(rearrange)


def _moved(row: Any, at: int, to: int, what: str) -> Any:
    """Return the list with one item dropped, doubled or moved."""
    item, rest = row[at : at + 1], row[:at] + row[at + 1 :]
    if what == "drop":
        return rest
    if what == "double":
        return row[:to] + item + row[to:]
    return rest[:to] + item + rest[to:]


def one_step(name: str, *args: Draw, options: Draw | None = None) -> Draw:
    """A step: the name of a method, its arguments, and its keywords where there are some."""
    given = [st.tuples(*args).map(list)] + ([] if options is None else [options])
    return st.tuples(st.just(name), *given).map(list)


def mostly(values: list[Any], anew: Draw) -> Draw:
    """One of the values in half of the draws, so that steps meet, else another one."""
    return st.booleans().flatmap(lambda is_known: st.sampled_from(values) if is_known else anew)


def steps_like(rows: list[Any], one: Draw, most: int) -> Draw:
    """Steps drawn one by one, or of the rows: in another order, two rows joined, or with steps put in."""
    halves = st.sampled_from(rows).flatmap(
        lambda row: st.integers(0, len(row)).map(lambda at: (row[:at], row[at:]))
    )
    joined = st.tuples(halves, halves).map(lambda t: t[0][0] + t[1][1])
    longer = st.tuples(halves, st.lists(one, min_size=1, max_size=4)).map(lambda t: t[0][0] + t[1] + t[0][1])
    ordered = st.sampled_from(rows).flatmap(st.permutations)
    anew = st.lists(one, max_size=most)
    some = st.one_of(anew, anew, joined, longer, longer, rearranged(rows), ordered)
    return some.map(lambda row: row[:most])


def days_around(days: list[Any]) -> Draw:
    """One of the days (or moments) moved by some days, over month and year ends and over 29 February."""
    offsets = [-1461, -366, -365, -31, -30, -29, -28, -7, -1, 0, 1, 7, 28, 29, 30, 31, 365, 366, 1461]
    ends = [day.replace(year=year, month=month, day=last) for day in days for year, month, last in _ENDS]
    return st.tuples(st.sampled_from(days + ends), st.sampled_from(offsets)).map(lambda t: _shifted(*t))


_ENDS = [(2023, 2, 28), (2024, 2, 29), (2024, 12, 31), (2025, 1, 1), (2024, 1, 31), (2024, 4, 30)]


def _shifted(day: Any, offset: int) -> Any:
    """Return the day moved, or as it was where the calendar ends."""
    try:
        return day + datetime.timedelta(days=offset)
    except OverflowError:
        return day


def moments_around(moments: list[Any]) -> Draw:
    """One of the moments moved by days, or by a little around full seconds, minutes, hours."""
    seconds = st.sampled_from([-86400, -3600, -60, -1, 0, 1, 59, 60, 3599, 3600, 86399, 86400])
    micros = st.sampled_from([-1, 0, 0, 1, 500000, 999999])
    moved = st.tuples(st.sampled_from(moments), seconds, micros).map(
        lambda t: _shifted_by(t[0], datetime.timedelta(seconds=t[1], microseconds=t[2]))
    )
    return st.one_of(days_around(moments), moved)


def _shifted_by(moment: Any, offset: Any) -> Any:
    """Return the moment moved, or as it was where the calendar ends."""
    try:
        return moment + offset
    except OverflowError:
        return moment


def spans_around(spans: list[Any]) -> Draw:
    """One of the spans, its opposite, its double, or with a little added."""
    steps = [
        datetime.timedelta(seconds=s, microseconds=m)
        for s in (-60, -1, 0, 1, 60, 3600, 86400)
        for m in (-1, 0, 1)
    ]
    added = st.tuples(st.sampled_from(spans), st.sampled_from(steps)).map(lambda t: t[0] + t[1])
    return st.one_of(
        added, st.sampled_from(spans).map(lambda s: -s), st.sampled_from(spans).map(lambda s: s + s)
    )


def clocks_around(clocks: list[Any]) -> Draw:
    """One of the times of day with one part at an edge."""
    parts = st.sampled_from(
        [{"hour": 0}, {"hour": 23}, {"minute": 0}, {"minute": 59}, {"second": 0}, {"microsecond": 999999}]
    )
    return st.tuples(st.sampled_from(clocks), parts).map(lambda t: t[0].replace(**t[1]))


def crossed(seen: list[dict[str, Any]], anew: dict[str, Any]) -> Draw:
    """A seen set of parameters, or one with one or two of them drawn anew, or all drawn anew."""
    names = sorted(anew)
    fields = {
        name: st.one_of(st.sampled_from([p[name] for p in seen if name in p]), anew[name], anew[name])
        for name in names
    }

    def change(p: dict[str, Any]) -> Draw:
        chosen = st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True)
        return chosen.flatmap(
            lambda some: st.fixed_dictionaries({n: fields[n] if n in some else st.just(p[n]) for n in p})
        )

    changed = st.sampled_from(seen).flatmap(change)
    return st.one_of(
        st.sampled_from(seen), changed, changed, st.fixed_dictionaries({n: fields[n] for n in seen[0]})
    )


def values_at(value: Any, *steps: Any) -> list[Any]:
    """The values at a place: under a key, at a place of a tuple, or each item where the step is None."""
    found = [value]
    for step in steps:
        if step is None:
            lists = [list(v.values()) if type(v) is dict else v for v in found]
            found = [item for v in lists if type(v) in (list, tuple, set, frozenset) for item in v]
        elif type(step) is int:
            found = [v[step] for v in found if type(v) is tuple and step < len(v)]
        else:
            found = [v[step] for v in found if type(v) is dict and step in v]
    return found
