import types


def bind(package):
    return types.SimpleNamespace(
        Store=package.Store,
        first_page=package.first_page,
        page_after=package.page_after,
    )
