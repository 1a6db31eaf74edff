"""Fields of a line of text."""


def is_quoted(line, place):
    """Return whether a place lies between quotes."""
    inside = False
    for character in line[:place]:
        if character == '"':
            inside = not inside
    return inside


def fields(line):
    """Return the fields of a line; commas between quotes do not end one."""
    found = []
    field = ""
    for place, character in enumerate(line):
        if character == '"':
            continue
        if character == "," and not is_quoted(line, place):
            found.append(field)
            field = ""
        else:
            field += character
    found.append(field)
    return found
