"""Long programs are compiled statement by statement, and behave as they do when they are compiled whole."""

from collections.abc import Iterator

import pytest

from authoring.execution import BoxRunner
from authoring.execution.compiler import Compiler, statements
from authoring.model.execution import Died, How, Limits, Observed, Outcome, Program, Request
from authoring.model.wire import encode

PATH = "/box/program.py"
CALL = "def call(program, p, seen):\n    seen(program.f(p['x']))\n"
WARM = How(limits=Limits(call_cpu_s=0.2, call_s=5.0))
FILLING = "".join(f"def filling_{n}(a, b):\n    return [a, b, {n}]\n" for n in range(150))
LONG = (
    '"""What it is."""\n'
    "import functools\n"
    "@functools.lru_cache(\n    maxsize=None,\n)\n"
    "def twice(x):\n    return 2 * x\n"
    "try:\n    LIMIT = missing\nexcept NameError:\n    LIMIT = 7\nelse:\n    LIMIT = 8\n"
    "if LIMIT > 7:\n    MORE = 1\nelif LIMIT:\n    MORE = 2\n"
    "class Box:\n    kind: int = 3\n\n    def show(self):\n        return __class__.__name__, __name__, __doc__\n"
    "count: int = 0\n"
    + FILLING
    + "def f(x):\n    return twice(x), LIMIT, MORE, *Box().show(), filling_3(1, 2)\n"
)


@pytest.fixture(scope="module")
def runner() -> Iterator[BoxRunner]:
    with BoxRunner() as made:
        yield made


def compiler_of(runner: BoxRunner, how: How = WARM) -> Compiler:
    return runner._compiler(runner.interpreter(how))


def asked(runner: BoxRunner, source: str, how: How = WARM) -> Outcome:
    (outcome,) = runner.observe(Program(source, "program", CALL), [Request("call", encode({"x": 4}))], how)
    return outcome


@pytest.mark.parametrize("python", ["", "3.11", "3.12"])
def test_the_parts_do_what_the_whole_does(runner: BoxRunner, python: str) -> None:
    how = How(limits=WARM.limits, python=python)
    codes = compiler_of(runner, how).codes(LONG, PATH)
    assert codes is not None and len(codes) == 158
    whole = asked(
        runner,
        LONG.replace("import functools\n", "from __future__ import annotations\nimport functools\n"),
        how,
    )
    assert asked(runner, LONG, how) == whole
    assert isinstance(whole, Observed)
    assert whole.observations[0]["value"] == encode((8, 7, 2, "Box", "program", "What it is.", [1, 2, 3]))


def test_only_what_is_new_is_compiled(runner: BoxRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = compiler_of(runner)
    compiler.codes(LONG, PATH)
    new: list[str] = []
    real = compiler._ask

    def heard(texts: list[str], path: str) -> object:
        new.extend(texts)
        return real(texts, path)

    monkeypatch.setattr(compiler, "_ask", heard)
    changed = LONG.replace("return 2 * x", "return 3 * x")
    assert compiler.codes(LONG, PATH) is not None and new == []
    assert compiler.codes(changed, PATH) is not None
    assert [text.splitlines()[0] for text in new] == ["@functools.lru_cache("]
    assert asked(runner, changed) != asked(runner, LONG)


@pytest.mark.parametrize(
    "tail",
    ['TEXT = """\nif x:\n"""\n', "'another text'\n", "from __future__ import annotations\n", "def g(:\n"],
    ids=["a text over lines", "a text alone", "a feature", "no Python"],
)
def test_what_cannot_be_cut_is_compiled_whole(runner: BoxRunner, tail: str) -> None:
    source = tail + LONG.partition("\n")[2] if "__future__" in tail else LONG + tail
    assert compiler_of(runner).codes(source, PATH) is None
    assert isinstance(asked(runner, source), Died if "def g(:" in tail else Observed)


def test_short_programs_are_left_alone(runner: BoxRunner) -> None:
    assert compiler_of(runner).codes("def f(x):\n    return x\n", PATH) is None


def test_a_lost_box_costs_nothing_but_time(runner: BoxRunner) -> None:
    compiler = compiler_of(runner)
    before = compiler.codes(LONG, PATH)
    assert compiler._server is not None
    compiler._server.kill()
    changed = LONG.replace("LIMIT = 7", "LIMIT = 5")
    again = compiler.codes(changed, PATH)
    assert before is not None and again is not None and before != again


def test_statements_join_to_the_source() -> None:
    assert "".join(statements(LONG)) == LONG
    assert statements("") == [""]
