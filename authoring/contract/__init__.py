"""Contracts: rules, checks, pools and hard negatives that tell right programs from almost right ones."""

from authoring.contract.audit_weak import audit_weak
from authoring.contract.document import contract_text, merged_text
from authoring.contract.draft import draft
from authoring.contract.fidelity import UnfaithfulInputsError
from authoring.contract.material import Beside, Draft, DraftFacts, LedgerLine, Material
from authoring.contract.pools import frozen_pool
from authoring.contract.prompt import prompt_template
from authoring.contract.reference_digest import reference_digest
from authoring.contract.weakness import Audited, Overspecified, Survivor, Weakness
from authoring.contract.worded import Wording, plain, reworded, terms_of, wording

__all__ = [
    "Audited",
    "Beside",
    "Draft",
    "DraftFacts",
    "LedgerLine",
    "Material",
    "Overspecified",
    "Survivor",
    "UnfaithfulInputsError",
    "Weakness",
    "Wording",
    "audit_weak",
    "contract_text",
    "draft",
    "frozen_pool",
    "merged_text",
    "plain",
    "prompt_template",
    "reference_digest",
    "reworded",
    "terms_of",
    "wording",
]
