"""Which namespaces are meant: by how they begin and end, with a wild card for one label. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

ANY = "*"


@dataclass(frozen=True, kw_only=True, slots=True)
class Condition:
    """How a namespace begins, or ends."""

    at_end: bool
    path: tuple[str, ...]  # "*" stands for any one label

    def met_by(self, namespace: tuple[str, ...]) -> bool:
        """Whether a namespace begins or ends so."""
        length = len(self.path)
        if length > len(namespace):
            return False
        part = namespace[len(namespace) - length :] if self.at_end else namespace[:length]
        return all(wanted in (ANY, label) for wanted, label in zip(self.path, part, strict=True))


def chosen(
    namespaces: Iterable[tuple[str, ...]], conditions: Sequence[Condition], *, max_depth: int | None
) -> list[tuple[str, ...]]:
    """The namespaces that meet every condition, cut to `max_depth` labels, each once, in order."""
    met = (one for one in namespaces if all(condition.met_by(one) for condition in conditions))
    return sorted({one[:max_depth] for one in met})


__all__ = ["ANY", "Condition", "chosen"]
