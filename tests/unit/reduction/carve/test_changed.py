"""What changed is a function's own text, or something of the module that it reads."""

from pathlib import Path

from authoring.reduction.carve.changed import changed_functions

BASE = (
    "LIMIT = 3\n\n\ndef plain(x):\n    return x\n\n\ndef limited(x):\n    return x < LIMIT\n\n\n"
    "class Box:\n    size = 1\n\n    def fits(self, x):\n        return x <= self.size\n\n    def empty(self):\n"
    "        return True\n"
)


def changed(tmp_path: Path, before: str, after: str) -> set[str]:
    trees = []
    for name, text in (("broken", before), ("fixed", after)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text(text)
        trees.append(tmp_path / name)
    return {name for _, name in changed_functions(trees, ["a.py"])}


def test_a_function_whose_body_differs_changed_and_one_whose_docstring_differs_did_not(
    tmp_path: Path,
) -> None:
    after = BASE.replace("    return x\n\n\ndef limited", '    """Say."""\n    return x\n\n\ndef limited')
    assert changed(tmp_path, BASE, after.replace("return True", "return False")) == {"Box.empty"}


def test_who_reads_what_changed_at_module_or_class_level_changed_too(tmp_path: Path) -> None:
    after = BASE.replace("LIMIT = 3", "LIMIT = 4").replace("size = 1", "size = 2")
    assert changed(tmp_path, BASE, after) == {"limited", "Box.fits"}


def test_a_function_of_one_version_only_changed(tmp_path: Path) -> None:
    assert changed(tmp_path, BASE, BASE + "\n\ndef new():\n    pass\n") == {"new"}


def test_what_cannot_be_read_is_nothing(tmp_path: Path) -> None:
    assert changed(tmp_path, "def f(:\n", "def f(:\n") == set()
