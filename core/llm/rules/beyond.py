"""What a turn tells beyond the known forms: open forms first, likeness of meaning for what is then still unread."""

from __future__ import annotations

import re

from core.llm.rules.acts import act_of, statement_before_question
from core.llm.rules.clausework import Unread, unread
from core.llm.rules.draft import Draft, sound
from core.llm.rules.languages import tongue_of
from core.llm.rules.masks import BLOT
from core.llm.rules.nearest import NearestReader
from core.llm.rules.openforms import read_open
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence
from core.model import SpeechAct
from core.slots import is_multi_valued

_ENGLISH = re.compile(
    r"(?<![\w'])(?:the|i'm|im|i|i've|is|my|and|with|you|was|have|for|that|we|our|it's|of|at|"
    r"to|not|on|in|a|an|this|are|be|so|"
    r"but|just|can|live|work|love|hate|like|no|call|from|please|by|here|as|it|her|his|she|he|"
    r"they|me|us|up|out|ask|anything|every|all|name|home|born|years?|days?|hours|job|wife|husband|"
    r"hubby|mum|dad|also|who|when|now|new)(?![\w'])",
    re.IGNORECASE,
)
_FOREIGN = re.compile(
    r"[^\x00-\u024f\u2000-\u2bff\U0001f000-\U0001faff]|[äöüßñ¿¡ãõ](?=\w* )|\b(?:je|ich|und|"
    r"der|soy|mi|el|los|une?|les|sono|eu)\b",
    re.IGNORECASE,
)
_ABOUT_TEXT = re.compile(
    r"\b(?:does|is|are|do|could|can|how|would|should)\b[^.?!\n]{0,40}\b(?:this|that|these|the|"
    r"my)\b[^.?!\n]{0,20}\b(?:verse|poem|"
    r"lyrics?|song|chorus|stanza|rhyme|couplet|limerick|sonnet|haiku|line|opening|paragraph|"
    r"joke|monologue)s?\b[^\n]*\n",
    re.IGNORECASE,
)


def is_english(text: str) -> bool:
    """Whether a turn is judged English: its small words are, and no other language claims it."""
    return tongue_of(text) is None and bool(_ENGLISH.search(text)) and not _FOREIGN.search(text)


class Beyond:
    """Collects the unread clauses of one turn and reads them together, so that the model is asked once."""

    def __init__(self, scene: Scene, nearest: NearestReader | None, text: str) -> None:
        """Begin a turn."""
        self._scene, self._nearest = scene, nearest
        self._closed = not is_english(text[:2000]) or bool(_ABOUT_TEXT.search(text))
        self._unread: list[Unread] = []
        self._open: list[tuple[Sentence, Draft]] = []

    def see(self, sentence: Sentence, drafts: list[Draft]) -> None:
        """Take note of a sentence and what the grammar made of it."""
        if self._closed or any(draft.retracts for draft in drafts):
            return
        said = _statement_of(sentence)
        if said is None:
            return
        known = [*drafts]
        for draft in read_open(said, self._scene):
            if sound(draft) and not _doubles(draft, known):
                known.append(draft)
                self._open.append((sentence, draft))
        clauses = unread(said, known, self._scene.discourse)
        if any(draft.attribute in {"response_preference", "lesson", "procedure"} for draft in drafts):
            clauses = [one for one in clauses if one.about != "user"]
        self._unread += clauses

    def read(self, found: list[Draft]) -> tuple[list[Draft], list[Sentence]]:
        """What the turn tells beyond `found`, and the sentences that tell it."""
        added = [draft for _, draft in self._open]
        told = [sentence for sentence, _ in self._open]
        if self._nearest is not None and self._unread:
            self._scene.drafts = [*found, *added]
            for draft in self._nearest.read(self._unread, self._scene):
                if sound(draft):
                    added.append(draft)
                    told += [one.sentence for one in self._unread if one.clause.start == draft.start]
        return added, list(dict.fromkeys(told))


def _statement_of(sentence: Sentence) -> Sentence | None:
    """The asserting words of a sentence; None if it asserts nothing."""
    act = act_of(sentence.text, asks=sentence.asks)
    if act is SpeechAct.ASSERTION:
        return sentence
    if act is not SpeechAct.QUESTION or BLOT in sentence.text:
        return None
    head = statement_before_question(sentence.text)
    if not head or act_of(head, asks=False) is not SpeechAct.ASSERTION:
        return None
    return Sentence(head, sentence.start, sentence.start + len(head), asks=False, item=sentence.item)


_FINER = ("breed", "dog", "cat", "name", "role", "job", "deadline", "date")  # slots of the grammar that say as much


def _doubles(draft: Draft, others: list[Draft]) -> bool:
    for other in others:
        if other.value.casefold() == draft.value.casefold() and other.attribute in (draft.attribute, *_FINER):
            return True
        if other.subject.casefold() != draft.subject.casefold():
            continue
        if other.attribute == draft.attribute and not is_multi_valued(draft.attribute):
            return True
        if other.attribute == draft.attribute and (draft.value in other.value or other.value in draft.value):
            return True
    return False
