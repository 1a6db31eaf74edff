"""Laws of obtaining releases, with pip's real index machinery on an index made here."""

import hashlib
import io
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest

from authoring.model.errors import AuthoringError, CannotJudgeError, UsageError
from authoring.system.files import read_tree
from authoring.system.packages import later_releases, obtain_dependency, obtain_files, obtain_release

TRAP = b"import pathlib; pathlib.Path(__file__).parent.joinpath('ran').touch(); raise SystemExit(9)\n"


def wheel(name: str, version: str, text: bytes = b"") -> bytes:
    buffer = io.BytesIO()
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nLicense: MIT\n"
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(zipfile.ZipInfo(f"{name}/__init__.py"), text)
        archive.writestr(zipfile.ZipInfo(f"{name}-{version}.dist-info/METADATA"), metadata)
        archive.writestr(zipfile.ZipInfo(f"{name}-{version}.dist-info/LICENSE"), "Permission is granted\n")
    return buffer.getvalue()


def source(name: str, version: str, trap: Path) -> bytes:
    buffer = io.BytesIO()
    files = {
        "setup.py": f"open({str(trap)!r}, 'w').close(); raise SystemExit(9)\n".encode(),
        "pyproject.toml": b'[build-system]\nrequires = []\nbuild-backend = "setup"\nbackend-path = ["."]\n',
        f"src/{name}/__init__.py": b"x = 1\n",
        "tests/__init__.py": b"",
        "PKG-INFO": f"Metadata-Version: 1.1\nName: {name}\nVersion: {version}\nLicense: BSD\n".encode(),
        "COPYING": b"Take it\n",
    }
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for path, data in files.items():
            info = tarfile.TarInfo(f"{name}-{version}/{path}")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


