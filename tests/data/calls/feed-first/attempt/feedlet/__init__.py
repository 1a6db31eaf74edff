"""Keep the first of what counts as the same."""


def first_of_each(items, key, length):
    """Return the items, of those with the same beginning of the key only the first."""
    known = {}
    for item in items:
        mark = key(item)
        if len(mark) > length:
            mark = mark[:length]
        if not mark:
            continue
        if mark not in known:
            known[mark] = item
    return list(known.values())
