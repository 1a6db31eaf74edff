"""Laws of archives, layouts and metadata, on archives made here."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable, Mapping

import pytest

from authoring.model.errors import UsageError
from authoring.system.packages.index import parse_pin
from authoring.system.packages.layout import import_roots, importable, top_levels, wheel_files
from authoring.system.packages.metadata import notices_of, read_metadata
from authoring.system.packages.unpack import unpack


def zipped(files: Mapping[str, bytes], mode: int = 0o100644) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            archive.writestr(info, data)
    return buffer.getvalue()


def tarred(
    members: list[tuple[str, bytes, bytes, str]], compress: Callable[[bytes], bytes] = gzip.compress
) -> bytes:
    buffer = io.BytesIO()
    with tarfile.TarFile(fileobj=buffer, mode="w") as archive:
        for name, kind, data, target in members:
            info = tarfile.TarInfo(name)
            info.type, info.linkname, info.size = kind, target, len(data)
            archive.addfile(info, io.BytesIO(data))
    return compress(buffer.getvalue())


FILE, LINK, HARD, FIFO = tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE


def test_a_wheel_gives_its_files() -> None:
    files = {"pkg/__init__.py": b"1", "pkg-1.dist-info/METADATA": b"Name: pkg\n"}
    assert unpack("pkg-1-py3-none-any.whl", zipped(files)) == files


@pytest.mark.parametrize(
    ("suffix", "compress"),
    [(".tar.gz", gzip.compress), (".tar.bz2", bz2.compress), (".tar.xz", lzma.compress), (".tar", bytes)],
)
def test_a_source_archive_gives_its_files_whatever_its_compression(
    suffix: str, compress: Callable[[bytes], bytes]
) -> None:
    data = tarred(
        [
            ("p-1/a.py", FILE, b"1", ""),
            ("p-1/s.py", LINK, b"", "a.py"),
            ("p-1/d/h.py", HARD, b"", "p-1/a.py"),
        ],
        compress,
    )
    assert unpack("p-1" + suffix, data) == {"p-1/a.py": b"1", "p-1/d/h.py": b"1", "p-1/s.py": b"1"}


@pytest.mark.parametrize(
    ("filename", "data", "code"),
    [
        ("p.whl", b"", "WSP034"),
        ("p.whl", zipped({"a": b"1"})[:-10], "WSP034"),
        ("p.whl", zipped({"../a": b"1"}), "WSP034"),
        ("p.whl", zipped({"/etc/a": b"1"}), "WSP034"),
        ("p.whl", zipped({"a": b"/etc/passwd"}, mode=0o120777), "WSP020"),
        ("p.tar.gz", b"\x1f\x8b junk", "WSP034"),
        ("p.tar.gz", tarred([("a", FILE, b"1" * 4000, "")])[:60], "WSP034"),
        ("p.tar.gz", tarred([("../../a", FILE, b"1", "")]), "WSP034"),
        ("p.tar.gz", tarred([("a", FIFO, b"", "")]), "WSP034"),
        ("p.tar.gz", tarred([("a", LINK, b"", "/etc/passwd")]), "WSP020"),
        ("p.tar.gz", tarred([("d/a", LINK, b"", "../../x")]), "WSP020"),
        ("p.tar.gz", tarred([("a", FILE, b"1", ""), ("a", FILE, b"2", "")]), "WSP034"),
        ("p.rpm", b"", "WSP033"),
    ],
    ids=lambda value: "archive" if isinstance(value, bytes) else None,
)
def test_a_broken_or_hostile_archive_is_refused(filename: str, data: bytes, code: str) -> None:
    with pytest.raises(UsageError) as refused:
        unpack(filename, data)
    assert refused.value.code == code


@pytest.mark.parametrize("filename", ["p.whl", "p.tar.gz"])
def test_an_archive_that_unpacks_to_too_much_is_refused(filename: str) -> None:
    files = {str(index): bytes(400_000) for index in range(3)}
    members = [(name, FILE, data, "") for name, data in files.items()]
    with pytest.raises(UsageError, match=r"too much|cannot be unpacked"):
        unpack(filename, zipped(files) if filename == "p.whl" else tarred(members), 1 << 20)
    assert len(unpack("p.whl", zipped({"0": files["0"], "1": files["1"]}), 1 << 20)) == 2


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["pkg/__init__.py", "pkg-1.dist-info/METADATA"], ("pkg",)),
        (["six.py", "_speed.cpython-311-x86_64-linux-gnu.so"], ("_speed", "six")),
        (["space/inner/mod.py"], ("space",)),
        (["not-a-name/x.py", "data/file.txt"], ()),
    ],
)
def test_import_names_are_read_off_the_top_of_a_tree(paths: list[str], names: tuple[str, ...]) -> None:
    assert top_levels(dict.fromkeys(paths, b"")) == names


def test_a_wheels_data_folders_are_laid_where_an_installer_lays_them() -> None:
    files = {"p-1.data/purelib/p/a.py": b"1", "p-1.data/scripts/run": b"2", "p/b.py": b"3"}
    assert wheel_files(files) == {"p/a.py": b"1", "p/b.py": b"3"}


@pytest.mark.parametrize(
    ("paths", "named", "laid"),
    [
        (["src/pkg/__init__.py", "tests/__init__.py", "setup.py"], (), ["pkg/__init__.py"]),
        (
            ["pkg/__init__.py", "pkg/data.txt", "docs/conf.py", "setup.py"],
            (),
            ["pkg/__init__.py", "pkg/data.txt"],
        ),
        (["one.py", "setup.py", "test_one.py"], (), ["one.py"]),
        (["odd/place/x.txt", "odd/pkg/__init__.py", "setup.py"], ("pkg",), ["pkg/__init__.py"]),
        (["lib/pkg/a/b.py", "tool/__init__.py"], ("pkg",), ["pkg/a/b.py"]),
        (["README"], (), []),
    ],
)
def test_the_import_packages_of_a_source_tree_are_found(
    paths: list[str], named: tuple[str, ...], laid: list[str]
) -> None:
    files = dict.fromkeys(paths, b"")
    assert list(importable(files, named)) == laid
    assert bool(import_roots(files, named)) == bool(laid)


@pytest.mark.parametrize(
    ("fields", "licence"),
    [
        ("License-Expression: MIT OR Apache-2.0\nLicense: other\n", "MIT OR Apache-2.0"),
        ("License: BSD-3-Clause\nClassifier: License :: OSI Approved :: MIT License\n", "BSD-3-Clause"),
        ("License: UNKNOWN\nClassifier: License :: OSI Approved :: MIT License\n", "MIT License"),
        (
            "License: Copyright (c)\n        line two\nClassifier: License :: OSI Approved :: ISC License\n",
            "ISC License",
        ),
        ("License: Copyright (c)\n        line two\n", "Copyright (c)"),
        ("Classifier: License :: OSI Approved\nClassifier: Topic :: X\n", ""),
        ("", ""),
    ],
)
def test_the_licence_is_the_expression_else_the_field_else_the_classifier(fields: str, licence: str) -> None:
    assert read_metadata(f"Metadata-Version: 2.1\nName: p\nVersion: 1\n{fields}\nbody\n").licence == licence


def test_notices_are_the_texts_of_the_licence_files_each_once() -> None:
    files = {
        "p-1.dist-info/LICENSE": b"MIT text \r\n",
        "p-1.dist-info/licenses/LICENCE.txt": b"MIT text\n",
        "p-1.dist-info/licenses/vendored/NOTICE": "caf\xe9".encode("latin-1"),
        "p-1.dist-info/METADATA": b"x",
        "p/license.py": b"x",
    }
    assert notices_of(files, ("p-1.dist-info/",)) == ("MIT text\n", "caf\xe9\n")


@pytest.mark.parametrize(
    "pin", ["", "a", "a>=1", "a==", "==1", "a==1;x", "-r==1", "a==-1", "a b==1", "a==1 2", "../x==1"]
)
def test_a_text_that_is_no_pin_is_refused(pin: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_pin(pin)
    assert refused.value.code == "WSP036"
