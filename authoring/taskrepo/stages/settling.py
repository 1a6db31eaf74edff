"""What a contract's drafting asks programs, done once for an author's terms, whatever his words are."""

from collections.abc import Callable, Sequence
from typing import Any

from authoring.contract import Draft, Wording, plain, terms_of, wording
from authoring.model.contract import Contract
from authoring.taskrepo.stages.stored import draft_data, draft_of
from authoring.taskrepo.stages.work import Work

__all__ = ["settle"]

_TERMS = "terms"
"""Where the journal keeps the terms of what was drafted last without an author's: his edit that leaves them is one of
words.
"""


def settle(
    work: Work,
    key: str,
    author: Contract | None,
    inputs: Sequence[Any],
    drafted: Callable[[Contract | None], Draft],
) -> tuple[Draft, Wording]:
    """Return what is drafted for an author's terms without his words, and what his words are to it.

    ``drafted`` drafts for an author's contract in plain words, or for nobody's; ``inputs`` are all else that it
    depends on, as JSON. Terms that nobody edited are nobody's: then the draft is the one that was there before.
    """
    if author is None:
        draft = _done(work, key, None, inputs, drafted)
        return draft, wording(draft.contract, draft.contract, is_plain=False)
    terms = terms_of(author)
    if work.journal.get(_TERMS, key) == terms:
        draft = _done(work, key, None, inputs, drafted)
        if terms_of(draft.contract) == terms:  # a program or the domain may have changed since
            return draft, wording(draft.contract, author, is_plain=False)
    draft = _done(work, key, plain(author), inputs, drafted)
    return draft, wording(draft.contract, author, is_plain=True)


def _done(
    work: Work,
    key: str,
    author: Contract | None,
    inputs: Sequence[Any],
    drafted: Callable[[Contract | None], Draft],
) -> Draft:
    """Return the draft for the same terms and other inputs as in the journal, else make it."""
    place = key if author is None else f"{key}#{_TERMS}"
    asked = [*inputs, None if author is None else terms_of(author)]
    draft = draft_of(work.done("contract", place, asked, lambda: draft_data(drafted(author))))
    if author is None:
        work.journal.put(_TERMS, key, terms_of(draft.contract))
    return draft
