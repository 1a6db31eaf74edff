"""What is installed: the package and its templates, never hidden checks, contracts or tests."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

import pytest

from tests.repo.tracked import ROOT, text_files

PRIVATE = {"hidden", "contracts", "tests"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build wheel and sdist once."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    return folder


def test_the_wheel_holds_the_package_its_templates_and_the_licence(built: Path) -> None:
    [wheel] = built.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    tops = {PurePosixPath(name).parts[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"authoring"}
    tracked = text_files()
    assert {name for name in tracked if name.startswith("authoring/")} <= names
    assert {f"authoring/{name}" for name in tracked if name.startswith("templates/")} <= names
    assert [name for name in names if name.endswith("licenses/LICENSE")]
    assert not [name for name in names if PRIVATE & set(PurePosixPath(name).parts[:2])]


def test_the_source_archive_holds_nothing_private(built: Path) -> None:
    [archive] = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        parts = [PurePosixPath(name).parts for name in opened.getnames()]
    assert not [path for path in parts if PRIVATE & set(path[1:2])]
    assert {"authoring", "templates", "LICENSE", "README.md"} <= {path[1] for path in parts if len(path) > 1}
