"""Each relation makes of a scenario one that observes both sides, and of other forms nothing."""

import pytest

from authoring.contract.relations import RELATIONS, Example, Relation, Shape, functions_in, is_held, shape_of

EXAMPLES = [(relation, example) for relation in RELATIONS for example in relation.examples]


def shapes(text: str, kinds: str = "") -> list[Shape]:
    known = {name: frozenset({kind}) for name, kind in (pair.split("=") for pair in kinds.split())}
    found = [shape_of(function, known) for function in functions_in(text).values()]
    return [shape for shape in found if shape is not None]


@pytest.mark.parametrize(("relation", "example"), EXAMPLES, ids=lambda each: getattr(each, "name", ""))
def test_an_example_is_what_the_relation_makes(relation: Relation, example: Example) -> None:
    first, *others = shapes(example.before, example.kinds)
    made = list(relation.propose(first, [first, *others]))
    assert example.after in [proposal.text for proposal in made]


@pytest.mark.parametrize(("relation", "example"), EXAMPLES, ids=lambda each: getattr(each, "name", ""))
def test_a_proposal_bears_its_own_name_and_a_rule_in_words(relation: Relation, example: Example) -> None:
    first, *others = shapes(example.before, example.kinds)
    for proposal in relation.propose(first, [first, *others]):
        (function,) = functions_in(proposal.text)
        assert function == proposal.function
        assert proposal.function.startswith(f"{proposal.of}_")
        assert relation.name in proposal.function
        assert proposal.rule.endswith(".")
        assert "{" not in proposal.rule


def test_every_relation_has_an_example() -> None:
    assert all(relation.examples for relation in RELATIONS)
    assert len({relation.name for relation in RELATIONS}) == len(RELATIONS)


@pytest.mark.parametrize(
    "body",
    [
        'if p["x"]:\n        seen(program.f(p["x"]))',
        'seen(1)\n    seen(program.f(p["x"]))',
        'seen(program.f(p["x"]))\n    program.g()',
        "seen(program.f(p))",
        "seen(program.f(**p))",
        'if p["x"]:\n        return\n    seen(program.f(p["x"]))',
        'def tell(v):\n        seen(v)\n    tell(program.f(p["x"]))',
    ],
)
def test_a_scenario_of_another_form_has_no_shape(body: str) -> None:
    assert shapes(f"def f(program, p, seen):\n    {body}\n") == []


def test_a_coroutine_has_no_shape() -> None:
    assert shapes('async def f(program, p, seen):\n    seen(program.f(p["x"]))\n') == []


def test_a_value_of_another_kind_is_not_changed() -> None:
    (shape,) = shapes('def f(program, p, seen):\n    seen(program.f(p["x"]))\n', "x=int")
    names = {made.function for relation in RELATIONS for made in relation.propose(shape, [shape])}
    assert names == {"f_twice", "f_again"}


def test_a_return_inside_a_function_of_the_scenario_is_no_way_out_of_it() -> None:
    text = 'def f(program, p, seen):\n    def g(x):\n        return program.f(x)\n\n    seen(g(p["x"]))\n'
    (shape,) = shapes(text)
    assert shape.parameters == ("x",)


@pytest.mark.parametrize(
    ("observations", "held"),
    [
        ([{"value": 1}, {"value": 1}], True),
        ([{"value": 1}, {"value": 2}], False),
        ([{"value": 1}, {"raised": {"type": "ValueError"}}], False),
        ([{"value": 1}], False),
        ([{"value": 1}, {"value": 5}, {"value": 1, "args_after": None}], True),
        ([{"raised": {"type": "ValueError"}}], None),
        ([], None),
    ],
)
def test_a_relation_holds_where_first_and_last_value_agree(
    observations: list[dict[str, object]], held: bool | None
) -> None:
    assert is_held(observations) is held
