"""What looks like an attack in a text (rules §1.2, §1.7, §1.9). Pure, standard library only.

Findings annotate a held item and sort the queue; they never admit and never decide. So they are made to be right when
they speak: a phrase that is quoted or asked about stays below the label, and so does a benign look-alike of each sort.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.detectors import characters, marks, payloads, speech
from core.model import Finding

LABEL = 0.5
_FOLLOW = ("decode", "follow", "do exactly", "carry out", "instruction")


def _read(text: str) -> list[Finding]:
    """Findings on the words themselves, in a form without disguise."""
    return speech.phrases(text) + marks.forged(text)


def _grave(found: Iterable[Finding]) -> Finding | None:
    return max((finding for finding in found if finding.severity >= LABEL), key=lambda f: f.severity, default=None)


def _disguised(text: str, plain: str) -> list[Finding]:
    """Findings on words that have to be decoded; the gravest thing they say counts for them."""
    found = []
    for name, words in payloads.decoded(text):
        inner = _grave(_read(words))
        urged = sum(cue in plain.lower() for cue in _FOLLOW) > 1
        severity = 0.9 if inner else 0.6 if urged else 0.3
        says = inner.note if inner else "ordinary words"
        found.append(Finding(detector="encoded_payload", severity=severity, note=f"words written in {name}: {says}"))
    for name, view in (("digits for letters", payloads.unleet(plain)), ("backwards", plain[::-1])):
        inner = _grave(speech.phrases(view)) if view != plain else None
        if inner and not _grave(speech.phrases(plain)):
            found.append(
                Finding(detector="encoded_payload", severity=0.8, note=f"words written in {name}: {inner.note}")
            )
    for view in characters.views(text):
        found += [f for f in _read(view) if f.severity >= LABEL]
    return found


def _detect(text: str) -> list[Finding]:
    plain = characters.plain(text)
    return [
        *characters.hidden(text),
        *characters.alike(text),
        *_read(plain),
        *marks.markup(plain),
        *marks.keys(text),
        *_disguised(text, plain),
    ]


def detect(text: str) -> tuple[Finding, ...]:
    """What the detectors see in a text, the gravest first; one finding for each detector and note."""
    best: dict[tuple[str, str], Finding] = {}
    for finding in (finding for piece in characters.windows(text) for finding in _detect(piece)):
        key = (finding.detector, finding.note)
        if key not in best or finding.severity > best[key].severity:
            best[key] = finding
    return tuple(sorted(best.values(), key=lambda f: (-f.severity, f.detector, f.note)))


def attack(findings: Sequence[Finding]) -> bool:
    """Whether an item with these findings is labelled an attack."""
    return any(finding.severity >= LABEL for finding in findings)
