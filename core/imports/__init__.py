"""Outside files into the owner's memory: looked at before, taken in through the gate, known again."""

from core.imports.desk import Imports
from core.imports.values import ClassCount, ItemPreview, Preview, Problem, Progress, Report, Upload

__all__ = ["ClassCount", "Imports", "ItemPreview", "Preview", "Problem", "Progress", "Report", "Upload"]
