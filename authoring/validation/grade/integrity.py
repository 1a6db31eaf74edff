"""The gate before anything runs: only the task's editable files may differ, and only as readable text (R1, R2)."""

import io
import tokenize
import unicodedata
from collections.abc import Mapping, Sequence

from authoring.validation.grade.submission import Submission

__all__ = ["SOURCE_CAP", "violations"]

SOURCE_CAP = 256 << 10
_HIDDEN_CATEGORIES = ("Cc", "Cf", "Co", "Cs")
_SHOWN = 20


def violations(submission: Submission, editable: Sequence[str], pristine: Mapping[str, bytes]) -> list[str]:
    """Return why a submission is not judged, as sentences with escaped names; nothing where it may be judged."""
    found = list(submission.odd)
    for path, data in submission.files.items():
        if path in editable:
            found += _odd_text(path, data, pristine.get(path, b""))
        elif path not in pristine:
            found.append(f"{path[-200:]!a} is not among the files that may be changed")
        elif data != pristine[path]:
            found.append(f"{path[-200:]!a} was changed and may not be")
    if not found and not any(path in editable for path in submission.files):
        found.append("no file that may be changed was handed in")
    return found[:_SHOWN]


def _odd_text(path: str, data: bytes, before: bytes) -> list[str]:
    name = f"{path[-200:]!a}"
    if len(data) > SOURCE_CAP:
        return [f"{name} is larger than {SOURCE_CAP} bytes"]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return [f"{name} is not UTF-8"]
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError:
        return [f"{name} has a coding line that is not utf-8"]
    if encoding != "utf-8":
        return [f"{name} has the encoding {encoding!a}"]
    hidden = sorted(_hidden(text) - _hidden(before.decode("utf-8", "replace")))
    if hidden:
        return [f"{name} holds the control or format character U+{ord(hidden[0]):04X}"]
    return []


def _hidden(text: str) -> set[str]:
    """Return the characters of a text that a reader does not see, line ends and tabs apart."""
    plain = text.replace("\r\n", "\n")
    return {
        one for one in set(plain) if one not in "\n\t" and unicodedata.category(one) in _HIDDEN_CATEGORIES
    }
