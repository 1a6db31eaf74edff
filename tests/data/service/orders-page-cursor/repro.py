from orders import Store, first_page, page_after


def shop(*rows):
    store = Store()
    for created_at, number, customer in rows:
        store.add(created_at, number, customer)
    return store


ROWS = [(10, 1, "ann"), (10, 2, "bob"), (10, 3, "ann"), (20, 4, "cid")]


def check_1():
    assert first_page(shop(*ROWS), 2) == [[10, 1, "ann"], [10, 2, "bob"]]


def check_2():
    assert page_after(shop(*ROWS), (10, 3), 5) == [[20, 4, "cid"]]


def check_3():
    assert page_after(shop(*ROWS), (10, 1), 1) == [[10, 2, "bob"]]


def check_4():
    assert page_after(shop(*ROWS), (10, 2), 5) == [[10, 3, "ann"], [20, 4, "cid"]]


def check_5():
    assert page_after(shop(*ROWS), (10, 1), 5, customer="ann") == [[10, 3, "ann"]]
