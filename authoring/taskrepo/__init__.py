"""Commit proven tasks to the private and the public repository, and read them back."""

from authoring.taskrepo.commit import RUN_CHECKS, Committed, Publication, commit
from authoring.taskrepo.intent import finish, is_pending
from authoring.taskrepo.read import StoredTask, read_tasks, variant_of

__all__ = [
    "RUN_CHECKS",
    "Committed",
    "Publication",
    "StoredTask",
    "commit",
    "finish",
    "is_pending",
    "read_tasks",
    "variant_of",
]
