"""Read and write amounts."""


def parse_cents(text):
    """Return the cents that an amount such as ``-12.50`` or ``1,200`` stands for; further decimals are cut off."""
    text = text.strip().replace(",", "")
    sign = -1 if text.startswith("-") else 1
    whole, _, part = text.lstrip("+-").partition(".")
    if not whole.isdecimal() or not (part.isdecimal() or not part):
        raise ValueError("no amount")
    return sign * (int(whole) * 100 + int(part or 0))


def show_cents(cents):
    """Return an amount as people write it, with two decimals."""
    sign = "-" if cents < 0 else ""
    whole, part = divmod(abs(cents), 100)
    return f"{sign}{whole:,}.{part}"
