import time

from globby import matches

assert matches("a*c", "abc")
assert not matches("a*c", "abd")
assert matches("*", "")
assert matches("**b", "aab")


def seconds(pattern, name):
    started = time.process_time()
    matches(pattern, name)
    return time.process_time() - started


assert seconds("*a" * 6 + "*b", "a" * 26) < 0.2
