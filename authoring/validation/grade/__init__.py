"""Grading: the verdict of candidates against a task's public checks, hidden checks and pools."""

from authoring.validation.grade.batch import Item, grade_many
from authoring.validation.grade.grading import Graded, Grader, Measure, Options
from authoring.validation.grade.integrity import violations
from authoring.validation.grade.material import TaskMaterial, load_material
from authoring.validation.grade.submission import Submission, read_submission

__all__ = [
    "Graded",
    "Grader",
    "Item",
    "Measure",
    "Options",
    "Submission",
    "TaskMaterial",
    "grade_many",
    "load_material",
    "read_submission",
    "violations",
]
