"""Capture an incident: prove it, and record what its reproducer showed on every tree (DESIGN.md 4.1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from authoring.incident.calls import choose_calls
from authoring.incident.masking import mask
from authoring.incident.obtain import Trees
from authoring.incident.patterns import Verdicts, failure_words, is_of_another_kind, judge_all
from authoring.incident.results import choose_results
from authoring.incident.signatures import TreeIndex
from authoring.incident.views import Choice, Chosen, Observing, choose_views
from authoring.model.capture import Capture, CapturedTree, LiftedCheck, Pattern
from authoring.model.digest import sha256_hex
from authoring.model.errors import AuthoringError, RefusedError, UsageError
from authoring.model.execution import How, Runner
from authoring.model.incident import Incident, Side
from authoring.model.progress import Progress
from authoring.scenario.lifting import (
    Lifted,
    LiftedCase,
    LiftingError,
    Option,
    Reason,
    lift,
    original_text,
    program_names,
)

__all__ = ["Captured", "Warned", "capture"]

_STAGE = "capture"
_SIDES: tuple[Side, ...] = ("broken", "attempt", "fixed")


@dataclass(frozen=True, slots=True)
class Warned:
    """Something that a person should know of a capture that was not refused."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Captured:
    """What capture found out, and the scenarios that observe it."""

    capture: Capture
    scenarios: str
    """The text of scenarios.py."""
    original: str
    """The text of original.py."""
    reproducer: str
    """The reproducer with secrets and personal data masked."""
    warnings: tuple[Warned, ...] = ()


@dataclass(frozen=True, slots=True)
class _Job:
    """What a capture works on."""

    incident: Incident
    trees: Trees
    runner: Runner
    python: str
    progress: Progress
    only: str


def capture(
    incident: Incident,
    trees: Trees,
    reproducer_text: str,
    runner: Runner,
    python: str,
    progress: Progress,
    only: str = "",
) -> Captured:
    """Return an incident's capture.

    ``python`` is the task's Python (``3.12``), ``only`` the pytest node that is meant. Raises :class:`UsageError`
    INC010 to INC012 and :class:`RefusedError` INC020 to INC023, INC026 and SCN004, each with a proof.
    """
    job = _Job(incident, trees, runner, python, progress, only)
    masked = mask(reproducer_text)
    try:
        captured = _captured(job, masked.text)
    except RefusedError as refusal:
        if masked.found:
            _check_masking(job, reproducer_text, masked.found, refusal)
        raise
    told = tuple(Warned("INC026", f"Line {line} held {kind}; it was masked.") for line, kind in masked.found)
    return replace(captured, warnings=(*told, *captured.warnings))


def _check_masking(job: _Job, text: str, found: Sequence[tuple[int, str]], refusal: RefusedError) -> None:
    """Raise INC026 where the failure is there with the secrets, and gone without."""
    try:
        _captured(job, text)
    except AuthoringError:
        return
    line, kind = found[0]
    message = (
        f"With {kind} on line {line} masked, the reproducer no longer shows the incident ({refusal.message})"
    )
    hint = "Replace it by an invented value of the same form."
    raise RefusedError("INC026", message, hint, stage=_STAGE, proof=f"line {line}") from refusal


def _captured(job: _Job, text: str) -> Captured:
    incident, trees = job.incident, job.trees
    fixed = trees.sides["fixed"]
    index = TreeIndex(fixed.path, fixed.top_levels)
    how = How(python=job.python, dependencies=trees.dependencies)
    paths = {side: tree.path for side, tree in trees.sides.items()}
    lifted = _lift(text, trees.import_name, index, job.only)
    verdicts = judge_all(paths, lifted.checks, job.runner, how, job.progress)
    if "broken" not in verdicts:
        _check_fixed(incident, lifted, verdicts["fixed"])
    failing = frozenset(case.id for case in lifted.checks if not verdicts["fixed"].passes(case.id))
    if failing:
        lifted = _lift(text, trees.import_name, index, job.only, failing)
        verdicts = judge_all(paths, lifted.checks, job.runner, how, job.progress)
    _check_incident(incident, lifted, verdicts)
    observing = Observing(lifted, verdicts, paths)
    chosen = choose_views(observing, job.runner, how, job.progress)
    lost = frozenset(case.id for case in lifted.checks if case.has_steps and case.id not in chosen.choices)
    if lost:
        # a loop over steps does not show there what the statements do
        lifted = _lift(text, trees.import_name, index, job.only, failing, lost)
        observing = Observing(lifted, verdicts, paths)
        chosen = choose_views(observing, job.runner, how, job.progress)
    _check_observed(incident, lifted, verdicts, chosen)
    chosen = choose_results(observing, chosen, job.runner, how, job.progress)
    chosen = choose_calls(observing, chosen, job.runner, how, job.progress)
    return _result(job, text, lifted, verdicts, chosen)


