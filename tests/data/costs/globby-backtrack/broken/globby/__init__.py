"""Patterns with stars."""


def matches(pattern, name):
    """Return whether a name matches a pattern in which a star stands for anything."""
    if not pattern:
        return not name
    if pattern[0] == "*":
        for start in range(len(name) + 1):
            if matches(pattern[1:], name[start:]):
                return True
        return False
    return bool(name) and name[0] == pattern[0] and matches(pattern[1:], name[1:])
