"""Audits of what a workspace holds: weak checks and flaky verdicts."""

from authoring.taskrepo.audits.flaky import audit_flaky
from authoring.taskrepo.audits.stored import StoredContract, stored_contracts
from authoring.taskrepo.audits.weak import audit_weak

__all__ = ["StoredContract", "audit_flaky", "audit_weak", "stored_contracts"]
