"""Links inside a foreign tree or archive: replaced by what they point at, refused where they leave it."""

import posixpath
from collections.abc import Mapping

from authoring.model.errors import UsageError

__all__ = ["resolve_links"]

_CHAIN_CAP = 16


def resolve_links(files: Mapping[str, bytes], links: Mapping[str, str], what: str) -> dict[str, bytes]:
    """Return the files with a copy at the place of every link that points at a file or folder of them.

    ``links`` maps a path to its target as written. A link to nothing is dropped. Raises :class:`UsageError`
    WSP020 for a link that leaves the tree ``what`` (its name in the message) or that turns in a circle.
    """
    result = dict(files)
    for path in sorted(links):
        target = _final(path, links, what)
        result |= {path + name[len(target) :]: data for name, data in files.items() if _is_at(name, target)}
    return dict(sorted(result.items()))


def _is_at(name: str, target: str) -> bool:
    return name == target or name.startswith(target + "/")


def _final(path: str, links: Mapping[str, str], what: str) -> str:
    for _ in range(_CHAIN_CAP):
        link = next((one for one in _prefixes(path) if one in links), None)
        if link is None:
            return path
        target = links[link]
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(link), target))
        if target.startswith("/") or joined == ".." or joined.startswith("../") or joined == ".":
            raise _leaves(what, link)
        path = joined + path[len(link) :]
    raise _leaves(what, path)


def _prefixes(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[: end + 1]) for end in range(len(parts))]


def _leaves(what: str, link: str) -> UsageError:
    return UsageError(
        "WSP020",
        f"The link {ascii(link)[:120]} in {what} leaves it or turns in a circle.",
        "Remove the link.",
    )
