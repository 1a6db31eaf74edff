"""Amounts of money as texts and as cents."""

from cents.amounts import parse_cents, show_cents

__all__ = ["parse_cents", "show_cents"]
