"""Draft a contract: rules, public and hidden checks, pools and a hard negative, from versions that differ."""

from collections.abc import Mapping, Sequence

from authoring.contract.bench import Bench, Expected, raised_by
from authoring.contract.classes import features_of
from authoring.contract.describe import check_name
from authoring.contract.gather import gather, lifted_inputs
from authoring.contract.hard_negative import kind_of, synthesise
from authoring.contract.ledger import witness_of
from authoring.contract.material import Draft, DraftFacts, HardNegativeKind, LedgerLine, Material
from authoring.contract.pools import POOL_SIZE, frozen_pool, pool_inputs, pooled_scenarios
from authoring.contract.prompt import prompt_template
from authoring.contract.reference_digest import reference_digest
from authoring.contract.refusals import (
    refuse_broken_that_passes,
    refuse_few_inputs,
    refuse_no_hard_negative,
    refuse_reference,
    refuse_single_failure,
    refuse_unstable,
)
from authoring.contract.rules import Chosen, choose
from authoring.contract.select_checks import Candidate, choose_public
from authoring.contract.sentences import slug_of, unique_slug
from authoring.contract.trial import Table, Trial, further_inputs
from authoring.contract.words import domain_of, drafted_rules, mechanism_of, returns_of, symptom_of
from authoring.contract.wrong import Suspect, Wrong, suspects_of
from authoring.model.contract import Contract, Rule, ScenarioSpec
from authoring.model.execution import How, Observed, ObservedTypes, Runner
from authoring.model.observation import Compare, Observation
from authoring.model.progress import Progress
from authoring.model.task import Check, Pool
from authoring.scenario.domain import changed_code
from authoring.scenario.inputs import Input, weight

__all__ = ["draft"]

_CHECK_LENGTH_CAP = 1500
_EXPECT_LENGTH_CAP = 4000


def draft(material: Material, runner: Runner, how: How, key: bytes, progress: Progress) -> Draft:
    """Draft the contract of an incident; the same for the same material, key and seed.

    Raises ``RefusedError`` (CTR…) where the programs allow no contract: broken passes, the reference fails, no
    second failing input, no hard negative, too few inputs, or unstable outcomes.
    """
    return _Drafting(material, runner, how, key, progress).run()


