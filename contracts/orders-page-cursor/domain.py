"""Where parameters come from: values seen, mixtures, and draws around boundaries."""

from hypothesis import strategies as st

# values lifted from the reproducer and recorded, frozen
SEEN = {
    "first_page": [{"rows": [(10, 1, "ann"), (10, 2, "bob"), (10, 3, "ann"), (20, 4, "cid")], "limit": 2}],
    "page_after": [
        {
            "rows": [(10, 1, "ann"), (10, 2, "bob"), (10, 3, "ann"), (20, 4, "cid")],
            "cursor": (10, 3),
            "limit": 5,
            "options": {},
        },
        {
            "rows": [(10, 1, "ann"), (10, 2, "bob"), (10, 3, "ann"), (20, 4, "cid")],
            "cursor": (10, 1),
            "limit": 1,
            "options": {},
        },
        {
            "rows": [(10, 1, "ann"), (10, 2, "bob"), (10, 3, "ann"), (20, 4, "cid")],
            "cursor": (10, 2),
            "limit": 5,
            "options": {},
        },
        {
            "rows": [(10, 1, "ann"), (10, 2, "bob"), (10, 3, "ann"), (20, 4, "cid")],
            "cursor": (10, 1),
            "limit": 5,
            "options": {"customer": "ann"},
        },
    ],
}
# numbers of the changed code, their powers, and numbers of the code around it
NUMBERS = [1, 20, 100, 400, 8000, 10000]
# characters and texts that the changed code looks for, and those next to them
MARKS = [
    "limit must be at least 1",
    "limit",
    " ",
    "must",
    "be",
    "at",
    "least",
    "1",
    "order %d exists",
    "order",
    "%",
    "d",
    "exists",
]


def whole(numbers, low, high):
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


def written(texts, tokens, most):
    """Some tokens in a row as one text (or bytes), or one of the texts edited."""
    joined = st.lists(st.sampled_from(tokens), max_size=most).map(tokens[0][:0].join)
    return st.one_of(joined, edited(texts, tokens))


def edited(texts, tokens):
    """One of the texts with a token put in or in place of a stretch, or a stretch dropped or doubled."""

    def edit(text):
        change = st.tuples(
            st.integers(0, len(text)), st.integers(0, 3), st.sampled_from(["put", "drop", "double"])
        )
        return st.tuples(change, st.sampled_from(tokens)).map(lambda t: _splice(text, *t[0], t[1]))

    return st.sampled_from(texts).flatmap(edit)


def _splice(text, at, length, what, token):
    """Return the text changed at one place."""
    stretch = text[at : at + length]
    instead = {"put": token, "drop": text[:0], "double": stretch + stretch}[what]
    return text[:at] + instead + text[at + length :]


def rearranged(rows):
    """One of the lists with an item dropped, doubled or moved to another place."""

    def rearrange(row):
        if not row:
            return st.just(row)
        places = st.integers(0, len(row) - 1)
        return st.tuples(places, places, st.sampled_from(["drop", "double", "move"])).map(
            lambda t: _moved(row, *t)
        )

    return st.sampled_from(rows).flatmap(rearrange)


def _moved(row, at, to, what):
    """Return the list with one item dropped, doubled or moved."""
    item, rest = row[at : at + 1], row[:at] + row[at + 1 :]
    if what == "drop":
        return rest
    if what == "double":
        return row[:to] + item + row[to:]
    return rest[:to] + item + rest[to:]


def crossed(seen, anew):
    """A seen set of parameters, or one with one or two of them drawn anew, or all drawn anew."""
    names = sorted(anew)
    fields = {
        name: st.one_of(st.sampled_from([p[name] for p in seen if name in p]), anew[name], anew[name])
        for name in names
    }

    def change(p):
        chosen = st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True)
        return chosen.flatmap(
            lambda some: st.fixed_dictionaries({n: fields[n] if n in some else st.just(p[n]) for n in p})
        )

    changed = st.sampled_from(seen).flatmap(change)
    return st.one_of(
        st.sampled_from(seen), changed, changed, st.fixed_dictionaries({n: fields[n] for n in seen[0]})
    )


def first_page(constants):
    anew = {
        "limit": whole(NUMBERS + [2], -1, 4096),
        "rows": st.one_of(
            st.lists(
                st.tuples(
                    whole(NUMBERS + [10, 20], -1, 22000),
                    whole(NUMBERS + [1, 2, 3, 4], -1, 4400),
                    written(
                        ["ann", "bob", "cid"],
                        ["ann", "bob", "cid", "ANN", "a", "BOB", "b", "CID", "c"] + MARKS,
                        6,
                    ),
                ),
                max_size=6,
            ),
            rearranged([[(10, 1, "ann"), (10, 2, "bob"), (10, 3, "ann"), (20, 4, "cid")]]),
        ),
    }
    return crossed(SEEN["first_page"], anew)


def page_after(constants):
    anew = {
        "cursor": st.tuples(whole(NUMBERS + [10], -1, 11000), whole(NUMBERS + [3, 1, 2], -1, 4096)),
        "limit": whole(NUMBERS + [5, 1], -1, 5500),
        "options": st.one_of(
            st.fixed_dictionaries(
                {}, optional={"customer": written(["ann"], ["ann", "ANN", "a"] + MARKS, 6)}
            ),
            st.dictionaries(
                written(["customer"], ["customer", "CUSTOMER", "c"] + MARKS, 6),
                written(["ann"], ["ann", "ANN", "a"] + MARKS, 6),
                max_size=3,
            ),
            rearranged([[], [("customer", "ann")]]).map(dict),
        ),
        "rows": st.one_of(
            st.lists(
                st.tuples(
                    whole(NUMBERS + [10, 20], -1, 22000),
                    whole(NUMBERS + [1, 2, 3, 4], -1, 4400),
                    written(
                        ["ann", "bob", "cid"],
                        ["ann", "bob", "cid", "ANN", "a", "BOB", "b", "CID", "c"] + MARKS,
                        6,
                    ),
                ),
                max_size=6,
            ),
            rearranged([[(10, 1, "ann"), (10, 2, "bob"), (10, 3, "ann"), (20, 4, "cid")]]),
        ),
    }
    return crossed(SEEN["page_after"], anew)


CUTS = []
