"""A small order service: what a shop's pages ask for."""

from .pages import first_page, page_after
from .store import Order, Store

__all__ = ["Order", "Store", "first_page", "page_after"]
