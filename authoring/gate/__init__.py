"""Decide from evidence whether a candidate may carry a tag, write the tag, and check it later."""
