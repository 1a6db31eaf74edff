"""Read labels from a line: separated by commas, quoted where they hold one."""


def _quoted(text):
    """Return the label that a quote begins, its doubled quotes made single, and what comes after it."""
    label = ""
    at = 1
    while at < len(text):
        if text[at] == "'":
            if text[at : at + 2] != "''":
                break
            at += 1
        label += text[at]
        at += 1
    after = text[at + 1 :].lstrip()
    return label, after[1:] if after.startswith(",") else after


def labels(text):
    """Return the labels of a line in their order, each once."""
    found = []
    while text:
        text = text.lstrip()
        if text.startswith("'"):
            label, text = _quoted(text)
        else:
            label, _, text = text.partition(",")
            label = label.strip().lower()
        if label and label not in found:
            found.append(label)
    return found
