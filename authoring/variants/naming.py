"""Give a variant's programs and scenarios new names, as far as every observation stays."""

from collections.abc import Mapping
from dataclasses import dataclass

from authoring.model.contract import Contract
from authoring.model.variants import VersionName
from authoring.variants.base import Stock, carried_texts
from authoring.variants.change import Change
from authoring.variants.material import Tools
from authoring.variants.observer import Observer
from authoring.variants.rename import keep_faithful, own_names, rename_program, rename_scenarios
from authoring.variants.translate import translated, under_names
from authoring.variants.vocabulary import make_vocabulary

__all__ = ["Named", "give_names"]


@dataclass(frozen=True, slots=True)
class Named:
    """Programs, scenarios and contract under a vocabulary."""

    vocabulary: dict[str, str]
    programs: Mapping[VersionName, str]
    contract: Contract
    scenarios: str


def give_names(stock: Stock, tools: Tools, task_id: str, change: Change) -> Named:
    """Return the variant under the largest vocabulary that changes no observation of a check."""
    material = stock.material
    texts = carried_texts(material, stock.inputs)
    names = own_names(list(change.programs.values()), material.scenarios, texts)
    plain = Observer(tools.runner, tools.how, material.contract, material.scenarios)
    before = {version: plain.see(source, stock.inputs) for version, source in change.programs.items()}

    def named(vocabulary: Mapping[str, str]) -> Named:
        programs = {name: rename_program(text, names, vocabulary) for name, text in change.programs.items()}
        scenarios = rename_scenarios(material.scenarios, names, vocabulary)
        contract = under_names(material.contract, vocabulary)
        return Named(dict(sorted(vocabulary.items())), programs, contract, scenarios)

    def is_faithful(vocabulary: Mapping[str, str]) -> bool:
        task = named(vocabulary)
        observer = Observer(tools.runner, tools.how, task.contract, task.scenarios)
        return all(
            observer.see(source, stock.inputs)
            == [translated(outcome, vocabulary) for outcome in before[version]]
            for version, source in task.programs.items()
        )

    return named(keep_faithful(make_vocabulary(names, tools.words, tools.key, task_id), is_faithful))
