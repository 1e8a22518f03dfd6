"""An owner's whole memory on its way out of one installation and into another; trust never rises on the way."""

from core.moving.desk import Moving
from core.moving.nouns import Checked, Exported, Taken

__all__ = ["Checked", "Exported", "Moving", "Taken"]
