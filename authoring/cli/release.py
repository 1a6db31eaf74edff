"""`release VERSION`: freeze the committed tasks under a tag in both repositories."""

from typing import TYPE_CHECKING, Annotated

import typer

from authoring.cli.answer import Answer
from authoring.cli.frame import add_command
from authoring.cli.screen import Screen
from authoring.cli.session import Session

if TYPE_CHECKING:
    from authoring.model.manifest import Manifest
    from authoring.release import Released

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    add_command(app, "release")(release)


def release(
    session: Session,
    version: Annotated[
        str, typer.Argument(metavar="VERSION", help="The release's name and tag, such as 1.0.0.")
    ],
) -> Answer:
    """Freeze the committed tasks: a manifest and an annotated tag in each repository; never changed again."""
    from authoring.release import release as freeze
    from authoring.system.lock import workspace_lock
    from authoring.system.workspace import Workspace

    workspace = Workspace.open(session.workspace)
    session.progress.phase("freezing")
    with workspace_lock(workspace.root):
        released = freeze(workspace, version)
    manifest = released.manifest
    return Answer(
        data={
            "version": version,
            "changed": released.changed,
            "manifest_sha256": released.sha256,
            "manifest": manifest.model_dump(mode="json"),
            "tags": {"private": str(workspace.root), "public": str(workspace.public)},
        },
        human=lambda screen: _draw(screen, released),
        next=(f"authoring verify {version}", f"authoring gate repo {version} --package NAME==VERSION"),
    )


def _draw(screen: Screen, released: "Released") -> None:
    manifest = released.manifest
    made = "tagged in both repositories" if released.changed else "was there already; nothing to do"
    screen.heading(f"Release {manifest.version}: {made}")
    counts = manifest.counts
    screen.facts(
        [
            ("tasks", f"{len(manifest.tasks)} ({_tiers(manifest)})"),
            ("holds", f"{counts.families} families, {counts.groups} groups, {counts.mechanisms} mechanisms"),
            ("previous", manifest.previous.version if manifest.previous else "none"),
            ("manifest", released.sha256),
        ]
    )
    screen.line()
    screen.table(
        ("task", "tier", "split", "since previous", "claim"),
        [(task.id, task.tier, task.split, task.since_previous, task.claim) for task in manifest.tasks],
    )


def _tiers(manifest: "Manifest") -> str:
    tiers = [task.tier for task in manifest.tasks]
    return f"{tiers.count('public')} public, {tiers.count('hidden')} hidden"
