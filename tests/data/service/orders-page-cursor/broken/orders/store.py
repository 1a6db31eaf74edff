"""Orders kept in memory, by creation time and number."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Order:
    """One order of a customer."""

    created_at: int
    number: int
    customer: str

    @property
    def position(self):
        return (self.created_at, self.number)


class Store:
    """All orders, oldest first."""

    def __init__(self):
        self._orders = []

    def add(self, created_at, number, customer):
        if any(order.number == number for order in self._orders):
            raise ValueError("order %d exists" % number)
        self._orders.append(Order(created_at, number, customer))
        self._orders.sort(key=lambda order: order.position)

    def total(self):
        return len(self._orders)

    def of(self, customer=None):
        if customer is None:
            return list(self._orders)
        return [order for order in self._orders if order.customer == customer]
