"""What the steps of one draft share."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from authoring.contract.bench import Bench
from authoring.contract.gather import Gathered
from authoring.contract.hearing import Hearing
from authoring.contract.material import Material
from authoring.model.execution import How, ObservedTypes, Runner
from authoring.model.observation import Compare
from authoring.model.progress import Progress
from authoring.model.variants import VersionName
from authoring.scenario.domain import ChangedCode, changed_code
from authoring.scenario.inputs import Input

__all__ = ["Work", "begin"]


@dataclass(slots=True)
class Work:
    """The material, the bench, and what is noted on the way."""

    material: Material
    bench: Bench
    code: ChangedCode
    progress: Progress
    hearing: Hearing
    raises: Sequence[str] = ()
    gathered: Gathered = field(default_factory=Gathered)
    notes: list[str] = field(default_factory=list)
    paths: dict[str, str] = field(default_factory=dict)
    """By the key of an input: the way that it takes through the reference."""
    outside: int = 0
    unstable: int = 0
    unfaithful: dict[str, Input] = field(default_factory=dict)
    """Inputs by key on which a program differs from its release."""

    @property
    def reference(self) -> str:
        """The reference's source."""
        return self.material.programs["reference"]

    @property
    def broken(self) -> str:
        """The broken program's source."""
        return self.material.programs["broken"]

    def standing_for(self, version: VersionName) -> str:
        """Return the source that is held to a version's release.

        Of a contract about one of several faults the reference repairs one; what stands for the release repairs all.
        """
        if version == "reference" and self.material.beside is not None:
            return self.material.beside.repaired
        return self.material.programs[version]


def begin(material: Material, runner: Runner, how: How, progress: Progress) -> Work:
    """Lay out the bench for a draft."""
    compares: dict[str, Compare] = dict(material.compares)
    if material.author is not None:
        compares |= {spec.id: spec.compare for spec in material.author.scenarios}
    types = ObservedTypes(
        raises=material.author.raises if material.author is not None else material.capture.raises,
        records=material.types.records,
        enums=material.types.enums,
        iterators=material.types.iterators,
        messages=any(compare.exception == "type+message" for compare in compares.values()),
    )
    bench = Bench(runner, how, material.scenarios, types, compares, material.module)
    if material.author is not None:  # releases are asked as programs are, or they would differ in that
        originals = {
            version: replace(package, types=replace(types, handles=package.types.handles))
            for version, package in material.originals.items()
        }
        material = replace(material, originals=originals)
    if material.beside is not None:
        bench.beside, bench.taken = material.beside.repaired, material.beside.taken
    hearing = Hearing(material.alternatives, bench)
    return Work(material, bench, changed_code(material.programs), progress, hearing)
