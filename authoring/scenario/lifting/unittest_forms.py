"""Turn the assertion methods of unittest into plain tests."""

import libcst as cst

from authoring.scenario.lifting.syntax import code, dotted, expression

__all__ = ["EXAMPLES", "plain_test"]

EXAMPLES = [
    ("self.assertEqual(f(1), 2)", "(f(1)) == (2)"),
    ("self.assertIsNone(x, 'message')", "(x) is None"),
    ("self.assertNotIn(a, b)", "(a) not in (b)"),
    ("self.assertAlmostEqual(a, b, places=3)", "round(abs((a) - (b)), 3) == 0"),
    ("self.assertCountEqual(a, b)", "sorted(a) == sorted(b)"),
]

_TEXTS = {
    "Equal": "({0}) == ({1})",
    "Equals": "({0}) == ({1})",
    "ListEqual": "({0}) == ({1})",
    "TupleEqual": "({0}) == ({1})",
    "DictEqual": "({0}) == ({1})",
    "SetEqual": "({0}) == ({1})",
    "SequenceEqual": "({0}) == ({1})",
    "MultiLineEqual": "({0}) == ({1})",
    "CountEqual": "sorted({0}) == sorted({1})",
    "NotEqual": "({0}) != ({1})",
    "True": "({0})",
    "False": "not ({0})",
    "Is": "({0}) is ({1})",
    "IsNot": "({0}) is not ({1})",
    "IsNone": "({0}) is None",
    "IsNotNone": "({0}) is not None",
    "In": "({0}) in ({1})",
    "NotIn": "({0}) not in ({1})",
    "IsInstance": "isinstance({0}, {1})",
    "NotIsInstance": "not isinstance({0}, {1})",
    "Greater": "({0}) > ({1})",
    "GreaterEqual": "({0}) >= ({1})",
    "Less": "({0}) < ({1})",
    "LessEqual": "({0}) <= ({1})",
    "AlmostEqual": "round(abs(({0}) - ({1})), {2}) == 0",
    "NotAlmostEqual": "round(abs(({0}) - ({1})), {2}) != 0",
}


def plain_test(call: cst.Call) -> cst.BaseExpression | None:
    """Return the test that a call of an assertion method makes, or None for any other call."""
    name = dotted(call.func) or ""
    template = _TEXTS.get(name.removeprefix("self.assert")) if name.startswith("self.assert") else None
    if template is None or any(arg.star for arg in call.args):
        return None
    named = {arg.keyword.value: code(arg.value) for arg in call.args if arg.keyword is not None}
    values = [code(arg.value) for arg in call.args if arg.keyword is None]
    values += [
        named[key] for key in ("first", "second", "expr", "member", "container", "obj") if key in named
    ]
    if "{2}" in template:
        values = [*values[:2], named.get("places", values[2] if len(values) > 2 else "7")]
    needed = 1 + ("{1}" in template) + ("{2}" in template)
    return expression(template.format(*values)) if len(values) >= needed else None
