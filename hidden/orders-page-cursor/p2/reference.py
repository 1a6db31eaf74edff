from dataclasses import dataclass


def checked(ceiling):
    if ceiling < 1:
        raise ValueError
    return ceiling


def _horizontal(order):
    return [order.created_at, order.figure, order.customer]


def first_page(depot, ceiling):
    return [_horizontal(order) for order in depot.of(None)[: checked(ceiling)]]


def page_after(depot, cursor, ceiling, customer=None):
    created_at, figure = cursor
    later = [order for order in depot.of(customer) if order.place > (created_at, figure)]
    return [_horizontal(order) for order in later[: checked(ceiling)]]


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
        if customer is None:
            return self._orders
        return [order for order in self._orders if order.customer == customer]
