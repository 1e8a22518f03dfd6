"""What the moving desk answers with. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import BinaryIO

from core.ports import Plain

Opener = Callable[[], BinaryIO]  # opens the file from its start; it is read several times
Progress = Callable[[str, int, int], None]  # what is being done, how many are done, of how many


@dataclass(frozen=True, kw_only=True, slots=True)
class Exported:
    """What went into a file. `content` names its records, wherever they are; `digest` names this very file."""

    counts: Mapping[str, int]
    content: str
    digest: str
    fingerprint: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """A file that is whole, before anything of it is taken in."""

    header: Plain
    counts: Mapping[str, int]
    content: str
    digest: str
    fingerprint: str  # of the installation that signed it; "" if nobody did
    trusted: bool = False  # whether this installation knows that one: without it all is held

    @property
    def person(self) -> str:
        """Whose memory it is, as the installation that it left calls them."""
        return str(self.header["owner"])


@dataclass(frozen=True, kw_only=True, slots=True)
class Taken:
    """What became of a file. `held` names the candidates that were in memory where they came from and are not here."""

    checked: Checked
    already: bool = False  # everything in it was here
    texts: int = 0
    candidates: int = 0
    admitted: int = 0
    held: tuple[str, ...] = ()
    lowered: int = 0  # admitted with less trust than they had
    claims: int = 0  # of a file that nobody here vouches for: memories that now wait as a document's claims
    reasons: Mapping[str, int] = field(default_factory=dict)  # why those of `held` are held
