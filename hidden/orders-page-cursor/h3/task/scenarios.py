def first_page(program, p, seen):
    def shop(*rows):
        store = program.Warehouse()
        for created_at, number, customer in rows:
            store.add(created_at, number, customer)
        return store

    seen(program.first_page(shop(*p["rows"]), p["limit"]))


def page_after(program, p, seen):
    def shop(*rows):
        store = program.Warehouse()
        for created_at, number, customer in rows:
            store.add(created_at, number, customer)
        return store

    seen(program.page_after(shop(*p["rows"]), p["cursor"], p["limit"], **p["options"]))


def page_after_rows_reordered(program, p, seen):
    def shop(*rows):
        store = program.Warehouse()
        for created_at, number, customer in rows:
            store.add(created_at, number, customer)
        return store

    for rows_ in (p["rows"], p["rows"][::-1]):
        seen(program.page_after(shop(*rows_), p["cursor"], p["limit"], **p["options"]))
