"""The extractor without a model: dispatches an episode to the grammar that its channel allows."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from core.llm.rules.acts import in_role_play, leaves_fiction, turn_is_fiction
from core.llm.rules.aftermath import is_meal, opened, settled
from core.llm.rules.appointments import read_appointment
from core.llm.rules.beyond import Beyond, is_english
from core.llm.rules.claims import joined, read_claim
from core.llm.rules.documents import read_document
from core.llm.rules.draft import Draft, sound
from core.llm.rules.english import read_sentence
from core.llm.rules.events import read_event
from core.llm.rules.jottings import read_jottings, with_jottings
from core.llm.rules.languages import read_foreign
from core.llm.rules.masks import mask
from core.llm.rules.messages import read_message
from core.llm.rules.nearest import NearestReader
from core.llm.rules.notes import opens_notes, read_note
from core.llm.rules.repairs import continues_lesson, in_parts, mended, with_tail, without_rules
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence, sentences
from core.llm.rules.shorthand import Written, write_out
from core.llm.rules.standings import read_standings, read_switch
from core.llm.rules.text import Cleaned, clean
from core.model import Episode, Extraction, SourceKind
from core.ports import Embedder, ExtractionContext

_USER_LIMIT = 20_000  # characters of a user turn that are read


_USER_SENTENCES = 400  # sentences of a user turn that are read


_DOCUMENT_LIMIT = 200_000  # characters of a document that are read


_MAX_FACTS = 60  # proposals of one episode


EXTRACTOR = "rules"


class RulesExtractor:
    """Implements `core.ports.Extractor` by rules: no clock, and a model only for what no form fits."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        """Bind the model that tells the meaning of clauses which no form fits; without one they teach nothing."""
        self._nearest = NearestReader(embedder) if embedder is not None else None

    def warm(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Embed the prototypes now, so that the first turn does not wait for it; ends early when `stop` says so.

        Raises:
            ChronoMemoryError: the model does not answer.
        """
        if self._nearest is not None:
            self._nearest.warm(stop)

    def extract(self, episode: Episode, context: ExtractionContext) -> Extraction:
        """The facts of one episode, each citing the clause that states it.

        A user turn gets the whole grammar. Any other channel gets one proposal a claim sentence, in its own words:
        "I" in it is its author, never the owner (rules §1.2, §1.8).
        """
        if episode.provenance.source_kind is SourceKind.USER_TURN:
            cleaned = clean(episode.text, _USER_LIMIT)
            drafts = _user_turn(cleaned, context, self._nearest)
        else:
            cleaned = clean(episode.text, _DOCUMENT_LIMIT)
            event = read_appointment(cleaned.text, episode.provenance)
            drafts = (
                read_document(cleaned.text, episode.provenance, context.now, limit=_MAX_FACTS)
                if event is None
                else event
            )
            drafts = [*drafts, *read_message(cleaned.text, drafts, episode.provenance)] if event is None else drafts
        kept = [draft for draft in drafts if sound(draft)][:_MAX_FACTS]
        return Extraction(proposals=tuple(draft.proposal(cleaned) for draft in kept), extractor=EXTRACTOR)


def _user_turn(cleaned: Cleaned, context: ExtractionContext, nearest: NearestReader | None) -> list[Draft]:
    masked = mask(cleaned.text)
    if turn_is_fiction(masked) or (in_role_play(context.recent) and not leaves_fiction(masked)):
        return []
    scene = Scene(context.now, context.known, context.recent)
    found: list[Draft] = []
    asserting: list[Sentence] = []
    unread: list[Sentence] = []
    in_series = noting = False
    written = write_out(masked)
    beyond = Beyond(scene, nearest, written.text)
    for sentence in in_parts(sentences(written.text, limit=_USER_SENTENCES)):
        drafts = read_foreign(sentence, scene)
        if drafts is None or (not drafts and _maybe_english(sentence.text)):
            heard = opened(sentence)
            jotted = read_jottings(heard, scene)
            scene.drafts = list(found)
            drafts, in_series = read_sentence(heard, scene, written.text, in_series=in_series)
            drafts = with_jottings(drafts, jotted, scene)
            drafts = settled(_with_standings(drafts, heard, scene), heard, scene)
        if not drafts and sentence.item and noting:
            drafts = read_note(sentence)
        noting = noting or opens_notes(sentence)
        drafts = [draft for draft in with_tail(without_rules(drafts, sentence), sentence) if sound(draft)]
        found, drafts = mended(found, drafts, sentence)
        found = continues_lesson(found, drafts, sentence)
        if drafts:
            asserting.append(_verbatim(sentence, masked, written))
        found.extend(drafts)
        scene.drafts = list(found)
        beyond.see(sentence, drafts)
        if not drafts:
            unread.append(opened(sentence))
    added, told = beyond.read(found)
    added = [one for one in added if not is_meal(one)]
    scene.drafts = [*found, *added]
    for one in unread:
        if not any(one.start <= draft.start < one.end for draft in added):
            claims = [draft for draft in read_claim(one, scene) if sound(draft)]
            added = joined(added, settled(claims, one, scene))
            told += [one] if claims else []
    found.extend(added)
    asserting.extend(one for one in (_verbatim(sentence, masked, written) for sentence in told) if one not in asserting)
    found = [_placed(_as_called(draft, written.text), written) for draft in _distinct(found)]
    event = read_event(cleaned.text, masked, asserting, found, english=is_english(written.text[:2000]))
    return [*found, *event]


def _with_standings(drafts: list[Draft], said: Sentence, scene: Scene) -> list[Draft]:
    """The drafts of a sentence, with the finer forms of what changes hands where one of them fits."""
    standing = read_standings(said, scene)
    if not standing:
        return drafts or read_switch(said, scene)
    coarse = {"relationship_status", "role", "employer", "home", "wedding_date"}
    return [*(one for one in drafts if one.attribute not in coarse), *standing]


_ENGLISH = re.compile(
    r"(?<![\w'])(?:the|is|my|and|with|for|that|we|our|on|this|are|at|to|from|every)(?![\w'])", re.IGNORECASE
)


def _maybe_english(text: str) -> bool:
    """Whether a sentence that another tongue's grammar claimed, and read nothing in, may be English notes."""
    return text.isascii() and bool(_ENGLISH.search(text))


_CALLED = re.compile(r"\b(?:my|our) (?P<w>wife|husband|girlfriend|boyfriend|fianc[ée]e?|partner)\b", re.IGNORECASE)


def _as_called(draft: Draft, text: str) -> Draft:
    """A fact on an unnamed spouse or partner under the word that the speaker used."""
    if draft.subject not in {"spouse", "partner"}:
        return draft
    called = _CALLED.search(text, draft.start) or _CALLED.search(text)
    return replace(draft, subject=called["w"].lower()) if called else draft


def _verbatim(sentence: Sentence, masked: str, written: Written) -> Sentence:
    start, end = written.back(sentence.start, sentence.end)
    return replace(sentence, text=masked[start:end], start=start, end=end)


def _placed(draft: Draft, written: Written) -> Draft:
    start, end = written.back(draft.start, draft.end)
    return replace(draft, start=start, end=end)


def _distinct(drafts: list[Draft]) -> list[Draft]:
    """Without repetitions; a retraction comes before the assertion that replaces it."""
    seen: set[tuple[str, str, str, bool]] = set()
    kept = []
    for draft in drafts:
        key = (draft.subject.casefold(), draft.attribute, draft.value.casefold(), draft.retracts)
        if key not in seen:
            seen.add(key)
            kept.append(replace(draft))
    return sorted(kept, key=lambda draft: not draft.retracts)
