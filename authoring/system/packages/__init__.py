"""Package releases, unpacked without building or running anything of theirs."""

from authoring.system.packages.index import Archive, download, later_releases, parse_pin
from authoring.system.packages.obtain import ObtainedTree, obtain_dependency, obtain_files, obtain_release
from authoring.system.packages.unpack import unpack

__all__ = [
    "Archive",
    "ObtainedTree",
    "download",
    "later_releases",
    "obtain_dependency",
    "obtain_files",
    "obtain_release",
    "parse_pin",
    "unpack",
]
