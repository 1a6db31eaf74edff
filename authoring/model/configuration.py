"""The settings: their names, types, bounds and defaults (DESIGN.md section 6)."""

from typing import Annotated

from pydantic import Field

from authoring.model.document import Part

__all__ = ["AlternativeReleases", "Budget", "Configuration", "Policy"]

Rate = Annotated[float, Field(ge=0.0, le=1.0)]


class Budget(Part):
    """How much work the stages may do; counted in trials and CPU, so that load changes no result."""

    trials: Annotated[int, Field(ge=1, le=10_000_000)] = 20_000
    """Questions to the reduction's oracle."""
    cpu_s: Annotated[int, Field(ge=1, le=1_000_000)] = 1_800
    """Seconds of CPU of a run after which its reduction ends with the best programs so far; reached only by what would
    not end, since where it is reached the result depends on the machine's speed.
    """
    repeats: Annotated[int, Field(ge=2, le=10_000)] = 20
    """Perturbed repeats of the reference and the alternatives in `new`."""
    flaky_repeats: Annotated[int, Field(ge=2, le=100_000)] = 300
    """Perturbed repeats in `audit flaky`."""


class AlternativeReleases(Part):
    """Later releases of a package, which the checks must accept where the reproducer passes on them."""

    releases: Annotated[int, Field(ge=0, le=50)] = 5
    """Most releases after the fixed one that are tried, the newest of each minor series; 0: none."""


class Policy(Part):
    """When a gate is open; every threshold must hold."""

    min_pass_rate: Rate = 1.0
    """Share of the hidden tasks that must pass."""
    min_low: Rate = 0.0
    """Lower end of that share's interval, clustered by evaluation group."""
    level: Annotated[float, Field(gt=0.5, lt=1.0)] = 0.95
    """Confidence level of intervals."""
    min_judged: Annotated[int, Field(ge=1)] = 1
    """Tasks that must have been judged; fewer is no pass."""
    min_groups: Annotated[int, Field(ge=1)] = 1
    """Evaluation groups that must have been judged."""
    max_flake_rate: Rate = 0.15
    """Upper bound on the flake rate that the evidence must give for each task."""
    max_grader_faults: Annotated[int, Field(ge=0)] = 0
    """Verdicts that were our own fault; more closes the gate as not judged."""


class Configuration(Part):
    """All settings of a workspace."""

    python: Annotated[str, Field(pattern=r"^$|^3\.[0-9]{1,2}(\.[0-9]{1,3})?$")] = ""
    """The task's Python, such as ``3.12``; empty: from the incident, else the tool's own."""
    workers: Annotated[int, Field(ge=1, le=256)] = 2
    """Processes that stages may use at a time; never changes a result."""
    public_variants: Annotated[int, Field(ge=1, le=20)] = 2
    hidden_variants: Annotated[int, Field(ge=1, le=20)] = 3
    public_checks: Annotated[int, Field(ge=1, le=50)] = 6
    hidden_checks: Annotated[int, Field(ge=1, le=200)] = 14
    reviewed_by: str = ""
    """Who reviewed; the ``Reviewed-by:`` trailer where ``--reviewed-by`` is not given."""
    accept_cuts: bool = False
    """Take cuts of the domain that remove lifted or recorded values."""
    allow_weak_isolation: bool = False
    """Run although the machine cannot isolate; the evidence records it."""
    alternatives: AlternativeReleases = Field(default_factory=AlternativeReleases)
    budget: Budget = Field(default_factory=Budget)
    policy: Policy = Field(default_factory=Policy)
