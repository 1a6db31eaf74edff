from dataclasses import dataclass


def checked(cap):
    if cap < 1:
        raise ValueError
    return cap


def _record_line(order):
    return [order.created_at, order.quantity, order.customer]


def first_page(warehouse, cap):
    return [_record_line(order) for order in warehouse.of(None)[: checked(cap)]]


def page_after(warehouse, cursor, cap, customer=None):
    created_at, quantity = cursor
    later = [order for order in warehouse.of(customer) if order.spot > (created_at, quantity)]
    return [_record_line(order) for order in later[: checked(cap)]]


@dataclass()
class Arrangement:
    created_at: int
    quantity: int
    customer: str

    @property
    def spot(self):
        return (self.created_at, self.quantity)


class Warehouse:
    def __init__(self):
        self._orders = []

    def add(self, created_at, quantity, customer):
        if any(order.quantity == quantity for order in self._orders):
            raise ValueError
        self._orders.append(Arrangement(created_at, quantity, customer))
        pass

    def of(self, customer):
        if customer is None:
            return self._orders
        return [order for order in self._orders if order.customer == customer]
