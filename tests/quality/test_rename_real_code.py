"""Renaming the library's own modules: the code still does the same under other names."""

import importlib
import inspect
import symtable
import types
from typing import Any

import pytest

from authoring.variants.occurrences import Kind, find_occurrences
from authoring.variants.rename import own_names, rename_program, rename_scenarios
from authoring.variants.vocabulary import make_vocabulary, read_words

CASES = {
    "textwrap": (
        "def go(program, p, seen):\n"
        '    text = "  Some words of a line that is long.\\n\\n  More of it here."\n'
        "    seen(program.wrap(text, width=20, initial_indent='* '))\n"
        "    seen(program.shorten(text, width=25, placeholder='..'))\n"
        "    seen(program.dedent(text))\n"
        "    seen(program.indent(text, '> '))\n"
        "    seen(program.TextWrapper(width=12, max_lines=2).fill(text))\n"
    ),
    "shlex": (
        "def go(program, p, seen):\n"
        "    seen(program.split(\"a 'b c' d#e\", comments=True))\n"
        "    seen(program.join(['a b', 'c']))\n"
        "    seen(list(program.shlex('x = \"y z\"; w', posix=True, punctuation_chars=True)))\n"
    ),
    "fnmatch": (
        "def go(program, p, seen):\n"
        "    seen(program.translate('a*[!b-d]?'))\n"
        "    seen(program.filter(['ab', 'b', 'ac'], 'a*'))\n"
    ),
    "heapq": (
        "def go(program, p, seen):\n"
        "    items = [5, 1, 4, 2, 3]\n"
        "    program.heapify(items)\n"
        "    seen(program.heappop(items))\n"
        "    seen(program.nsmallest(3, [9, 7, 8, 1], key=lambda x: -x))\n"
        "    seen(list(program.merge([1, 4], [2, 3], reverse=False)))\n"
    ),
    "difflib": (
        "def go(program, p, seen):\n"
        "    seen(list(program.unified_diff(['a', 'b'], ['a', 'c'], fromfile='x', tofile='y', lineterm='')))\n"
        "    seen(program.get_close_matches('appel', ['ape', 'apple', 'peach'], n=2))\n"
        "    seen(program.SequenceMatcher(None, 'abxcd', 'abcd').ratio())\n"
    ),
}


def observe(source: str, scenarios: str) -> list[Any]:
    module = types.ModuleType("program")
    exec(compile(source, "program.py", "exec"), module.__dict__)
    scope: dict[str, Any] = {}
    exec(compile(scenarios, "scenarios.py", "exec"), scope)
    seen: list[Any] = []
    scope["go"](module, {}, seen.append)
    return seen


@pytest.mark.parametrize("name", CASES)
def test_a_module_of_the_library_does_the_same_under_other_names(name: str) -> None:
    source, scenarios = inspect.getsource(importlib.import_module(name)), CASES[name]
    names = own_names([source], scenarios)
    vocabulary = make_vocabulary(names, read_words(), b"k" * 32, name)
    renamed = rename_program(source, names, vocabulary)
    assert len(vocabulary) >= 3
    assert renamed != source
    assert observe(renamed, rename_scenarios(scenarios, names, vocabulary)) == observe(source, scenarios)


@pytest.mark.parametrize("name", CASES)
def test_locals_and_parameters_are_those_that_the_compiler_sees(name: str) -> None:
    source = inspect.getsource(importlib.import_module(name))
    found = find_occurrences(source)
    parameters, variables = _symbols(symtable.symtable(source, name, "exec"))
    assert found.named(Kind.PARAMETER) == parameters
    assert found.named(Kind.LOCAL) <= variables


def _symbols(table: symtable.SymbolTable) -> tuple[set[str], set[str]]:
    parameters: set[str] = set()
    variables: set[str] = set()
    for symbol in table.get_symbols():
        if table.get_type() == "function" and not symbol.get_name().startswith("."):
            (parameters if symbol.is_parameter() else variables).add(symbol.get_name())
    for child in table.get_children():
        inner = _symbols(child)
        parameters |= inner[0]
        variables |= inner[1]
    return parameters, variables
