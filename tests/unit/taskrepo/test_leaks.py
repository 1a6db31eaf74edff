"""Laws of the audit: what is hidden is found wherever it is, and honest tasks pass."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from authoring.model.digest import canonical
from authoring.model.errors import RefusedError
from authoring.model.task import Check
from authoring.model.wire import decode, encode
from authoring.taskrepo.catalogue import public_documents, tasks_in
from authoring.taskrepo.commit import RUN_CHECKS
from authoring.taskrepo.leaks import Leak, find_leaks, refuse_leaks, secrets_of
from authoring.variants.folder import task_files
from authoring.variants.material import VariantTask
from tests.unit.taskrepo.synthetic import changed, tasks_of

Tasks = tuple[VariantTask, ...]


def public_files(tasks: Tasks) -> dict[str, bytes]:
    own = {
        f"tasks/{task.id}/{name}": data
        for task in tasks
        if task.spec.tier == "public"
        for name, data in task_files(task, RUN_CHECKS).items()
    }
    return {**own, **public_documents(tasks_in(own))}


def leaks_of(tasks: Tasks, **extra: bytes) -> list[Leak]:
    return find_leaks(secrets_of(tasks), tasks[0].contract.id, {**public_files(tasks), **extra})


def test_honest_tasks_leak_nothing() -> None:
    for number in range(8):
        assert leaks_of(tasks_of(number)) == []


def test_several_honest_contracts_leak_nothing_to_each_other() -> None:
    everything: dict[str, bytes] = {}
    for number in range(6):
        everything |= public_files(tasks_of(number))
    for number in range(6):
        assert find_leaks(secrets_of(tasks_of(number)), f"clip-{number:03d}", everything) == []


def test_a_line_of_our_own_runner_is_no_secret_of_a_reference_that_has_it_too() -> None:
    line = next(line for line in RUN_CHECKS.splitlines() if line.startswith("    return "))
    first, *rest = tasks_of(1)
    spoken = replace(first, reference=first.reference + f"\n\ndef own():\n{line}\n")
    files = public_files((spoken, *rest))
    assert find_leaks(secrets_of((spoken, *rest)), spoken.contract.id, files) != []
    assert find_leaks(secrets_of((spoken, *rest), RUN_CHECKS), spoken.contract.id, files) == []


def hidden_check(tasks: Tasks, index: int = 0) -> Check:
    return tasks[index].hidden.checks[1]


LEAKS: dict[str, Callable[[Tasks], bytes]] = {
    "the reference": lambda tasks: tasks[0].reference.encode(),
    "one line of the reference": lambda tasks: b"# see:\n" + tasks[0].reference.splitlines()[2].encode(),
    "that line indented otherwise": lambda tasks: (
        b"\t\t" + tasks[0].reference.splitlines()[2].strip().encode()
    ),
    "another public variant's reference": lambda tasks: tasks[1].reference.encode(),
    "a hidden program": lambda tasks: tasks[2].program.encode(),
    "a hidden prompt": lambda tasks: tasks[3].prompt.encode(),
    "a hidden reference with other blanks": lambda tasks: tasks[4].reference.replace("    ", "  ").encode(),
    "hidden checks": lambda tasks: tasks[0].hidden.to_json(),
    "hidden checks with other blanks": lambda tasks: json.dumps(
        json.loads(tasks[0].hidden.to_json())
    ).encode(),
    "a hidden variant's public checks": lambda tasks: tasks[2].public.to_json(),
}


@pytest.mark.parametrize("name", sorted(LEAKS))
def test_what_is_hidden_is_found_anywhere_in_the_contracts_folder(name: str) -> None:
    tasks = tasks_of(1)
    assert leaks_of(tasks, **{f"tasks/{tasks[0].contract.id}/base/extra": LEAKS[name](tasks)}) != []


@pytest.mark.parametrize(
    "name",
    sorted(
        set(LEAKS) - {"hidden checks", "hidden checks with other blanks", "a hidden variant's public checks"}
    ),
)
def test_what_is_hidden_is_found_in_objects_too(name: str) -> None:
    tasks = tasks_of(1)
    assert leaks_of(tasks, **{"object 1234": LEAKS[name](tasks)}) != []


@pytest.mark.parametrize(
    "write",
    [
        canonical,
        lambda wire: json.dumps(wire, indent=4).encode(),
        lambda wire: repr(decode(wire)).encode(),
    ],
)
def test_a_hidden_input_in_a_prompt_is_found_however_it_is_written(write: Callable[[object], bytes]) -> None:
    tasks = tasks_of(1)
    text = "Long enough to tell something apart from chance"
    check = hidden_check(tasks).model_copy(update={"params": encode({"value": 987654321, "text": text})})
    hidden = tasks[0].hidden.model_copy(update={"checks": (check,)})
    leaking = changed(tasks, hidden=hidden, prompt="Try " + write(check.params).decode() + "\n")
    assert [leak.place for leak in leaks_of(leaking)] == [f"tasks/{tasks[0].id}/prompt.md"]


def test_a_hidden_check_among_the_public_ones_is_found() -> None:
    tasks = tasks_of(1)
    public = tasks[1].public.model_copy(update={"checks": (*tasks[1].public.checks, hidden_check(tasks, 2))})
    found = leaks_of(changed(tasks, 1, public=public))
    assert {leak.place for leak in found} == {f"tasks/{tasks[1].id}/checks.json"}
    assert any("h1 h01" in leak.kind for leak in found)


def test_the_refusal_names_places_and_quotes_nothing_hidden() -> None:
    tasks = tasks_of(1)
    found = leaks_of(tasks, **{"tasks/x": tasks[0].reference.encode()})
    with pytest.raises(RefusedError) as refused:
        refuse_leaks(found)
    assert refused.value.code == "TSK003"
    secret = tasks[0].reference.splitlines()[2].strip()
    assert secret not in refused.value.message + refused.value.proof + refused.value.hint


def test_what_another_contract_of_the_incident_shows_of_the_program_is_no_secret() -> None:
    tasks = tasks_of(1)
    *others, hidden = tasks
    own = hidden.program + "\n\ndef doubled(value):\n    twice = value + value\n    return twice\n"
    tasks = (*others, replace(hidden, program=own))
    elsewhere = {"tasks/other/p2/program.py": (own + "\n\nTHE_END = True\n").encode()}
    contract = hidden.contract.id
    assert find_leaks(secrets_of(tasks), contract, elsewhere) != []
    assert find_leaks(secrets_of(tasks, "", [own]), contract, elsewhere) == []


def test_a_line_of_a_reference_stays_a_secret_whatever_another_contract_shows() -> None:
    tasks = tasks_of(1)
    public = next(task for task in tasks if task.spec.tier == "public")
    elsewhere = {"tasks/other/base/program.py": public.reference.encode()}
    assert find_leaks(secrets_of(tasks, "", [public.reference]), public.contract.id, elsewhere) != []


OWN = (
    "def shown(value, last):\n    value = value.strip()\n    if value.lower() == 'x':\n        return value\n"
)


def test_a_line_that_the_own_program_shows_under_other_names_is_no_secret_where_another_contract_shows_it() -> (
    None
):
    line = "    if amount.lower() == 'x':\n"
    tasks = changed(tasks_of(1), program=OWN, reference=OWN + line + "        pass\n", hard_negative="")
    contract = tasks[0].contract.id
    other = OWN.replace("value", "amount")
    files = {"tasks/other/p2/program.py": other.encode()}
    assert find_leaks(secrets_of(tasks), contract, files) != []
    assert find_leaks(secrets_of(tasks, "", [other]), contract, files) == []


@pytest.mark.parametrize(
    ("broken", "repaired"),
    [
        ("value.lower() ==", "value.casefold() =="),
        ("value.strip()", "value.lstrip()"),
        ("== 'x'", "== 'y'"),
        ("return value", "return last"),
    ],
)
def test_a_line_that_is_repaired_by_another_name_or_text_stays_a_secret(broken: str, repaired: str) -> None:
    reference = OWN.replace(broken, repaired)
    tasks = changed(tasks_of(1), program=OWN, reference=reference, hard_negative="")
    contract = tasks[0].contract.id
    files = {"tasks/other/p2/program.py": reference.encode()}
    assert find_leaks(secrets_of(tasks, "", [reference]), contract, files) != []


def test_what_a_check_of_another_contract_of_the_incident_expects_is_no_secret_and_its_input_is() -> None:
    tasks = tasks_of(1)
    text = encode("Long enough to tell something apart from chance, wherever in public it is")
    check = hidden_check(tasks).model_copy(
        update={"params": encode({"text": text}), "expect": ({"value": text},)}
    )
    hidden = tasks[0].hidden.model_copy(update={"checks": (check,)})
    tasks = changed(tasks, hidden=hidden)
    contract = tasks[0].contract.id
    for shown, is_secret in (
        ({"params": 1, "expect": check.expect}, False),
        ({"params": check.params, "expect": []}, True),
    ):
        elsewhere = json.dumps({"checks": [shown]})
        files = {"tasks/other/base/checks.json": elsewhere.encode()}
        assert find_leaks(secrets_of(tasks), contract, files) != []
        assert bool(find_leaks(secrets_of(tasks, "", [elsewhere]), contract, files)) is is_secret


def test_what_a_public_check_says_that_its_arguments_become_is_no_secret() -> None:
    tasks = tasks_of(1)
    params = encode({"text": "Long enough to tell something apart from chance", "items": []})
    check = hidden_check(tasks).model_copy(update={"params": params})
    tasks = changed(tasks, hidden=tasks[0].hidden.model_copy(update={"checks": (check,)}))
    for expect, is_leak in (({"value": 1, "args_after": params}, False), ({"value": params}, True)):
        first, *rest = tasks[0].public.checks
        shown = first.model_copy(update={"expect": (expect,)})
        public = tasks[0].public.model_copy(update={"checks": (shown, *rest)})
        assert bool(leaks_of(changed(tasks, public=public))) is is_leak


def test_the_refusal_says_what_to_do_where_another_incident_shows_the_repair() -> None:
    place = Leak("tasks/other/base/program.py", "a line that only the reference of clip-001/base has")
    for contract, hint in (("clip-001", "workspace of its own"), ("other", "Mend the public files")):
        with pytest.raises(RefusedError) as refused:
            refuse_leaks([place], contract)
        assert hint in refused.value.hint
