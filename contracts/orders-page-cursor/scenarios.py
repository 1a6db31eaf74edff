def first_page(program, p, seen):
    def shop(*rows):
        store = program.Store()
        for created_at, number, customer in rows:
            store.add(created_at, number, customer)
        return store

    seen(program.first_page(shop(*p["rows"]), p["limit"]))


def page_after(program, p, seen):
    def shop(*rows):
        store = program.Store()
        for created_at, number, customer in rows:
            store.add(created_at, number, customer)
        return store

    seen(program.page_after(shop(*p["rows"]), p["cursor"], p["limit"], **p["options"]))
