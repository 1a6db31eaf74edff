from feedlet import first_of_each


def check_1():
    assert first_of_each(["a ", "b", "a"], key=lambda text: text.strip(), length=2) == ["a ", "b"]


def check_2():
    assert first_of_each(["x", "", " ", "y"], key=lambda text: text.strip(), length=2) == ["x", "", "y"]


def check_3():
    assert first_of_each(["bcd", "a", "bce"], key=lambda text: text.strip(), length=2) == ["bcd", "a"]
