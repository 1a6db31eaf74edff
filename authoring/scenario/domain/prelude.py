"""The building blocks of a generated domain.py: each is copied into the file that uses it.

They draw only with constructs that give the same values on every Python: no Unicode tables, no types.
"""

import datetime
import re
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


def paths_around(texts: list[str]) -> Draw:
    """One of the paths with other slashes or dots at its ends, or some segments of all of them in a row."""
    rows = [re.findall(r"(?s)^([\\/]*)(.*?)([\\/]*)\Z", text)[0] for text in texts]
    ends = [["", "/", "//", "./", "../"], ["", ".", ".."], ["", "/", "//", "/.", "/.."]]
    segments = dict.fromkeys(part for row in rows for part in re.split(r"[\\/]+", row[1]))
    some = st.lists(st.sampled_from([*segments, "", ".", "..", ".a", "a."]), min_size=1, max_size=4)
    inner = st.tuples(st.sampled_from(["/", "/", "//", "\\"]), some).map(lambda t: t[0].join(t[1]))
    return st.one_of(_rejoined(rows, ends), inner)


def versions_around(texts: list[str], tails: list[str]) -> Draw:
    """One of the versions with a number at an edge, left out or added, or with one of the tails."""
    rows = [re.findall(r"(?s)^([^0-9]*)([0-9]*(?:\.[0-9]+)*)(.*)", text)[0] for text in texts]
    near = []
    for numbers in [row[1].split(".") for row in rows]:
        near += [numbers[:n] for n in range(1, len(numbers))]
        near += [
            [*numbers[:n], edge, *numbers[n + 1 :]] for n in range(len(numbers) + 1) for edge in _NUMERALS
        ]
    return _rejoined(rows, [["", "v"], [".".join(numbers) for numbers in near], tails])


_NUMERALS = ["0", "1", "9", "10", "01"]


def formats_around(texts: list[str], placeholders: list[str]) -> Draw:
    """One of the format strings with another placeholder in place of one, or one more in front of it."""

    def change(text: str) -> Draw:
        found = [match.span() for match in re.finditer(_PLACEHOLDER, text)]
        places = found + [(start, start) for start, _ in found] or [(0, 0), (len(text), len(text))]
        return st.tuples(st.sampled_from(places), st.sampled_from(placeholders)).map(
            lambda t: text[: t[0][0]] + t[1] + text[t[0][1] :]
        )

    return st.sampled_from(texts).flatmap(change)


_PLACEHOLDER = r"\{[^{}]*\}|%(?:\([^()]*\))?[-#0+.*0-9]*[A-Za-z%]"


def iso_dates_around(texts: list[str]) -> Draw:
    """One of the dates or times with a part at an edge: leap days, ends of months and years, midnight."""
    rows = [re.findall(_ISO, text)[0] for text in texts]
    joiners = sorted({row[1][:1].strip("0123456789") for row in rows if row[1]})
    clocks = [joiner + clock for joiner in joiners for clock in _CLOCKS]
    days = _DAYS if any(row[0] for row in rows) else []
    return _rejoined(rows, [days, clocks, _FRACTIONS if clocks else [], _ZONES if clocks else []])


_ISO = r"(?s)^([0-9]{4}-[0-9]{2}-[0-9]{2})?([T ]?[0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?([.,][0-9]+)?(.*)"
_DAYS = ["2024-02-29", "2023-02-28", "2023-02-29", "2024-12-31", "2025-01-01", "2024-01-31", "2000-04-30"]
_CLOCKS = ["00:00:00", "00:00", "12:00:00", "23:59:59", "23:59", "24:00:00"]
_FRACTIONS = ["", ".0", ".5", ".000001", ".999999", ".9999994", ".9999995"]
_ZONES = ["", "Z", "+00:00", "-00:30", "+05:45", "+14:00", "-12:00"]


def urls_around(texts: list[str]) -> Draw:
    """One of the URLs with its scheme, host, path, query or fragment left out, at an edge, or of another one."""
    rows = [re.findall(r"(?s)^([^:/?#]+:)?(//[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?", text)[0] for text in texts]
    schemes, hosts = ["", "http:", "HTTPS:"], ["", "//", "//a:80", "//a@b.example", "//[::1]"]
    ways, queries = ["", "/", "//", "/.", "/../a", "/a%2Fb"], ["", "?", "?a=1&a=", "?a=%26"]
    return _rejoined(rows, [schemes, hosts, ways, queries, ["", "#", "#a"]])


def _rejoined(rows: list[Any], edges: list[Any]) -> Draw:
    """One of the rows of parts, with one or two parts at an edge or from another row, as one text."""
    places = [n for n, edge in enumerate(edges) if edge]
    parts = {n: st.sampled_from(list(dict.fromkeys([row[n] for row in rows] + edges[n]))) for n in places}

    def change(row: Any) -> Draw:
        chosen = st.lists(st.sampled_from(places), min_size=1, max_size=2, unique=True)
        return chosen.flatmap(
            lambda some: st.tuples(*(parts[n] if n in some else st.just(row[n]) for n in range(len(row))))
        )

    return st.sampled_from(rows).flatmap(change).map("".join)


def nested_around(values: list[Any]) -> Draw:
    """One of the values with a container that lies in one of its kind emptied, wrapped, or once or twice deeper."""
    what = st.sampled_from(["empty", "wrap", "once", "twice"])
    return st.tuples(st.sampled_from(values), st.integers(0, 24), what).map(lambda t: _nested(*t))


def _nested(value: Any, at: int, what: str) -> Any:
    """Return the value with one of the containers changed; they are counted over and over."""
    held = dict(_containers(value, ()))
    pairs = [
        (way[:n], way) for way in held for n in range(len(way)) if type(held[way[:n]]) is type(held[way])
    ]
    if not pairs:
        return value
    up, way = pairs[at % len(pairs)]
    part, around = held[way], held[up]
    if what == "empty":
        return _put(value, way, type(part)())
    if what == "wrap":
        return _put(value, way, {next(iter(part), "a"): part} if type(part) is dict else type(part)([part]))
    deeper = _put(around, way[len(up) :], around)
    return _put(value, up, deeper if what == "once" else _put(around, way[len(up) :], deeper))


def _containers(value: Any, steps: Any) -> Any:
    """Yield each list, tuple and dict in the value with the way to it."""
    if type(value) in (list, tuple, dict):
        yield steps, value
        for key, item in value.items() if type(value) is dict else enumerate(value):
            yield from _containers(item, (*steps, key))


def _put(value: Any, steps: Any, part: Any) -> Any:
    """Return the value with a part at the end of the way."""
    if not steps:
        return part
    if type(value) is dict:
        return {**value, steps[0]: _put(value[steps[0]], steps[1:], part)}
    return type(value)(_put(item, steps[1:], part) if n == steps[0] else item for n, item in enumerate(value))


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


def now_and_then(usual: Draw, others: dict[str, list[Any]]) -> Draw:
    """What is usual, one time in ten with one parameter that is one of the others."""
    instead = st.sampled_from([(name, value) for name, values in others.items() for value in values])
    return st.tuples(usual, st.integers(1, 10), instead).map(
        lambda t: {**t[0], t[2][0]: t[2][1]} if t[1] == 10 and t[2][0] in t[0] else t[0]
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
