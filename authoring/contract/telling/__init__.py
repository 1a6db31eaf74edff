"""Tell in plain words which inputs the fault shows on, and what is right there."""

from authoring.contract.telling.told import ToldRules, told_rules

__all__ = ["ToldRules", "told_rules"]
