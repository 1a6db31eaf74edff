"""Commit one contract to both repositories: private first, public after an audit, both whole at every moment.

Trees and commits are built in the object databases, where nobody sees them, then the intent is recorded,
then two references move. The working folders follow. The public repository gets no object that was ever
private.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from authoring.model.digest import value_digest
from authoring.model.errors import RefusedError, UsageError
from authoring.model.task import TaskLimits
from authoring.system import git
from authoring.system.files import read_limited
from authoring.system.workspace import Workspace
from authoring.taskrepo.catalogue import is_task_document, public_documents, tasks_in
from authoring.taskrepo.contracts_of import contracts_of
from authoring.taskrepo.intent import Intent, Move, finish, record
from authoring.taskrepo.leaks import CHECKS, FACES, find_leaks, refuse_leaks, secrets_of
from authoring.variants.folder import hidden_files, task_files
from authoring.variants.material import VariantTask

__all__ = [
    "RUN_CHECKS",
    "Committed",
    "Publication",
    "audit",
    "commit",
    "evidence_path",
    "private_tree",
    "public_tree",
    "require_clean",
]


RUN_CHECKS = Path(__file__).with_name("run_checks.py").read_text(encoding="utf-8")
"""The text of run_checks.py, the same in every task."""

_EVIDENCE_CAP = 4 << 20


@dataclass(frozen=True, slots=True)
class Publication:
    """All that is committed for one contract."""

    incident: str
    tasks: tuple[VariantTask, ...]
    """The variants of one contract, ``base`` first."""
    evidence: tuple[str, ...]
    """Keys of the records, which lie in the workspace's ``evidence/`` already."""
    files: Mapping[str, bytes]
    """Other private files by path in the workspace: below ``incidents/<incident>/``, ``contracts/<contract>/`` and,
    where the incident has several contracts, ``contracts/<incident>/``.
    """
    date: datetime
    reviewed_by: str = ""
    limits: TaskLimits | None = None

    @property
    def contract(self) -> str:
        """The contract's id."""
        return self.tasks[0].contract.id


@dataclass(frozen=True, slots=True)
class Committed:
    """Where the two branches stand."""

    private: str
    public: str
    changed: bool
    """False where both repositories held all of it already."""


def evidence_path(key: str) -> str:
    """Return where a record lies in the private repository."""
    return f"evidence/{key[:2]}/{key}.json"


