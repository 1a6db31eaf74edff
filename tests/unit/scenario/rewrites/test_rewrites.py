"""Every rewrite makes what its examples say, and rewritten programs do the same."""

from typing import Any

import pytest

from authoring.scenario.rewrites import REWRITES, rewrite, rewrites_of, steps_of
from authoring.scenario.rewrites.rewrite import Rewrite

EXAMPLES = [(shape, *example) for shape in REWRITES for example in shape.examples]

PROGRAM = """
UNITS = [(1024 * 1024, "M"), (1024, "K"), (1, "B")]


def size(n, digits=0):
    sign = ""
    if n < 0:
        sign = "-"
        n = -n
    for limit, unit in UNITS:
        if n >= limit and not (n < 0 or digits > 5):
            break
    else:
        limit, unit = 1, "B"
    return f"{sign}{n / limit:.{digits}f}{unit}"


def evens(numbers):
    found = []
    for number in numbers:
        found.append(number * 2)
    return [number for number in found if 0 <= number <= 40]


def kind(n):
    if n == 0:
        return "none"
    elif n > 3:
        name = "many"
    else:
        name = "few"
    text = f"{name}!"
    return text


def count_down(n):
    steps = 0
    while n > 0:
        n -= 2
        steps += 1
    if steps > 1 and n == 0:
        steps = -steps
    return steps
"""
CALLS = [("size", n) for n in (0, 1, 1023, 1024, -5000, 1 << 21)]
CALLS += [("kind", n) for n in range(6)] + [("count_down", n) for n in range(7)]


def results(source: str) -> list[Any]:
    module: dict[str, Any] = {}
    exec(source, module)
    return [module[name](n) for name, n in CALLS] + [module["evens"](range(-3, 30))]


@pytest.mark.parametrize(("shape", "before", "after"), EXAMPLES, ids=lambda value: str(value)[:30])
def test_a_rewrite_makes_what_its_examples_say(shape: Rewrite, before: str, after: str) -> None:
    steps = [step for step in steps_of(before) if step.startswith(shape.name + ".")]
    assert after in [rewrite(before, [step]) for step in steps]


@pytest.mark.parametrize("step", steps_of(PROGRAM))
def test_every_single_step_keeps_what_the_program_does(step: str) -> None:
    changed = rewrite(PROGRAM, [step])
    assert changed != PROGRAM
    assert results(changed) == results(PROGRAM)


def test_twenty_rewritings_are_distinct_repeatable_and_do_the_same() -> None:
    made = rewrites_of(PROGRAM, 20, seed=3)
    assert len({one.source for one in made}) == len(made) == 20
    assert made == rewrites_of(PROGRAM, 20, seed=3)
    for one in made:
        assert rewrite(PROGRAM, one.steps) == one.source
        assert results(one.source) == results(PROGRAM)


def test_a_step_that_does_not_apply_is_refused() -> None:
    with pytest.raises(ValueError, match=r"de-morgan\.7"):
        rewrite("x = 1\n", ["de-morgan.7"])


@pytest.mark.parametrize(
    "source",
    [
        "x += [1]\n",
        "x *= 2\n",
        "def f(a):\n    b = [lambda: b for b in a]\n    print(b)\n",
        "def f(a=g()):\n    pass\ndef g(b=1):\n    pass\n",
        "x = g() < h()\n",
    ],
)
def test_what_might_change_behaviour_is_left_alone(source: str) -> None:
    assert steps_of(source) == []
