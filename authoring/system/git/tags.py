"""Annotated tags: written once, never moved, read back with the object that they name."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from authoring.model.errors import UsageError
from authoring.system.git.identity import Identity
from authoring.system.git.session import Session, opened

__all__ = ["Tag", "check_tag_name", "list_tags", "make_tag", "place_tag", "read_tag"]


@dataclass(frozen=True, slots=True)
class Tag:
    """An annotated tag."""

    name: str
    id: str
    """Id of the tag object."""
    commit: str
    message: str


def check_tag_name(session: Session, name: str) -> None:
    """Raise :class:`UsageError` WSP018 for text that git does not take as the name of a tag."""
    printable = name.isprintable() and not name.startswith("-") and len(name) <= 100
    if not printable or session.succeeds("check-ref-format", f"refs/tags/{name}") is None:
        raise UsageError(
            "WSP018",
            f"{ascii(name)[:80]} cannot name a tag.",
            "Use letters, digits, dots and single hyphens.",
        )


def make_tag(session: Session, name: str, commit: str, message: str, *, who: Identity, date: datetime) -> str:
    """Write an annotated tag's object and return its id; :func:`place_tag` makes it visible."""
    check_tag_name(session, name)
    text = message if message.endswith("\n") else message + "\n"
    lines = [
        f"object {commit}",
        "type commit",
        f"tag {name}",
        f"tagger {who.name} <{who.email}> {int(date.timestamp())} +0000",
        "",
        text,
    ]
    return session.run("mktag", stdin="\n".join(lines).encode()).decode("ascii").strip()


def place_tag(session: Session, name: str, tag: str) -> None:
    """Make the tag visible; where it is there already as the same object, nothing is done.

    Raises :class:`UsageError` WSP019 where another tag has the name: a tag never moves.
    """
    there = _tag_object(session, name)
    if there == tag:
        return
    if there is not None:
        raise UsageError(
            "WSP019", f"The tag {name} exists in {session.root} and never moves.", "Choose another name."
        )
    session.run("update-ref", f"refs/tags/{name}", tag, "0" * 40)


def _tag_object(session: Session, name: str) -> str | None:
    found = session.succeeds("rev-parse", "--verify", "--quiet", "--end-of-options", f"refs/tags/{name}")
    return found.decode("ascii").strip() if found else None


def read_tag(root: Path, name: str) -> Tag | None:
    """Return the annotated tag of that name, or None where there is none (a lightweight tag is none)."""
    with opened(root) as session:
        check_tag_name(session, name)
        there = _tag_object(session, name)
        return None if there is None else _parse(name, there, session)


def _parse(name: str, tag: str, session: Session) -> Tag | None:
    if session.run("cat-file", "-t", tag).strip() != b"tag":
        return None
    header, _, message = session.run("cat-file", "tag", tag).decode("utf-8", "replace").partition("\n\n")
    facts = dict(line.split(" ", 1) for line in header.splitlines() if " " in line)
    if facts.get("type") != "commit" or facts.get("tag") != name:
        return None
    return Tag(name=name, id=tag, commit=facts["object"], message=message)


def list_tags(root: Path) -> list[Tag]:
    """Return the annotated tags of a repository, sorted by name."""
    with opened(root) as session:
        names = session.run("for-each-ref", "--format=%(refname)", "refs/tags/").decode().splitlines()
        short = sorted(name.removeprefix("refs/tags/") for name in names)
        tags = ((name, _tag_object(session, name)) for name in short)
        found = (_parse(name, tag, session) for name, tag in tags if tag)
        return [tag for tag in found if tag is not None]