def private_tree(publication: Publication, evidence: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files that the private repository holds for the contract, by path."""
    files = {**publication.files, **evidence}
    for task in publication.tasks:
        folder = f"hidden/{publication.contract}/{task.spec.id}"
        files |= {
            f"{folder}/{name}": data
            for name, data in hidden_files(task, RUN_CHECKS, publication.limits).items()
        }
    return dict(sorted(files.items()))


def public_tree(publication: Publication) -> dict[str, bytes]:
    """Return the task folders that the public repository holds for the contract, by path; none if hidden
    only."""
    return {
        f"tasks/{task.id}/{name}": data
        for task in publication.tasks
        if task.spec.tier == "public"
        for name, data in task_files(task, RUN_CHECKS, publication.limits).items()
    }


def commit(workspace: Workspace, publication: Publication) -> Committed:
    """Commit a contract to both repositories, or find that both hold it already.

    Call it while holding the workspace's lock. Raises :class:`RefusedError` TSK001 (no licence, origin or
    notice), TSK003 (a leak), TSK004 (evidence that is not there); :class:`UsageError` WSP005 (changed
    committed files), WSP007 (no git identity), TSK002 (files outside the contract's folders); nothing is
    committed then.
    """
    finish(workspace)
    who = git.identity(workspace.root)
    _check_paths(publication)
    require_clean(workspace, publication.contract, publication.incident)
    _check_licence(publication)
    public_files = _public_files(workspace, publication)
    _audit(workspace, (publication,), public_files)
    private_files = private_tree(publication, _evidence(workspace, publication))
    message = _message(publication)
    moves = []
    for root, repository, folders, files in (
        (workspace.root, "private", _private_folders(publication), private_files),
        (workspace.public, "public", _public_folders(publication), public_files),
    ):
        with git.opened(root) as session:
            old = git.head_in(session)
            before = git.list_tree(session, old)
            after = git.merge_listing(before, folders, git.store_files(session, files))
            if after != before:
                parents = (old,) if old else ()
                tree = git.store_tree(session, after)
                new = git.commit_tree(session, tree, parents, message, who=who, date=publication.date)
                moves.append(Move(repository=repository, old=old, new=new))
    if moves:
        record(workspace, Intent(reason=f"commit {publication.contract}", moves=tuple(moves)))
        finish(workspace)
    heads = git.head(workspace.root), git.head(workspace.public)
    return Committed(str(heads[0]), str(heads[1]), changed=bool(moves))


def _evidence(workspace: Workspace, publication: Publication) -> dict[str, bytes]:
    """Return the records' files by path, as they lie in the workspace."""
    files = {}
    for key in sorted(set(publication.evidence)):
        path = evidence_path(key)
        if not workspace.path(path).is_file():
            raise RefusedError(
                "TSK004", f"The evidence {key[:12]} is not there.", "Run: authoring validate", stage="commit"
            )
        files[path] = read_limited(workspace.path(path), _EVIDENCE_CAP)
    return files


def _private_folders(publication: Publication) -> tuple[str, ...]:
    contract = publication.contract
    incident = publication.incident
    shared = dict.fromkeys((f"incidents/{incident}", f"contracts/{incident}", f"contracts/{contract}"))
    return (*shared, f"hidden/{contract}")


def _public_folders(publication: Publication) -> tuple[str, ...]:
    return (f"tasks/{publication.contract}", "LICENSES")


def _check_paths(publication: Publication) -> None:
    allowed = tuple(f"{folder}/" for folder in _private_folders(publication)[:-1])
    outside = sorted(path for path in publication.files if not path.startswith(allowed))
    if outside:
        raise UsageError(
            "TSK002",
            f"{outside[0]!a} lies outside the contract's folders.",
            "Commit it by hand.",
            stage="commit",
        )


def require_clean(workspace: Workspace, contract: str, incident: str = "") -> None:
    """Refuse to overwrite what a person changed; the private folders of the incident's contracts are ours to write.

    ``incident`` is the id of the contract's incident; empty: the same as the contract's. Raises
    :class:`UsageError` WSP005.
    """
    incident = incident or contract
    names = {contract, incident, *contracts_of(workspace, incident)}
    own = (
        f"incidents/{incident}/",
        *(f"{folder}/{name}/" for folder in ("contracts", "hidden") for name in sorted(names)),
    )
    changed = [str(workspace.public / path) for path in git.dirty_paths(workspace.public)]
    changed += [path for path in git.dirty_paths(workspace.root) if not path.startswith(own)]
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise UsageError(
            "WSP005",
            f"{changed[0]}{more} changed without a commit.",
            "Commit the change or take it back.",
            stage="commit",
        )


def _check_licence(publication: Publication) -> None:
    """Refuse to publish code without saying whose it is and on which terms."""
    if all(task.spec.tier == "hidden" for task in publication.tasks):
        return
    origin = publication.tasks[0].contract.origin
    lacking = [
        word
        for word, value in (
            ("origin", origin.package),
            ("licence", origin.licence),
            ("notice", origin.notices),
        )
        if not value
    ]
    if lacking:
        raise RefusedError(
            "TSK001",
            f"{publication.contract} derives from code without a stated {' and '.join(lacking)}.",
            "State the licence and keep its text in the tree, or make the contract hidden-only.",
            stage="commit",
        )


def _public_files(workspace: Workspace, publication: Publication) -> dict[str, bytes]:
    """Return the contract's public files with the documents that are made of all tasks."""
    own = public_tree(publication)
    with git.opened(workspace.public) as session:
        listing = git.list_tree(session, git.head_in(session))
        others = git.read_listing(
            session,
            {
                path: blob
                for path, blob in listing.items()
                if is_task_document(path) and not path.startswith(f"tasks/{publication.contract}/")
            },
        )
    return {**public_documents(tasks_in({**others, **own})), **own}


def audit(workspace: Workspace, publications: Sequence[Publication]) -> None:
    """Look for what any of the contracts keeps hidden: in all their public files, and in every public object.

    Contracts of one incident are audited together before the first is committed, since each may show what another
    hides, and what is public once stays so. What an earlier run left half done is finished first. Raises
    :class:`RefusedError` TSK003.
    """
    finish(workspace)
    files: dict[str, bytes] = {}
    for publication in publications:
        files |= _public_files(workspace, publication)
    _audit(workspace, publications, files)


def _audit(workspace: Workspace, publications: Sequence[Publication], files: Mapping[str, bytes]) -> None:
    """Look for leaks in public files and in every object that the public repository holds."""
    with git.opened(workspace.public) as session:
        objects = {f"object {name}": data for name, data in git.all_objects(session).items()}
        shown = {one.contract: _faces_in_git(workspace, one, session) for one in publications}
    known = set(files.values())
    places = {**{name: data for name, data in objects.items() if data not in known}, **files}
    for one in publications:
        siblings = shown[one.contract]
        for other in publications:
            if other.contract != one.contract:
                siblings |= {path: data for path, data in public_tree(other).items() if _is_face(path)}
        texts = [data.decode("utf-8", "replace") for _, data in sorted(siblings.items())]
        refuse_leaks(find_leaks(secrets_of(one.tasks, RUN_CHECKS, texts), one.contract, places), one.contract)


def _faces_in_git(workspace: Workspace, publication: Publication, session: git.Session) -> dict[str, bytes]:
    """Return what the public tasks of the incident's other contracts show: programs, prompts and checks."""
    siblings = set(contracts_of(workspace, publication.incident)) - {publication.contract}
    folders = tuple(f"tasks/{name}/" for name in sorted(siblings))
    listing = git.list_tree(session, git.head_in(session))
    faces = {path: blob for path, blob in listing.items() if path.startswith(folders) and _is_face(path)}
    return git.read_listing(session, faces)


def _is_face(path: str) -> bool:
    return path.rpartition("/")[2] in (*FACES, CHECKS)


def _message(publication: Publication) -> str:
    trailers = [
        f"Incident: {publication.incident}",
        f"Contract: {publication.contract}",
        f"Evidence: {value_digest(sorted(set(publication.evidence)))}",
    ]
    reviewer = " ".join(publication.reviewed_by.split())
    trailers += [f"Reviewed-by: {reviewer}"] if reviewer else []
    mechanism = publication.tasks[0].contract.mechanism
    return f"Add {publication.contract}\n\nMechanism: {mechanism}\n\n" + "\n".join(trailers) + "\n"
