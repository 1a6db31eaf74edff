from labels import labels


def check_1():
    assert labels("Red, green,red") == ["red", "green"]


def check_2():
    assert labels("'Red, dark', green") == ["Red, dark", "green"]


def check_3():
    assert labels("red,,green") == ["red", "green"]


def check_4():
    assert labels("red, ") == ["red"]
