"""Fields of a line of text."""


def fields(line):
    """Return the fields of a line; commas between quotes do not end one."""
    found = []
    field = ""
    inside = False
    for character in line:
        if character == '"':
            inside = not inside
        elif character == "," and not inside:
            found.append(field)
            field = ""
        else:
            field += character
    found.append(field)
    return found
