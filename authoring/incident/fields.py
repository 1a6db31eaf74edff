"""The forms that single values of an incident must have."""

import datetime
import re
import unicodedata
from collections.abc import Callable
from typing import Any

from authoring.model.errors import UsageError
from authoring.system.clock import parse_date

__all__ = ["FIELDS", "plain_facts"]

TEXT_CAP = 20_000
LIST_CAP = 200

_ID = re.compile(r"(?!.*--)[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?", re.ASCII)
_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z._+!-]{0,99}", re.ASCII)
_REVISION = re.compile(r"[0-9A-Za-z_.@{}~^/+=][0-9A-Za-z_.@{}~^/+=-]{0,199}", re.ASCII)
_PACKAGE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?", re.ASCII)
_MODULE = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_PIN = re.compile(
    r"([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?) ?== ?([0-9A-Za-z][0-9A-Za-z._+!-]*)", re.ASCII
)
_PYTHON = re.compile(r"3\.[0-9]{1,2}(?:\.[0-9]{1,2})?", re.ASCII)
_NODE = re.compile(r"[^:]+\.py(?:::[^:]+){1,3}")

Problem = Callable[[str, str, str], UsageError]
"""``(code, what is wrong, hint)`` to the error that also names file and field."""
Field = Callable[[Any, Problem], Any]


def plain_text(value: Any, problem: Problem) -> str:
    """Return text that has no control or direction characters and is no longer than the cap."""
    if type(value) is not str:
        raise problem("INC005", f"must be text, not {_kind(value)}", _quotes_hint(value))
    if len(value) > TEXT_CAP:
        raise problem("INC006", f"is longer than {TEXT_CAP:,} characters", "Shorten it.")
    for letter in value:
        if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co") and letter not in "\n\t":
            raise problem("INC006", f"holds the control character U+{ord(letter):04X}", "Remove it.")
    return value


def _matching(pattern: re.Pattern[str], hint: str) -> Field:
    def field(value: Any, problem: Problem) -> str:
        text = plain_text(value, problem)
        if not pattern.fullmatch(text):
            raise problem("INC006", f"is {ascii(text)[:80]}, which is not of its form", hint)
        return text

    return field


def _side(value: Any, problem: Problem) -> str:
    text = plain_text(value, problem)
    if not text.strip() or text.startswith("-") or "\n" in text or "\t" in text:
        raise problem(
            "INC006", f"is {ascii(text)[:80]}, which names no side", "It may not be empty or begin with '-'."
        )
    return text


def _path(value: Any, problem: Problem) -> str:
    text = plain_text(value, problem)
    if not text.strip() or text.startswith("-") or "\n" in text:
        raise problem(
            "INC006", f"is {ascii(text)[:80]}, which is no path", "It may not be empty or begin with '-'."
        )
    return text


def _flag(value: Any, problem: Problem) -> bool:
    if type(value) is not bool:
        raise problem("INC005", f"must be true or false, not {_kind(value)}", "Write it without quotes.")
    return value


def _list_of(field: Field, example: str) -> Field:
    def whole(value: Any, problem: Problem) -> tuple[Any, ...]:
        if type(value) is not list:
            raise problem("INC005", f"must be a list, not {_kind(value)}", f"Write {example}.")
        if len(value) > LIST_CAP:
            raise problem("INC006", f"holds more than {LIST_CAP} items", "Shorten it.")
        return tuple(field(item, problem) for item in value)

    return whole


def _pin(value: Any, problem: Problem) -> str:
    text = plain_text(value, problem)
    found = _PIN.fullmatch(text)
    if not found:
        raise problem("INC006", f"holds {ascii(text)[:80]}, which is no pin", 'A pin reads "name==version".')
    return f"{found[1]}=={found[2]}"


def _date(value: Any, problem: Problem) -> str:
    text = value.isoformat() if isinstance(value, datetime.date) else plain_text(value, problem)
    try:
        written = datetime.date.fromisoformat(text).isoformat() if len(text) <= 10 else _instant(text)
        parse_date(written)
    except (ValueError, UsageError) as error:
        raise problem(
            "INC006", f"is {ascii(text)[:80]}, which is no date of a commit", 'Write "2024-05-31".'
        ) from error
    return written


def _instant(text: str) -> str:
    return datetime.datetime.fromisoformat(text).isoformat()


def _kind(value: Any) -> str:
    kinds = {
        bool: "true or false",
        int: "a number",
        float: "a number",
        str: "text",
        list: "a list",
        dict: "a table",
    }
    return kinds.get(type(value), "a date")


def _quotes_hint(value: Any) -> str:
    return "Write it in quotes." if type(value) in (int, float) else "Write one text in quotes."


def plain_facts(value: Any, problem: Problem, depth: int = 0) -> Any:
    """Return facts as JSON data: dates become text; raise where they are nested too deeply."""
    if depth > 20:
        raise problem("INC006", "is nested too deeply", "Keep facts flat.")
    if isinstance(value, dict):
        return {
            plain_text(key, problem): plain_facts(item, problem, depth + 1) for key, item in value.items()
        }
    if isinstance(value, list):
        return [plain_facts(item, problem, depth + 1) for item in value]
    if isinstance(value, str):
        return plain_text(value, problem)
    if value is None or isinstance(value, bool | int | float):
        return value
    return str(value)


_text: Field = plain_text

FIELDS: dict[str, Field] = {
    "id": _matching(_ID, "Use lower-case letters, digits and single hyphens, at most 80."),
    "broken": _side,
    "fixed": _side,
    "attempt": _side,
    "package": _matching(_PACKAGE, "Give the name of a distribution."),
    "repository": _path,
    "directories": _flag,
    "import_name": _matching(_MODULE, "Give the name that is imported, such as orders."),
    "dependencies": _list_of(_pin, 'dependencies = ["name==version"]'),
    "python": _list_of(_matching(_PYTHON, "Write versions such as 3.12."), 'python = ["3.12"]'),
    "reproducer": _path,
    "test": _matching(_NODE, "Write tests/test_x.py::test_name."),
    "symptom": _text,
    "rule": _text,
    "category": _text,
    "mechanism": _text,
    "severity": _text,
    "owner": _text,
    "discovered": _date,
    "source": _text,
    "comment": _text,
    "licence": _text,
}
"""Every key that an incident may have, with the form of its value (DESIGN.md 5.2)."""

RELEASE = _matching(_VERSION, 'Give a release such as "1.4.2".')
REVISION = _matching(_REVISION, "Give a branch, a tag or a commit.")
