"""How many orders a page may hold."""

DEFAULT = 20
LARGEST = 100


def checked(limit):
    """The limit to use, or ValueError."""
    if limit is None:
        return DEFAULT
    if limit < 1:
        raise ValueError("limit must be at least 1")
    return min(limit, LARGEST)
