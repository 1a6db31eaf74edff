"""The table of codes: every refusal and error that a person can meet, by the folder that raises it."""

from authoring.model.codes import ctr, exe, gte, inc, red, rel, scn, tsk, use, val, var, wsp
from authoring.model.codes.base import Code

__all__ = ["CODES", "Code"]

CODES: dict[str, Code] = {
    entry.code: entry
    for folder in (inc, scn, exe, red, ctr, var, val, tsk, rel, gte, wsp, use)
    for entry in folder.CODES
}
"""Every code with its explanation, in the order of the pipeline."""
