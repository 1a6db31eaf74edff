"""Patterns with stars."""


def matches(pattern, name):
    """Return whether a name matches a pattern in which a star stands for anything."""
    at = star = 0
    resume = None
    place = 0
    while place < len(name):
        if at < len(pattern) and pattern[at] == "*":
            star = at
            at += 1
            resume = place
        elif at < len(pattern) and pattern[at] == name[place]:
            at += 1
            place += 1
        elif resume is not None:
            at = star + 1
            resume += 1
            place = resume
        else:
            return False
    return all(character == "*" for character in pattern[at:])
