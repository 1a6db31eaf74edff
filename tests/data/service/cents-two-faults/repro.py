from cents import parse_cents, show_cents


def check_1():
    assert parse_cents("12.05") == 1205


def check_2():
    assert parse_cents("12.5") == 1250


def check_3():
    assert parse_cents("-0.999") == -99


def check_4():
    assert show_cents(1250) == "12.50"


def check_5():
    assert show_cents(1205) == "12.05"


def check_6():
    assert show_cents(-120000) == "-1,200.00"
