from dataclasses import dataclass


def checked(ceiling):
    is_so = ceiling < 1
    if is_so:
        raise ValueError
    return ceiling


def _horizontal(order):
    return [order.created_at, order.figure, order.customer]


def first_page(depot, ceiling):
    collected = []
    for order in depot.of(None)[: checked(ceiling)]:
        collected.append(_horizontal(order))
    return collected


def page_after(depot, cursor, ceiling, customer=None):
    created_at, figure = cursor
    later = [order for order in depot.of(customer) if order.place > (created_at, figure)]
    collected = []
    for order in later[: checked(ceiling)]:
        collected.append(_horizontal(order))
    return collected


@dataclass()
class Ranking:
    created_at: int
    figure: int
    customer: str

    @property
    def place(self):
        return (self.created_at, self.figure)


class Depot:
    def __init__(self):
        self._orders = []

    def add(self, created_at, figure, customer):
        if any(order.figure == figure for order in self._orders):
            raise ValueError
        self._orders.append(Ranking(created_at, figure, customer))
        self._orders.sort(key=lambda order: order.place)

    def of(self, customer):
        is_so = customer is None
        if is_so:
            return self._orders
        collected = []
        for order in self._orders:
            if order.customer == customer:
                collected.append(order)
        return collected
