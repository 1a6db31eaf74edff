"""Digests: sha256 of bytes, of canonical JSON (RFC 8785), of a folder, and keyed digests under the workspace key."""

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

__all__ = ["canonical", "keyed_digest", "sha256_hex", "tree_digest", "value_digest"]


def canonical(value: Any) -> bytes:
    """Return the RFC 8785 form of a JSON value; raise ``ValueError`` for what JSON cannot hold.

    Text with lone surrogates, which RFC 8785 cannot encode, is escaped first as ``\\udXXX`` with a marker, so
    that every wire value has a canonical form and no two share one.
    """
    import rfc8785

    return rfc8785.dumps(_encodable(value))


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return _escaped(value)
    if isinstance(value, list | tuple):
        return [_encodable(item) for item in value]
    if isinstance(value, dict):
        return {_escaped(key): _encodable(item) for key, item in value.items()}
    return value


def _escaped(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return "\x00surrogates:" + text.encode("unicode_escape").decode("ascii")
    return "\x00" + text if text.startswith("\x00") else text


def sha256_hex(data: bytes) -> str:
    """Return the sha256 of bytes in hex."""
    return hashlib.sha256(data).hexdigest()


def value_digest(value: Any) -> str:
    """Return the sha256 of a JSON value's canonical form in hex."""
    return sha256_hex(canonical(value))


def tree_digest(files: Mapping[str, bytes]) -> str:
    """Return ``tree_sha256`` of a folder: the digest of the canonical JSON of ``{path: sha256}``."""
    return value_digest({path: sha256_hex(data) for path, data in files.items()})


def keyed_digest(key: bytes, purpose: str, *parts: Any) -> str:
    """Return HMAC-SHA256 under the workspace key over the canonical JSON of ``[purpose, *parts]``, in hex."""
    return hmac.new(key, canonical([purpose, *parts]), hashlib.sha256).hexdigest()
