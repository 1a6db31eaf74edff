"""What runs inside a box: standard library only, at its barest, since every import costs each cold start.

The files here are compiled by the interpreter that will run them and bound into the box as one file; the tool itself
imports them only in tests. Nothing in this folder holds a secret: after the first line of foreign code, whatever the
driver says is only that code's own answer.
"""
