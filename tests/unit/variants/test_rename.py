"""Renaming by scope: what is ours changes everywhere, what might not be ours stays."""

from collections.abc import Mapping

import pytest

from authoring.variants.rename import keep_faithful, own_names, rename_program, rename_scenarios

PROGRAM = """import os


class Order:
    kind = "plain"

    def __init__(self, number, *, size=1):
        self.number = number
        self.size = size

    def describe(self, prefix=""):
        return prefix + os.sep + str(self.number)


total = 0


def count(orders, key=None):
    global total
    total += len(orders)
    later = sorted(orders, key=key)

    def step():
        nonlocal later
        later = [item for item in later if item]
        return later

    return step(), Order(3, size=2).describe(prefix="x")
"""
SCENARIOS = """def go(program, p, seen):
    number = p["number"]
    order = program.Order(number, size=p["size"])
    seen(order.number)
    seen(program.count([], key=None))
"""


def renamed(old: str, new: str, program: str = PROGRAM, scenarios: str = SCENARIOS) -> tuple[str, str]:
    names = own_names([program], scenarios)
    assert old in names.eligible
    return rename_program(program, names, {old: new}), rename_scenarios(scenarios, names, {old: new})


def test_a_class_changes_where_it_is_defined_and_used() -> None:
    program, scenarios = renamed("Order", "Purchase")
    assert program == PROGRAM.replace("Order", "Purchase")
    assert scenarios == SCENARIOS.replace("program.Order", "program.Purchase")


def test_a_parameter_changes_with_the_keywords_of_its_own_callers_only() -> None:
    program, scenarios = renamed("key", "rank")
    assert "def count(orders, rank=None)" in program
    assert "sorted(orders, key=rank)" in program
    assert "program.count([], rank=None)" in scenarios


def test_an_attribute_changes_on_objects_and_in_scenarios_but_not_a_local_of_the_scenario() -> None:
    program, scenarios = renamed("number", "serial")
    assert "def __init__(self, serial, *, size=1):\n        self.serial = serial\n" in program
    assert '    number = p["number"]\n    order = program.Order(number, ' in scenarios
    assert "seen(order.serial)" in scenarios


def test_global_and_nonlocal_names_change_with_their_bindings() -> None:
    assert renamed("total", "overall")[0] == PROGRAM.replace("total", "overall")
    assert renamed("later", "rest_of")[0] == PROGRAM.replace("later", "rest_of")


UNSAFE = {
    "read by text": ("def f(size):\n    return getattr(f, 'size')\n", "size"),
    "format field": ("def f(size):\n    return '{size}'.format(size=size)\n", "size"),
    "shown": ("def f(size):\n    return f'{size=}'\n", "size"),
    "locals": ("def f(size):\n    return locals()\n", "size"),
    "unknown callee": ("def f(hook, size):\n    return hook(size=size)\n", "size"),
    "handed on": ("import functools\ndef f(size):\n    return 1\ng = functools.partial(f, size=2)\n", "size"),
    "foreign base": (
        "import http.server as h\nclass A(h.B):\n    def size(self):\n        return 1\n",
        "size",
    ),
    "foreign attribute": ("class A:\n    def items(self):\n        return 1\n", "items"),
    "imported": ("from x import size\ndef f():\n    return size\n", "size"),
    "field of a named tuple": (
        "import collections\nP = collections.namedtuple('P', 'size, other')\ndef f(size): return P\n",
        "size",
    ),
    "by qualified name": ("def size():\n    return size.__name__\n", "size"),
}


@pytest.mark.parametrize(("program", "name"), UNSAFE.values(), ids=UNSAFE)
def test_a_name_that_something_else_may_reach_by_its_spelling_stays(program: str, name: str) -> None:
    assert name not in own_names([program], SCENARIOS).eligible


def test_a_name_is_eligible_only_if_every_version_allows_it() -> None:
    plain, reading = "def f(size):\n    return size\n", "def f(size):\n    return locals()\n"
    assert "size" in own_names([plain], "").eligible
    assert "size" not in own_names([plain, reading], "").eligible


def test_a_text_that_parameters_carry_is_never_renamed() -> None:
    assert "size" not in own_names(["def f(size):\n    return size\n"], "", texts=["size"]).eligible


def test_only_the_renamings_that_change_an_observation_are_dropped() -> None:
    vocabulary = {name: name.upper() for name in "abcdefgh"}
    asked: list[int] = []

    def is_faithful(part: Mapping[str, str]) -> bool:
        asked.append(len(part))
        return not {"c", "g"} & set(part)

    assert sorted(keep_faithful(vocabulary, is_faithful)) == ["a", "b", "d", "e", "f", "h"]
    assert max(asked) == len(vocabulary)
