"""Git behind small functions that take and return plain values."""

from authoring.system.git.commits import (
    BRANCH,
    CommitFacts,
    commit_tree,
    history,
    init,
    move_branch,
    read_commit,
    remove_stale_locks,
)
from authoring.system.git.export import export_revision, revision_files
from authoring.system.git.identity import Identity, identity
from authoring.system.git.objects import (
    Listing,
    all_objects,
    changed_paths,
    list_tree,
    merge_listing,
    read_blob,
    read_files,
    read_listing,
    read_objects,
    store_files,
    store_tree,
)
from authoring.system.git.revisions import head, head_in, resolve, resolve_in
from authoring.system.git.session import Session, is_repository, opened
from authoring.system.git.tags import Tag, check_tag_name, list_tags, make_tag, place_tag, read_tag
from authoring.system.git.worktree import dirty_paths, follow, untracked_paths

__all__ = [
    "BRANCH",
    "CommitFacts",
    "Identity",
    "Listing",
    "Session",
    "Tag",
    "all_objects",
    "changed_paths",
    "check_tag_name",
    "commit_tree",
    "dirty_paths",
    "export_revision",
    "follow",
    "head",
    "head_in",
    "history",
    "identity",
    "init",
    "is_repository",
    "list_tags",
    "list_tree",
    "make_tag",
    "merge_listing",
    "move_branch",
    "opened",
    "place_tag",
    "read_blob",
    "read_commit",
    "read_files",
    "read_listing",
    "read_objects",
    "read_tag",
    "remove_stale_locks",
    "resolve",
    "resolve_in",
    "revision_files",
    "store_files",
    "store_tree",
    "untracked_paths",
]