def _lift(
    text: str,
    import_name: str,
    index: TreeIndex,
    only: str,
    evaluated: frozenset[str] = frozenset(),
    plain: frozenset[str] = frozenset(),
) -> Lifted:
    signature = index.signature
    try:
        return lift(
            text,
            import_name,
            index.is_module,
            signature=signature,
            only=only,
            evaluated=evaluated,
            plain=plain,
        )
    except LiftingError as error:
        hint = {
            "INC010": "Mend that line.",
            "INC011": "State what must hold with assert, or with functions check_1, check_2.",
        }.get(error.code, "Write the test's body as a reproducer of its own.")
        raise UsageError(error.code, error.message, hint, stage=_STAGE) from error


def _check_fixed(incident: Incident, lifted: Lifted, fixed: Verdicts) -> None:
    """Raise unless every check passes on the fixed side."""
    for case in lifted.checks:
        if not fixed.passes(case.id):
            run = fixed.runs[case.id]
            reason = f": {run.failure.message}" if run.failure is not None and run.failure.message else ""
            message = (
                f"The check {case.id} (line {case.line}) fails on the fixed side {incident.fixed}: "
                f"{failure_words(run)}{reason}."
            )
            hint = "Correct the check, name another fixed side, or pin a dependency that it needs."
            raise RefusedError("INC021", message, hint, stage=_STAGE, proof=case.script)


def _check_incident(incident: Incident, lifted: Lifted, verdicts: Mapping[Side, Verdicts]) -> None:
    """Raise unless some check passes on fixed and fails on broken by the behaviour that it asks about."""
    _check_fixed(incident, lifted, verdicts["fixed"])
    separating = [case for case in lifted.checks if not verdicts["broken"].passes(case.id)]
    if not separating:
        message = (
            f"Every check passes on the broken side {incident.broken} too; nothing tells the sides apart."
        )
        proof = lifted.checks[0].script
        raise RefusedError(
            "INC020", message, "Check the versions and the reproducer.", stage=_STAGE, proof=proof
        )
    if all(is_of_another_kind(verdicts["broken"].runs[case.id]) for case in separating):
        case = separating[0]
        run = verdicts["broken"].runs[case.id]
        told = f" ({run.failure.message})" if run.failure is not None and run.failure.message else ""
        message = (
            f"On the broken side {incident.broken} the check {case.id} fails before it asks anything: "
            f"{failure_words(run)}{told}."
        )
        hint = "Use only what both sides have, and pin the dependencies that the broken side needs."
        raise RefusedError("INC022", message, hint, stage=_STAGE, proof=case.script)


def _check_observed(
    incident: Incident, lifted: Lifted, verdicts: Mapping[Side, Verdicts], chosen: Chosen
) -> None:
    failing = [case for case in lifted.checks if not verdicts["broken"].passes(case.id)]
    if any(case.id in chosen.choices for case in failing):
        return
    case = failing[0]
    reason = chosen.reasons.get(case.id, Reason("SCN003", "No view of it is data."))
    message = f"No failing check of {incident.id} can be observed as data: {case.id}: {reason.message}"
    hint = "Let the reproducer compare plain values: text, numbers, lists, dicts."
    raise RefusedError("SCN004", message, hint, stage=_STAGE, proof=case.script)


