"""Find secrets and personal data in text, and mask them by invented values of the same form."""

import hashlib
import re
from dataclasses import dataclass

__all__ = ["EXAMPLES", "Masked", "mask"]

EXAMPLES = [
    ("mail ada.lovelace@engines.co.uk now", "an e-mail address"),
    ("key AKIA1234567890ABCDEF", "an access key"),
    ("token = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'", "a token"),
    ('password = "correct horse"', "a password"),
    ("https://user:hunter2@host/x", "a password in an address"),
]


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without secrets, and what was found where."""

    text: str
    found: tuple[tuple[int, str], ...]
    """Line and kind of each secret; never the secret."""


_INVENTED_HOSTS = ("example.com", "example.org", "example.net", "test", "invalid", "localhost", "host")
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("a private key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.{20,8000}?)"
                                 r"-----END [A-Z ]*PRIVATE KEY-----")),
    ("an access key", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    ("a token", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|glpat-[\w-]{20,}|xox[abprs]-[\w-]{10,}|sk-[\w-]{20,}"
                           r"|pypi-[\w-]{40,}|sk_live_\w{16,}|AIza[\w-]{30,})")),
    ("a token", re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}")),
    ("a token", re.compile(r"(?i:\bbearer )(?P<secret>[A-Za-z0-9._~+/-]{20,}=*)")),
    ("a password", re.compile(r"(?i:\b(?:password|passwd|secret|api_?key|auth_?token|access_?token)\b)"
                              r"[\"']? ?[=:] ?[\"'](?P<secret>[^\"'\n]{6,200})[\"']")),
    ("a password in an address", re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s/:@'\"]+:(?P<secret>[^\s/@'\"]{3,})@")),
    ("an e-mail address", re.compile(r"\b(?P<secret>[A-Za-z0-9._%+-]{2,}"
                                     r"@(?P<host>[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+))\b")),
    ("a card number", re.compile(r"\b(?:\d[ -]?){13,15}\d\b")),
)  # fmt: skip


def mask(text: str) -> Masked:
    """Return a text with every secret that is recognised replaced by an invented value of its form."""
    found: list[tuple[int, str]] = []
    for kind, pattern in _KINDS:
        pieces: list[str] = []
        done = 0
        for match in pattern.finditer(text):
            name = "secret" if "secret" in match.re.groupindex else 0
            if not _is_invented(kind, match[name], match):
                found.append((text.count("\n", 0, match.start()) + 1, kind))
                pieces += [text[done : match.start(name)], _like(match[name], kind)]
                done = match.end(name)
        text = "".join([*pieces, text[done:]])
    return Masked(text, tuple(sorted(found)))


def _is_invented(kind: str, secret: str, match: re.Match[str]) -> bool:
    if kind == "an e-mail address":
        host = match["host"].lower()
        return host.endswith(_INVENTED_HOSTS) or secret.startswith("user") or "." not in host
    if kind == "a card number":
        return not _is_card(re.sub(r"\D", "", secret))
    return "masked" in secret.lower()


def _is_card(digits: str) -> bool:
    """Return whether digits pass the check of card numbers (Luhn)."""
    doubled = [int(digit) * (1 + (at % 2)) for at, digit in enumerate(digits[::-1])]
    return len(set(digits)) > 2 and sum(value - 9 * (value > 9) for value in doubled) % 10 == 0


def _like(secret: str, kind: str) -> str:
    """Return an invented value of the same length and classes of characters, the same for the same secret."""
    if kind == "an e-mail address":
        return f"user{hashlib.sha256(secret.encode()).hexdigest()[:4]}@example.com"
    stream = hashlib.sha256(secret.encode()).digest() * (len(secret) // 32 + 1)
    fresh = []
    for letter, byte in zip(secret, stream, strict=False):
        if letter.isdigit():
            fresh.append(str(byte % 10))
        elif letter.isalpha() and letter.isascii():
            fresh.append(chr((65 if letter.isupper() else 97) + byte % 26))
        else:
            fresh.append(letter)
    return "".join(fresh)
