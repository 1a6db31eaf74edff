"""Laws of parameters: what the reproducer hands to the package, and nothing else."""

import pytest

from authoring.model.wire import decode
from tests.unit.scenario.lifting.reproducers import lifted, observations, verdicts


def params(source: str) -> list[dict[str, object]]:
    return [decode(case.params) for case in lifted(source).checks]


@pytest.mark.parametrize(
    "judged",
    [
        "with pytest.raises(ValueError, match='no [a-z]+'):\n        pkg.f(3)",
        "with pytest.raises(ValueError) as info:\n        pkg.f(3)\n    info.match('no [a-z]+')",
        "with pytest.raises(ValueError) as info:\n        pkg.f(3)\n    assert str(info.value).startswith('no ')",
    ],
)
def test_nothing_that_lifting_writes_itself_is_a_parameter(judged: str) -> None:
    source = f"import pytest\nimport pkg\n\ndef test_a():\n    {judged}\n"
    assert params(source) == [{"number": 3}, {"number": 3}]
    found = lifted(source)
    wrong = "def f(x):\n    raise ValueError('no good')\n"
    assert set(verdicts(found, wrong).values()) == {"pass"}
    assert verdicts(found, "def f(x):\n    return x\n") == dict.fromkeys(
        ["test_a.1", "test_a.2"], "AssertionError"
    )
    other = observations(found, "def f(x):\n    raise ValueError('other')\n")["test_a.2"]
    assert other != observations(found, wrong)["test_a.2"]


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        ("job = pool.submit(pkg.f, 3)\n    assert job.result(timeout=5) == 4", {"number": 3}),
        ("job = pool.submit(pkg.f, 3)\n    assert job.result(5) == 4", {"number": 3}),
        (
            "t = threading.Thread(target=pkg.f, daemon=True)\n    t.start()\n    t.join(timeout=2)\n    assert not t.is_alive()",
            {},
        ),
        ("assert asyncio.run(asyncio.wait_for(pkg.f(3), 5)) == 4", {"number": 3}),
        ("assert pkg.f(3, timeout=5) == 4", {"number": 3, "timeout": 5}),
        (
            "client = pkg.Client(1)\n    assert client.get('x', timeout=5) == 4",
            {"number": 1, "text": "x", "timeout": 5},
        ),
        ("assert pkg.Client(1).get('x', timeout=5) == 4", {"number": 1, "text": "x", "timeout": 5}),
        ("assert run(3, timeout=5) == 4", {"x": 3}),
        ("assert ask(3, timeout=5) == 4", {"x": 3, "timeout": 5}),
    ],
)
def test_what_says_how_long_or_by_what_means_is_a_parameter_only_of_the_packages_own_calls(
    lines: str, wanted: dict[str, object]
) -> None:
    source = (
        "import asyncio\nimport threading\nfrom concurrent.futures import ThreadPoolExecutor\nimport pkg\n\n"
        "pool = ThreadPoolExecutor(max_workers=2)\n\n"
        "def run(x, timeout):\n    return pool.submit(pkg.f, x).result(timeout)\n\n"
        f"def ask(x, timeout):\n    return pkg.f(x, timeout=timeout)\n\ndef test_a():\n    {lines}\n"
    )
    assert params(source) == [wanted]


@pytest.mark.parametrize(
    ("start", "later", "wanted"),
    [
        ("now = [0.0]", "now[0] = 6.0", {"ttl": 5}),
        ("now = {'at': 0.0}", "now['at'] = 6.0", {"ttl": 5}),
        ("now = [0.0]", "now[-1] = 6.0", {"ttl": 5}),
        ("now = {'at': 0.0}", "now['more'] = 6.0", {"now": {"at": 0.0}, "ttl": 5}),
    ],
)
def test_a_start_and_what_replaces_it_are_lifted_both_or_neither(
    start: str, later: str, wanted: dict[str, object]
) -> None:
    source = (
        f"import pkg\n\ndef test_a():\n    {start}\n    cache = pkg.Cache(ttl=5, clock=lambda: now)\n"
        f"    {later}\n    assert cache.size() == 0\n"
    )
    assert params(source) == [wanted]


@pytest.mark.parametrize(
    "judged",
    [
        "assert pkg.ok(x) is want",
        "assert want is pkg.ok(x)",
        "got = pkg.ok(x)\n    assert got is want",
        "assert pkg.ok(x) == want",
        "assert not (pkg.ok(x) is not want)",
        "same(x, want)",
    ],
)
def test_rounds_over_expected_constants_share_a_scenario_that_shows_none(judged: str) -> None:
    found = lifted(
        "import pkg\n\ndef same(a, b):\n    assert pkg.ok(a) is b\n\n"
        f"for x, want in [('a', True), ('b', False), ('c', None)]:\n    {judged}\n"
    )
    (scenario,) = found.scenarios
    assert scenario.checks == ("check_1", "check_2", "check_3")
    assert "want" not in scenario.texts[0] and "True" not in scenario.texts[0]
    assert [list(decode(case.params).values()) for case in found.checks] == [["a"], ["b"], ["c"]]
    known = "def ok(x):\n    return {'a': True, 'b': False, 'c': None}[x]\n"
    assert set(verdicts(found, known).values()) == {"pass"}
    assert list(observations(found, known).values()) == [[True], [False], [None]]


def test_what_a_value_must_not_be_is_shown_to_nobody() -> None:
    found = lifted("import pkg\nfor x, bad in [('a', 1), ('b', 2)]:\n    assert pkg.f(x) != bad\n")
    assert [list(decode(case.params)) for case in found.checks] == [["x"], ["x"]]
    assert "bad" not in found.scenarios[0].texts[0]


def test_identity_of_one_object_with_another_stays_identity() -> None:
    found = lifted("import pkg\ndef test_a():\n    x = (1, 2)\n    assert pkg.same(x) is x\n")
    assert observations(found, "def same(x):\n    return x\n") == {"test_a": [True]}
    assert observations(found, "def same(x):\n    return tuple(list(x))\n") == {"test_a": [False]}


def test_what_an_import_binds_beside_what_is_read_is_left_out() -> None:
    text = (
        lifted("import json, os.path, re\nimport pkg\nassert pkg.f(json.dumps(1)) == 2\n")
        .scenarios[0]
        .texts[0]
    )
    assert "import json\n" in text
    assert "os" not in text