def _result(
    job: _Job, text: str, lifted: Lifted, verdicts: Mapping[Side, Verdicts], chosen: Chosen
) -> Captured:
    incident, trees = job.incident, job.trees
    names, texts = _scenario_texts(lifted, chosen.choices)
    scenarios = "\n\n".join(texts)
    read = program_names(scenarios) | set(lifted.raises)
    bindings = tuple(binding for binding in lifted.bindings if binding.name in read)
    document = Capture(
        incident=incident.id,
        import_name=trees.import_name,
        modules=lifted.modules,
        python=job.python,
        trees=tuple(
            CapturedTree(
                side=side,
                label=getattr(incident, side),
                sha256=trees.sides[side].sha256,
                archive_sha256=trees.sides[side].archive_sha256,
            )
            for side in _SIDES
            if side in trees.sides
        ),
        dependencies=trees.pins,
        checks=tuple(_check(case, names, chosen.choices) for case in lifted.checks),
        patterns=tuple(_pattern(verdicts[side], lifted.checks) for side in _SIDES if side in verdicts),
        bindings=bindings,
        raises=lifted.raises,
        failure=_failure(lifted, verdicts["broken"]),
        repeats=3,
        fork_per_check=chosen.fork_per_check,
        reproducer_sha256=sha256_hex(text.encode()),
        processes=chosen.processes,
    )
    original = original_text(bindings, trees.import_name, lifted.before_import)
    return Captured(document, scenarios, original, text, _warnings(lifted, verdicts, chosen))


def _scenario_texts(lifted: Lifted, choices: Mapping[str, Choice]) -> tuple[dict[str, str], list[str]]:
    """Return each chosen text's scenario name, and the functions under these names."""
    names: dict[str, str] = {}
    texts: list[str] = []
    taken = {scenario.name for scenario in lifted.scenarios}
    for scenario in lifted.scenarios:
        used: list[Option] = []
        for check in scenario.checks:
            if check in choices and choices[check].option.text not in [option.text for option in used]:
                used.append(choices[check].option)
        for option in used:
            name = scenario.name if option is used[0] else _view_name(scenario.name, option.words, taken)
            names[option.text] = name
            texts.append(f"def {name}(" + option.text.partition("(")[2])
    return names, texts


def _view_name(base: str, words: str, taken: set[str]) -> str:
    name, number = f"{base}_{words.replace(' ', '_')}", 2
    while name in taken:
        name, number = f"{base}_{words.replace(' ', '_')}_{number}", number + 1
    taken.add(name)
    return name


def _check(case: LiftedCase, names: Mapping[str, str], choices: Mapping[str, Choice]) -> LiftedCheck:
    choice = choices.get(case.id)
    return LiftedCheck(
        id=case.id,
        function=case.function,
        line=case.line,
        script=case.script,
        scenario=names[choice.option.text] if choice is not None else "",
        params=case.params,
        view=choice.option.words if choice is not None else case.kind,
    )


def _pattern(verdicts: Verdicts, checks: Sequence[LiftedCase]) -> Pattern:
    failed = [case.id for case in checks if not verdicts.passes(case.id)]
    words = tuple(failure_words(verdicts.runs[check]) for check in failed)
    return Pattern(side=verdicts.side, bits=verdicts.bits(checks), failures=words)


def _failure(lifted: Lifted, broken: Verdicts) -> str:
    runs = [broken.runs[case.id] for case in lifted.checks if not broken.passes(case.id)]
    own = [run for run in runs if not is_of_another_kind(run)]
    return failure_words((own or runs)[0])


def _warnings(lifted: Lifted, verdicts: Mapping[Side, Verdicts], chosen: Chosen) -> tuple[Warned, ...]:
    found = [
        Warned(reason.code, f"The check {check} has no scenario: {reason.message}")
        for check, reason in chosen.reasons.items()
    ]
    found += [
        Warned("INC012", f"The test {test} (line {line}) was left out: {why}.")
        for test, line, why in lifted.unfit
    ]
    attempt = verdicts.get("attempt")
    if attempt is not None:
        for side in ("fixed", "broken"):
            if attempt.bits(lifted.checks) == verdicts[side].bits(lifted.checks):
                found.append(
                    Warned("INC028", f"The attempt passes and fails the same checks as the {side} side.")
                )
    if chosen.fork_per_check:
        found.append(
            Warned("INC029", "State leaks from one check to the next; each gets a process of its own.")
        )
    return tuple(found)
