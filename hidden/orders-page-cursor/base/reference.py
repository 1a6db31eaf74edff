from dataclasses import dataclass


def checked(limit):
    if limit < 1:
        raise ValueError
    return limit


def _row(order):
    return [order.created_at, order.number, order.customer]


def first_page(store, limit):
    return [_row(order) for order in store.of(None)[: checked(limit)]]


def page_after(store, cursor, limit, customer=None):
    created_at, number = cursor
    later = [order for order in store.of(customer) if order.position > (created_at, number)]
    return [_row(order) for order in later[: checked(limit)]]


@dataclass()
class Order:
    created_at: int
    number: int
    customer: str

    @property
    def position(self):
        return (self.created_at, self.number)


class Store:
    def __init__(self):
        self._orders = []

    def add(self, created_at, number, customer):
        if any(order.number == number for order in self._orders):
            raise ValueError
        self._orders.append(Order(created_at, number, customer))
        self._orders.sort(key=lambda order: order.position)

    def of(self, customer):
        if customer is None:
            return self._orders
        return [order for order in self._orders if order.customer == customer]
