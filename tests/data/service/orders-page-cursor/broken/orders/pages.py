"""Pages of orders by cursor."""

from .limits import checked


def _row(order):
    return [order.created_at, order.number, order.customer]


def first_page(store, limit=None, customer=None):
    """The oldest orders."""
    return [_row(order) for order in store.of(customer)[: checked(limit)]]


def page_after(store, cursor, limit=None, customer=None):
    """The orders that follow the cursor ``(created_at, number)`` of the last order seen."""
    if cursor is None:
        return first_page(store, limit, customer)
    created_at, number = cursor
    later = [order for order in store.of(customer) if order.created_at > created_at]
    return [_row(order) for order in later[: checked(limit)]]