class _Drafting:
    """The steps of one draft, with what they share."""

    def __init__(self, material: Material, runner: Runner, how: How, key: bytes, progress: Progress) -> None:
        self.material = material
        self.runner = runner
        self.key = key
        self.progress = progress
        self.compares = _compares(material)
        types = ObservedTypes(
            raises=material.capture.raises,
            records=material.types.records,
            enums=material.types.enums,
            iterators=material.types.iterators,
            messages=any(compare.exception == "type+message" for compare in self.compares.values()),
        )
        self.bench = Bench(runner, how, material.scenarios, types, self.compares, material.module)
        self.reference = material.programs["reference"]
        self.code = changed_code(material.programs)
        self.notes: list[str] = []

    def run(self) -> Draft:
        """Take all steps."""
        material = self.material
        self.progress.phase("gather inputs")
        lifted = lifted_inputs(material.capture)
        raises = self._raises(lifted)
        self.gathered = gather(
            material.capture,
            material.domain,
            self.code,
            self.runner,
            self.bench.how,
            seed=material.seed,
            is_domain_edited=material.is_domain_edited,
        )
        inputs, expected = self._inside(raises)
        broken_fails = self._broken(lifted, inputs, expected)
        table = self._table(inputs, expected, raises, broken_fails)
        broken_fails = next(wrong.fails for wrong in table.wrongs if wrong.id == "broken")
        negative, kind = self._hard_negative(table, lifted, broken_fails)
        table = _with_negative(table, negative)
        chosen = self._choose(table, lifted, broken_fails, negative)
        return self._finish(table, chosen, negative, kind, raises, broken_fails)

    def _raises(self, lifted: Sequence[Input]) -> tuple[str, ...]:
        """Return the exceptions that are behaviour: expected by the reproducer, or raised by a lifted check."""
        if self.material.author is not None:
            return self.material.author.raises
        found = dict.fromkeys(self.material.capture.raises)
        for outcome in self.bench.outcomes(self.reference, lifted):
            raised = raised_by(outcome)
            if raised is not None:
                found.setdefault(raised)
        return tuple(found)

    def _inside(self, raises: Sequence[str]) -> tuple[list[Input], Expected]:
        """Return the inputs inside the domain on which the reference is stable; refuse where lifted ones are not."""
        gathered = self.gathered
        first = [*gathered.drawn[:24], *gathered.lifted, *gathered.all]
        everything = list({one.key: one for one in first}.values())
        expected = dict(self.bench.expected(self.reference, everything, raises))
        self.outside = len(everything) - len(expected)
        for one in gathered.lifted:
            if one.key not in expected:
                refuse_reference(one)
        inside = [one for one in everything if one.key in expected]
        unstable = self.bench.unstable(self.reference, inside)
        self.unstable = len(unstable)
        if len(unstable) * 5 > len(inside):
            refuse_unstable(next(one for one in inside if one.key in unstable), len(unstable), len(inside))
        kept = [one for one in inside if one.key not in unstable]
        return kept, {one.key: expected[one.key] for one in kept}

    def _broken(self, lifted: Sequence[Input], inputs: Sequence[Input], expected: Expected) -> frozenset[str]:
        outcomes = self.bench.outcomes(
            self.material.programs["broken"], [one for one in lifted if one.key in expected]
        )
        stable = [one for one in lifted if one.key in expected]
        fails = {
            one.key
            for one, out in zip(stable, outcomes, strict=True)
            if self.bench.is_wrong(one, out, expected[one.key])
        }
        if not fails:
            refuse_broken_that_passes()
        return frozenset(fails) | self.bench.fails(self.material.programs["broken"], inputs, expected)

    def _table(
        self, inputs: Sequence[Input], expected: Expected, raises: Sequence[str], broken_fails: frozenset[str]
    ) -> Table:
        """Return the table of all wrong programs, broken and a captured attempt among them."""
        material = self.material
        suspects = [Suspect("broken", "broken", material.programs["broken"], True)]
        if "hard_negative" in material.programs:
            suspects.append(
                Suspect("hard_negative", "hard_negative", material.programs["hard_negative"], True)
            )
        suspects += suspects_of(material.programs["broken"], self.reference)
        trial = Trial(self.bench, self.reference, raises, self.code, material.seed, self.progress)
        further = further_inputs(
            self.runner,
            self.bench,
            material.domain,
            inputs,
            self.code,
            seed=material.seed,
            is_edited=material.is_domain_edited,
        )
        table = trial.run(suspects, inputs, expected, further)
        wrongs = [
            Wrong(
                one.id,
                one.kind,
                one.source,
                one.is_near_fix,
                one.fails | broken_fails if one.id == "broken" else one.fails,
            )
            for one in table.wrongs
        ]
        return Table(table.inputs, table.expected, tuple(wrongs), table.equivalent, table.effort)

    def _hard_negative(
        self, table: Table, lifted: Sequence[Input], broken_fails: frozenset[str]
    ) -> tuple[Wrong, HardNegativeKind]:
        """Return the hard negative, captured or synthesised."""
        captured = next((one for one in table.wrongs if one.id == "hard_negative"), None)
        if captured is not None and captured.fails != broken_fails:
            return captured, "captured"
        if "hard_negative" in self.material.programs:
            like = "broken" if captured is not None else "the reference"
            self.notes.append(
                f"The attempt cannot be told from {like} by any input: a hard negative was made instead."
            )
        known = {one.key for one in lifted}
        features = features_of([one.key for one in table.inputs], table.expected, broken_fails, frozenset())
        rules = {key: 0 if feature.is_fault else 1 for key, feature in features.items()}
        shown, others = self._candidates(table, lifted, rules)
        public = frozenset(one.input.key for one in choose_public(shown, others, sorted(set(rules.values()))))
        hidden = frozenset(one.key for one in table.inputs if one.key not in known | public)
        made = [one for one in table.wrongs if one.kind in ("mutant", "partial-fix")]
        best = synthesise(made, broken_fails, public, hidden)
        if best is None:
            refuse_no_hard_negative(len(made))
        return Wrong("hard_negative", "hard_negative", best.source, True, best.fails), kind_of(
            best, broken_fails
        )

    def _candidates(
        self, table: Table, lifted: Sequence[Input], rules: Mapping[str, int]
    ) -> tuple[list[Candidate], list[Candidate]]:
        """Return lifted inputs and others that read well enough to be checks."""
        killers: dict[str, set[str]] = {}
        for wrong in table.wrongs:
            for name in wrong.fails:
                killers.setdefault(name, set()).add(wrong.id)
        known = {one.key for one in lifted}
        shown, others = [], []
        for one in table.inputs:
            size = weight(one.params)[0]
            made = Candidate(one, rules[one.key], frozenset(killers.get(one.key, ())), size)
            if one.key in known:
                shown.append(made)
            elif size <= _CHECK_LENGTH_CAP and len(str(table.expected[one.key])) <= _EXPECT_LENGTH_CAP:
                others.append(made)
        order = {one.key: n for n, one in enumerate(lifted)}
        return sorted(shown, key=lambda one: order[one.input.key]), others

    def _choose(
        self, table: Table, lifted: Sequence[Input], broken_fails: frozenset[str], negative: Wrong
    ) -> Chosen:
        """Return rules and checks; refuse where the failure shows on a single input."""
        keys = [one.key for one in table.inputs]
        if len([key for key in keys if key in broken_fails]) < 2:
            refuse_single_failure()
        if len(keys) < 4:
            refuse_few_inputs(len(keys))
        features = features_of(keys, table.expected, broken_fails, negative.fails)
        fault = min(
            (one for one in table.inputs if one.key in broken_fails), key=lambda one: weight(one.params)
        )
        self.fault = fault
        (outcome,) = self.bench.outcomes(self.material.programs["broken"], [fault])
        self.fault_outcome = outcome.observations if isinstance(outcome, Observed) else None
        sentences = drafted_rules(self.material, fault, table.expected[fault.key], self.fault_outcome)
        order = [
            "broken",
            "hard_negative",
            *sorted(one.id for one in table.wrongs if one.kind not in ("broken", "hard_negative")),
        ]
        chosen = choose(sentences, features, lambda rules: self._candidates(table, lifted, rules), order)
        self.order = order
        self.notes += chosen.merged
        return chosen

    def _finish(
        self,
        table: Table,
        chosen: Chosen,
        negative: Wrong,
        kind: HardNegativeKind,
        raises: tuple[str, ...],
        broken_fails: frozenset[str],
    ) -> Draft:
        rules = self._rules(chosen)
        public = self._checks("p", chosen.public, rules, table.expected)
        hidden = self._checks("h", chosen.hidden, rules, table.expected)
        if len(hidden) < 10:
            self.notes.append(
                f"The domain gives {len(hidden)} hidden checks that differ from the public ones."
            )
        contract = self._contract(rules, raises)
        pools, pooled = self._pools(table, chosen, raises, broken_fails)
        facts = self._facts(table, chosen, rules, public, hidden, pooled, kind, negative)
        return Draft(
            contract=contract,
            domain=self.material.domain,
            prompt_template=prompt_template(
                contract, [binding.name for binding in self.material.capture.bindings]
            ),
            public=public,
            hidden=hidden,
            pools=pools,
            hard_negative=negative.source,
            mutants=tuple(
                (one.id, one.source) for one in table.wrongs if one.kind in ("mutant", "partial-fix")
            ),
            facts=facts,
        )

    def _rules(self, chosen: Chosen) -> list[Rule]:
        author = self.material.author
        ids = {rule.text: rule.id for rule in author.rules} if author is not None else {}
        rules: list[Rule] = []
        for text in chosen.texts:
            slug = ids.get(text) or unique_slug(slug_of(text), [rule.id for rule in rules])
            rules.append(Rule(id=slug, text=text))
        return rules

    def _checks(
        self, prefix: str, chosen: Sequence[Candidate], rules: Sequence[Rule], expected: Expected
    ) -> tuple[Check, ...]:
        return tuple(
            Check(
                id=f"{prefix}{number:02d}",
                name=check_name(one.input.scenario, one.input.params, expected[one.input.key]),
                scenario=one.input.scenario,
                rules=(rules[one.rule].id,),
                params=one.input.params,
                expect=tuple(expected[one.input.key]),
            )
            for number, one in enumerate(chosen, 1)
        )

    def _contract(self, rules: Sequence[Rule], raises: tuple[str, ...]) -> Contract:
        material, author = self.material, self.material.author
        mechanism = mechanism_of(material)
        scenarios = sorted({check.scenario for check in material.capture.checks if check.scenario})
        return Contract(
            id=material.incident.id,
            incident=material.incident.id,
            mechanism=mechanism,
            group=author.group if author is not None else mechanism,
            category=author.category if author is not None else material.incident.category or "other",
            tier=author.tier if author is not None else "public+hidden",
            symptom=symptom_of(material, self.fault, self.fault_outcome),
            returns=returns_of(material),
            domain=domain_of(material),
            entry=material.entry,
            environment=material.environment,
            raises=raises,
            types=material.types,
            origin=material.origin,
            reference_digest=reference_digest(self.reference),
            rules=tuple(rules),
            scenarios=tuple(
                ScenarioSpec(
                    id=name,
                    function=name,
                    level=material.levels.get(name, "both"),
                    compare=self.compares.get(name, Compare()),
                )
                for name in scenarios
            ),
        )

    def _pools(
        self, table: Table, chosen: Chosen, raises: Sequence[str], broken_fails: frozenset[str]
    ) -> tuple[tuple[Pool, ...], frozenset[str]]:
        """Return the pools for ``base``, and the keys of their inputs."""
        pools, keys = [], set[str]()
        taken = {one.input.key for one in chosen.public}
        task = f"{self.material.incident.id}/base"
        for scenario in pooled_scenarios(self.material.capture, self.compares):
            inputs, expected = self._pool_stock(scenario, table, raises)
            kept = pool_inputs(scenario, inputs, expected, broken_fails, taken)
            if not kept:
                continue
            if len(kept) < POOL_SIZE:
                self.notes.append(f"The pool of {scenario} has {len(kept)} inputs: the domain gave no more.")
            observed: list[Sequence[Observation]] = [expected[one.key] for one in kept]
            pools.append(
                frozen_pool(self.key, task, scenario, kept, observed, self.compares.get(scenario, Compare()))
            )
            keys |= {one.key for one in kept}
        return tuple(pools), frozenset(keys)

    def _pool_stock(self, scenario: str, table: Table, raises: Sequence[str]) -> tuple[list[Input], Expected]:
        """Return inputs for a pool: those of the table, then further draws and mixtures until there are enough."""
        inputs = [one for one in table.inputs if one.scenario == scenario]
        expected = dict(table.expected)
        for turn in range(1, 4):
            if len(inputs) >= POOL_SIZE + 20:
                break
            more = further_inputs(
                self.runner,
                self.bench,
                self.material.domain,
                inputs,
                self.code,
                seed=self.material.seed + 10 * turn,
                is_edited=self.material.is_domain_edited,
            )
            fresh = self.bench.expected(self.reference, more, raises)
            unstable = self.bench.unstable(self.reference, [one for one in more if one.key in fresh])
            expected |= {name: seen for name, seen in fresh.items() if name not in unstable}
            inputs += [one for one in more if one.key in expected]
        return inputs, expected

    def _facts(
        self,
        table: Table,
        chosen: Chosen,
        rules: Sequence[Rule],
        public: Sequence[Check],
        hidden: Sequence[Check],
        pooled: frozenset[str],
        kind: HardNegativeKind,
        negative: Wrong,
    ) -> DraftFacts:
        public_keys = frozenset(one.input.key for one in chosen.public)
        hidden_keys = frozenset(one.input.key for one in chosen.hidden)
        mutants = [one for one in table.wrongs if one.kind == "mutant"]
        survivors = [one.id for one in mutants if not one.fails & (public_keys | hidden_keys | pooled)]
        both = [*chosen.public, *chosen.hidden]
        ledger = tuple(
            LedgerLine(
                rule=rule.id,
                public=tuple(check.id for check in public if rule.id in check.rules),
                hidden=tuple(check.id for check in hidden if rule.id in check.rules),
                witness=witness_of(index, both, self.order) or "",
            )
            for index, rule in enumerate(rules)
        )
        broken = next(one for one in table.wrongs if one.id == "broken")
        return DraftFacts(
            inputs=len(table.inputs),
            outside=self.outside,
            unstable=self.unstable,
            requests=self.bench.observer.asked,
            mutants=len(mutants),
            equivalent=table.equivalent,
            equivalence_effort=table.effort,
            killed_public=sum(bool(one.fails & public_keys) for one in mutants),
            killed_hidden=sum(bool(one.fails & hidden_keys) for one in mutants),
            killed_pool=sum(bool(one.fails & (hidden_keys | pooled)) for one in mutants),
            survivors=tuple(survivors),
            hard_negative=kind,
            ledger=ledger,
            patterns={
                "broken": _pattern(broken.fails, chosen),
                "hard_negative": _pattern(negative.fails, chosen),
                "reference": _pattern(frozenset(), chosen),
            },
            notes=tuple(self.notes),
        )


def _compares(material: Material) -> dict[str, Compare]:
    found = dict(material.compares)
    if material.author is not None:
        found |= {spec.id: spec.compare for spec in material.author.scenarios}
    return found


def _with_negative(table: Table, negative: Wrong) -> Table:
    others = [one for one in table.wrongs if one.id != "hard_negative"]
    return Table(table.inputs, table.expected, (*others, negative), table.equivalent, table.effort)


def _pattern(fails: frozenset[str], chosen: Chosen) -> str:
    tiers = (chosen.public, chosen.hidden)
    return "/".join("".join("01"[one.input.key not in fails] for one in tier) for tier in tiers)
