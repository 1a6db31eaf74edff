"""Codes of the workspace and of the machine around it: git, files, packages, settings, clock."""

from authoring.model.codes.base import Code

__all__ = ["CODES"]

CODES: tuple[Code, ...] = (
    Code(
        "WSP001",
        "There is no workspace at that place.",
        "Every command but init, explain and doctor works inside a workspace: a private git repository with "
        "authoring.toml at its top.",
        "Make one with `authoring init DIR`, or name it with --workspace.",
    ),
    Code(
        "WSP002",
        "The folder is not a git repository.",
        "A workspace, its public part and the repository of an incident are git repositories of their own; a "
        "repository around the folder does not count.",
        "Give the folder that holds .git.",
    ),
    Code(
        "WSP003",
        "The workspace's key is not here.",
        "The key is never committed, so a clone lacks it; pools and commitments cannot be judged without it.",
        "Set AUTHORING_KEY_FILE to the file that holds the key.",
    ),
    Code(
        "WSP004",
        "The key is malformed, or it is another workspace's.",
        "A key is a file of exactly 32 bytes; a workspace keeps one key for all its life.",
        "Give the file that `authoring init` made.",
    ),
    Code(
        "WSP005",
        "Committed files were changed without being committed.",
        "The command would have to overwrite or to judge files that differ from the commit.",
        "Commit the changes or take them back, then run the command again.",
    ),
    Code(
        "WSP006",
        "Another run holds the workspace.",
        "One run at a time writes into a workspace; the lock is freed when that run ends, however it ends.",
        "Wait for the process that the message names, or stop it.",
    ),
    Code(
        "WSP007",
        "Git does not know who commits.",
        "Commits carry a name and an e-mail address; the tool does not let git make them up.",
        "Set user.name and user.email with git config.",
    ),
    Code(
        "WSP008",
        "There is no space left on the disk.",
        "A file could not be written whole; what was there before is untouched.",
        "Free some space and run the same command again.",
    ),
    Code(
        "WSP009",
        "A file cannot be written.",
        "The machine refused: permissions, a read-only file system, or a failing disk.",
        "Look at the permissions and the file system of the path that the message names.",
    ),
    Code(
        "WSP010",
        "A file or a tree is too large.",
        "Everything that comes from outside is read within bounds.",
        "Give a smaller file, or a smaller tree.",
    ),
    Code(
        "WSP011",
        "A file cannot be read.",
        "It is missing, not readable, no regular file, or no UTF-8 text.",
        "Check the path and the file.",
    ),
    Code(
        "WSP012",
        "A path leaves its folder.",
        "Names in archives, trees and documents must stay inside the folder that they belong to.",
        "Use a relative path without `..`.",
    ),
    Code(
        "WSP013",
        "Git is missing or it failed.",
        "The program git did not do what was asked; its last line is in the message.",
        "Install git 2.30 or later, or look at the repository that the message names.",
    ),
    Code(
        "WSP014",
        "That is not a date.",
        "Dates are written in ISO form and are not before 1970.",
        "Write it as 2026-01-31 or 2026-01-31T12:00:00+00:00.",
    ),
    Code(
        "WSP015",
        "That text cannot be a revision.",
        "A revision is one commit's name; text that begins with `-` would be an option of git, and a range is "
        "more than one commit.",
        "Give a branch, a tag or a commit id.",
    ),
    Code(
        "WSP016",
        "The repository has no such commit.",
        "The name was looked up in the repository as it is; nothing is fetched.",
        "Check the name, or fetch it first.",
    ),
    Code(
        "WSP017",
        "A branch moved while the command ran.",
        "Someone else committed to one of the workspace's repositories meanwhile; nothing was overwritten.",
        "Run the same command again.",
    ),
    Code(
        "WSP018",
        "That text cannot name a tag.",
        "Git has rules for the names of tags.",
        "Use letters, digits, dots and single hyphens.",
    ),
    Code(
        "WSP019",
        "The tag exists.",
        "A tag names one object for ever; it is never moved.",
        "Choose another name.",
    ),
    Code(
        "WSP020",
        "A link leaves its tree.",
        "A symbolic link in a tree or an archive points outside, or turns in a circle.",
        "Remove the link from the tree.",
    ),
    Code(
        "WSP021",
        "The folder for a new workspace is occupied.",
        "A workspace is made in a new or an empty folder only, so that nothing of yours is mixed into it.",
        "Give another folder.",
    ),
    Code(
        "WSP030",
        "No index has a package of that name.",
        "Every index that pip is configured with was asked and answered.",
        "Check the spelling of the package's name.",
    ),
    Code(
        "WSP031",
        "The package has no such version.",
        "Every index that pip is configured with was asked and answered.",
        "Choose one of the versions that the hint names.",
    ),
    Code(
        "WSP032",
        "A package index cannot be reached.",
        "An index did not answer, so it is not known whether the package or the version exists.",
        "Check the network and pip's configuration, then run the command again.",
    ),
    Code(
        "WSP033",
        "The release has no archive that can be used.",
        "Wheels that fit the task's Python, and source archives, are unpacked; nothing is built.",
        "Choose another version, or another Python with --python.",
    ),
    Code(
        "WSP034",
        "An archive is broken or hostile.",
        "Its digest is wrong, it cannot be unpacked, or it holds paths, links or sizes that no release has.",
        "Do not use this release.",
    ),
    Code(
        "WSP035",
        "Pip is missing or it failed.",
        "Releases are found with the pip of the tool's own Python.",
        "Run: python -m ensurepip --upgrade.",
    ),
    Code(
        "WSP036",
        "That is not a pinned package.",
        "A dependency is pinned as name==version, and a version is one of PEP 440's.",
        "Write it as name==1.2.3.",
    ),
    Code(
        "WSP037",
        "No import package was found in a tree.",
        "A tree must hold a package or a module, at its top or below src/ or lib/.",
        "Check the folder, or name the package with import_name.",
    ),
    Code(
        "WSP040",
        "A setting is not known.",
        "Settings that nobody reads are errors, so that a typing mistake is not silently ignored.",
        "Use the name that the hint gives; `authoring config show` lists all.",
    ),
    Code(
        "WSP041",
        "A setting has a value that it cannot have.",
        "Every setting has one type and bounds.",
        "`authoring config show` lists the settings with their values.",
    ),
    Code(
        "WSP042",
        "The configuration file cannot be read.",
        "authoring.toml and pyproject.toml are TOML.",
        "Mend the line that the message names.",
    ),
    Code(
        "WSP043",
        "The journal cannot be used.",
        "The journal in .authoring/ holds what an interrupted run had done; it can be made again.",
        "Remove .authoring/journal.sqlite and run the command again.",
    ),
)
