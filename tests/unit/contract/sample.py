"""A small program of our own with a fault, as material for a contract."""

from authoring.contract import Material
from authoring.model.capture import Binding, Capture, LiftedCheck
from authoring.model.contract import Entry, Environment, Origin
from authoring.model.incident import Incident
from authoring.model.variants import VersionName
from authoring.model.wire import encode
from authoring.scenario.domain import changed_code, derive_domain

REFERENCE = """LIMITS = [(100, "bulk"), (10, "box"), (1, "piece")]


def pack(count, label):
    if count < 0:
        raise ValueError(count)
    for limit, unit in LIMITS:
        if count >= limit:
            return f"{count // limit} {unit} {label.strip()}"
    return "nothing"
"""
BROKEN = REFERENCE.replace("count >= limit", "count > limit")
SCENARIOS = """def pack(program, p, seen):
    seen(program.pack(p["count"], p["label"]))
"""
LIFTED = [(100, "a"), (10, " b "), (99, "a"), (5, "c"), (0, "d"), (-1, "e")]
KEY = b"k" * 32


def material(
    broken: str = BROKEN, reference: str = REFERENCE, attempt: str | None = None, rule: str = ""
) -> Material:
    """Return the material of the sample incident."""
    checks = tuple(
        LiftedCheck(
            id=f"check_{number}",
            function="",
            line=number,
            script="",
            scenario="pack",
            params=encode({"count": count, "label": label}),
            view="value",
        )
        for number, (count, label) in enumerate(LIFTED, 1)
    )
    capture = Capture(
        incident="sample-pack",
        import_name="sample",
        modules=("sample",),
        python="3.11",
        trees=(),
        dependencies=(),
        checks=checks,
        patterns=(),
        bindings=(Binding(name="pack", original="sample:pack"),),
        raises=("ValueError",),
        failure="wrong value",
        repeats=1,
        fork_per_check=False,
        reproducer_sha256="",
    )
    programs: dict[VersionName, str] = {"broken": broken, "reference": reference}
    if attempt is not None:
        programs["hard_negative"] = attempt
    seen = {"pack": [check.params for check in checks]}
    return Material(
        incident=Incident(
            id="sample-pack",
            broken="1",
            fixed="2",
            package="sample",
            symptom="Exactly a hundred pieces are packed as ten boxes by pack().",
            rule=rule,
            category="boundary/off-by-one",
        ),
        capture=capture,
        programs=programs,
        effort=0.3,
        scenarios=SCENARIOS,
        domain=derive_domain(seen, changed_code(programs)),
        entry=Entry(name="pack", kind="function", original="sample:pack"),
        environment=Environment(python="3.11"),
        origin=Origin(package="sample", releases=("1", "2"), licence="MIT"),
    )