class Index:
    """A package index in a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def add(self, name: str, filename: str, data: bytes, digest: str = "") -> None:
        folder = self.root / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / filename).write_bytes(data)
        digest = digest or hashlib.sha256(data).hexdigest()
        page = folder / "index.html"
        old = page.read_text() if page.exists() else "<!DOCTYPE html>"
        page.write_text(
            old + f'<a href="{filename}#sha256={digest}" data-requires-python="&lt;3">{filename}</a>\n'
        )


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_NO_INDEX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_INDEX_URL", (tmp_path / "index").as_uri())
    monkeypatch.setenv("PIP_RETRIES", "0")
    return Index(tmp_path / "index")


def code_of(name: str, version: str, cache: Path) -> str:
    with pytest.raises(AuthoringError) as refused:
        obtain_release(name, version, cache)
    return refused.value.code


def test_a_wheel_is_preferred_and_carries_its_licence(index: Index, tmp_path: Path) -> None:
    index.add("pkg", "pkg-1.0.tar.gz", source("pkg", "1.0", tmp_path / "ran"))
    index.add("pkg", "pkg-1.0-py3-none-any.whl", wheel("pkg", "1.0", b"text"))
    tree = obtain_release("pkg", "1.0", tmp_path / "cache")
    assert (tree.path / "pkg" / "__init__.py").read_bytes() == b"text"
    assert (tree.licence, tree.notices, tree.top_levels) == ("MIT", ("Permission is granted\n",), ("pkg",))
    assert tree.archive_sha256 == hashlib.sha256(wheel("pkg", "1.0", b"text")).hexdigest()


def test_a_source_archive_is_unpacked_and_nothing_of_it_runs(index: Index, tmp_path: Path) -> None:
    index.add("pkg", "pkg-1.0.tar.gz", source("pkg", "1.0", tmp_path / "ran"))
    tree = obtain_release("pkg", "1.0", tmp_path / "cache")
    assert sorted(read_tree(tree.path)) == ["pkg-1.0.dist-info/METADATA", "pkg/__init__.py"]
    assert (tree.licence, tree.notices) == ("BSD", ("Take it\n",))
    assert not (tmp_path / "ran").exists()


def test_a_wheel_with_compiled_code_is_taken_only_for_its_python(index: Index, tmp_path: Path) -> None:
    index.add("pkg", "pkg-1.0-cp311-cp311-linux_x86_64.whl", wheel("pkg", "1.0", b"311"))
    index.add("pkg", "pkg-1.0-cp312-cp312-linux_x86_64.whl", wheel("pkg", "1.0", b"312"))
    for python, text in (("3.11", b"311"), ("3.12", b"312")):
        tree = obtain_dependency("pkg==1.0", tmp_path / "cache", python)
        assert (tree.path / "pkg" / "__init__.py").read_bytes() == text
    with pytest.raises(UsageError):
        obtain_dependency("pkg==1.0", tmp_path / "cache", "3.10")


def test_an_unknown_package_and_an_unknown_version_are_told_apart(index: Index, tmp_path: Path) -> None:
    index.add("pkg", "pkg-1.0-py3-none-any.whl", wheel("pkg", "1.0"))
    assert code_of("missing", "1.0", tmp_path / "cache") == "WSP030"
    assert code_of("pkg", "2.0", tmp_path / "cache") == "WSP031"
    assert code_of("pkg", "not_a_version", tmp_path / "cache") == "WSP036"
    assert not (tmp_path / "cache").exists()


def test_an_index_that_does_not_answer_is_not_taken_for_an_answer(
    index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "http://127.0.0.1:9/simple")
    index.add("pkg", "pkg-1.0-py3-none-any.whl", wheel("pkg", "1.0"))
    assert code_of("pkg", "2.0", tmp_path / "cache") == "WSP032"
    with pytest.raises(CannotJudgeError):
        obtain_release("missing", "1.0", tmp_path / "cache")
    assert obtain_release("pkg", "1.0", tmp_path / "cache").top_levels == ("pkg",)


def test_the_second_call_needs_no_index(index: Index, tmp_path: Path) -> None:
    index.add("pkg", "pkg-1.0-py3-none-any.whl", wheel("pkg", "1.0"))
    first = obtain_release("pkg", "1.0", tmp_path / "cache")
    shutil.rmtree(index.root)
    assert obtain_release("Pkg", "1.0", tmp_path / "cache") == first


@pytest.mark.parametrize("damage", ["trees", "archives", "releases"])
def test_a_damaged_cache_entry_is_found_and_obtained_again(index: Index, tmp_path: Path, damage: str) -> None:
    index.add("pkg", "pkg-1.0-py3-none-any.whl", wheel("pkg", "1.0", b"good"))
    cache = tmp_path / "cache"
    first = obtain_release("pkg", "1.0", cache)
    for path in sorted((cache / damage).rglob("*")):
        if path.is_file():
            path.write_bytes(b"bad")
    assert obtain_release("pkg", "1.0", cache) == first
    assert (first.path / "pkg" / "__init__.py").read_bytes() == b"good"


def test_an_archive_that_is_not_what_the_index_says_is_refused(index: Index, tmp_path: Path) -> None:
    index.add("pkg", "pkg-1.0-py3-none-any.whl", wheel("pkg", "1.0"), digest="0" * 64)
    assert code_of("pkg", "1.0", tmp_path / "cache") == "WSP034"


def test_a_release_without_anything_to_import_is_refused(index: Index, tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("pkg-1.0.dist-info/METADATA", "Name: pkg\n")
    index.add("pkg", "pkg-1.0-py3-none-any.whl", buffer.getvalue())
    assert code_of("pkg", "1.0", tmp_path / "cache") == "WSP037"


def test_a_folders_packages_are_laid_out_by_content(tmp_path: Path) -> None:
    files = {"src/pkg/__init__.py": b"1", "src/pkg/d.json": b"{}", "setup.py": TRAP, "LICENSE": b"L"}
    tree = obtain_files(files, tmp_path / "cache", "the folder")
    assert read_tree(tree.path) == {"pkg/__init__.py": b"1", "pkg/d.json": b"{}"}
    assert obtain_files(files, tmp_path / "cache", "the folder") == tree
    with pytest.raises(UsageError) as refused:
        obtain_files({"README": b""}, tmp_path / "cache", "the folder")
    assert refused.value.code == "WSP037"


def test_the_newest_final_release_of_each_later_series_is_listed_nearest_first(index: Index) -> None:
    versions = (
        "0.9 1.0 1.0.1 1.0.2 1.1rc1 1.1 1.1.post1 1.1.2.dev3 1.2a1 1.10 1.9.4 2.0 2.0+local 1!0.1".split()
    )
    for version in versions:
        index.add("pkg", f"pkg-{version}-py3-none-any.whl", wheel("pkg", version))
    assert later_releases("pkg", "1.0", most=9) == ("1.0.2", "1.1.post1", "1.9.4", "1.10", "2.0", "1!0.1")
    assert later_releases("Pkg", "1.0.2", most=2) == ("1.1.post1", "1.9.4")
    assert later_releases("pkg", "1!0.1", most=5) == ()


def test_a_withdrawn_release_and_one_for_another_python_are_not_listed(index: Index) -> None:
    index.add("pkg", "pkg-1.0-py3-none-any.whl", wheel("pkg", "1.0"))
    index.add("pkg", "pkg-1.1-cp311-cp311-linux_x86_64.whl", wheel("pkg", "1.1"))
    index.add("pkg", "pkg-1.2-py3-none-any.whl", wheel("pkg", "1.2"))
    page = index.root / "pkg" / "index.html"
    page.write_text(page.read_text().replace('<a href="pkg-1.2', '<a data-yanked="wrong" href="pkg-1.2'))
    assert later_releases("pkg", "1.0", "3.11", most=5) == ("1.1",)
    assert later_releases("pkg", "1.0", "3.12", most=5) == ()


def test_an_index_that_does_not_answer_lists_nothing(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    index.add("pkg", "pkg-1.0-py3-none-any.whl", wheel("pkg", "1.0"))
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "http://127.0.0.1:9/simple")
    with pytest.raises(CannotJudgeError) as refused:
        later_releases("pkg", "1.0", most=5)
    assert refused.value.code == "WSP032"
    with pytest.raises(UsageError) as unknown:
        later_releases("pkg", "no version", most=5)
    assert unknown.value.code == "WSP036"
