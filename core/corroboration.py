"""Who independently says so, and which memories belong together (rules §4.1, §4.3, §1.10). Pure.

What looks like many voices is often one: pages of one site, copies of one text, an agent that repeats a page. Each
voice has a key; a key counts once. Only people and tools add support: what the web or a document says can be
multiplied by whoever profits from it, so it raises review priority and nothing else.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Iterator, Sequence
from urllib.parse import urlsplit

from tld import get_fld

from core.model import Candidate, LinkKind, Memory, MemoryKind, Provenance, Root, ScoredMemory, SourceKind
from core.sameness import same_template
from core.slots import is_multi_valued, normalise, slot_key
from core.spans import RUN, similarity
from core.wording import words

NEAR_COPY = 0.5
"""Similarity from which two texts are one: sharing half of all three-word shingles is copying with retouches."""

COSINE_DIGITS = 3  # to which two cosines are told apart
MAX_EDGES = 6
"""Edges that one memory makes: one hop over more would bring half of a small memory into every answer."""

SAYS_THE_SAME, RELATED = 0.80, 0.60
"""Cosines of MiniLM. Of 1,619 pairs of different facts about one person 0.2 % reach the first and 2.0 % the second
(`python -m eval.contradiction` prints both)."""

WEIGHTS = {
    LinkKind.CORROBORATES: 0.5,
    LinkKind.RELATED: 0.3,
    LinkKind.SAME_SUBJECT: 0.3,
    LinkKind.ADJACENT: 0.3,  # measured on turns of long conversations; a large weight from weak seeds hurts (§4.1)
}
"""Share of a hit's relevance that goes over an edge (rules §4.2)."""

_COUNTING = ("person:", "tool:")
_AUTHORLESS = frozenset({SourceKind.AGENT_TURN})
_REVIEW_ONLY = frozenset({SourceKind.WEB_CONTENT, SourceKind.EXTERNAL_DOC})
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_ADJACENT_EDGES = 2  # the turn before, by its most important memories


def origin_key(provenance: Provenance, roots: Sequence[Root], owner: str) -> str:
    """The key of the independent origin behind a text; "" if there is none that could be named.

    A person is one origin in all their messages, a site in all its pages, a tool in all its results. A text counts as
    its weakest root where that is trusted less than its own channel; an agent's text is never its own origin.
    """
    own = next(iter(roots), None)
    rest = [root for root in roots[1:] if own is None or root.episode_id != own.episode_id]
    derived = provenance.source_kind in _AUTHORLESS
    weakest = min(rest, key=lambda root: root.trust, default=None)
    if derived:
        return _root_key(weakest, owner) if weakest is not None else ""
    if own is not None and weakest is not None and weakest.trust < own.trust:
        return _root_key(weakest, owner)
    if own is not None and own.source_kind is not provenance.source_kind:  # a paste: the text's origin, not the hand's
        return _root_key(own, owner)
    name = {
        SourceKind.EXTERNAL_DOC: provenance.digest,
        SourceKind.TOOL_OUTPUT: provenance.tool or provenance.source_ref or provenance.actor,
        SourceKind.THIRD_PARTY: provenance.source_ref if _ADDRESS.search(provenance.source_ref) else provenance.actor,
    }.get(provenance.source_kind, provenance.source_ref)
    return _key(provenance.source_kind, name, owner)


def counts(key: str) -> bool:
    """Whether this origin is a voice of its own that can support a memory (rules §4.3)."""
    return key.startswith(_COUNTING)


def adds_origin(support: Sequence[str], key: str, source_kind: SourceKind) -> bool:
    """Whether a statement adds an independent origin to a memory that `support` already speaks for.

    An agent's restatement never does, whatever its root; nor does anything from the web or a document (rules §4.3).
    """
    return source_kind not in _AUTHORLESS | _REVIEW_ONLY and counts(key) and key not in support


def independent(keys: Sequence[str], texts: Sequence[str]) -> list[tuple[int, ...]]:
    """The independent origins among sources, each as the indexes of the sources that are one.

    One key is one origin, and so is one text under several keys; sources without a key are taken for one, since
    nothing shows that they are not. Texts are the sources' own, not the short fact drawn from them: two people can
    say "you are allergic to nuts" in the same words. Below eight words sameness shows nothing.

    Args:
        keys: `origin_key` of each source.
        texts: the text of each, in the same order.
    """
    group = list(range(len(keys)))
    long_enough = [sum(1 for _ in words(text)) >= RUN for text in texts]
    for index, key in enumerate(keys):
        for other in range(index):
            copied = long_enough[index] and long_enough[other] and similarity(texts[index], texts[other]) >= NEAR_COPY
            if key == keys[other] or copied:
                joined, kept = group[index], group[other]
                group = [kept if one == joined else one for one in group]
    return [tuple(i for i, one in enumerate(group) if one == name) for name in dict.fromkeys(group)]


def edges(
    candidate: Candidate,
    near: Sequence[ScoredMemory],
    *,
    session: Sequence[Memory] = (),
    without: Collection[str] = (),
) -> tuple[tuple[str, LinkKind, float], ...]:
    """The edges (memory id, kind, weight) a candidate's memory gets (rules §4.1), the most telling first.

    Args:
        candidate: what becomes a memory.
        near: its nearest memories.
        session: memories of the same conversation; those of the turn before are linked `adjacent`.
        without: ids that get no edge, such as those it replaces: `supersedes` is an edge of its own.
    """
    made: dict[str, LinkKind] = {}
    ranked = sorted(
        (one for one in near if _linkable(candidate, one.memory, without)),
        # the store keeps vectors at half precision: what differs by less is equally near, the older one first
        key=lambda one: (-round(one.cosine, COSINE_DIGITS), one.memory.memory_id),
    )
    kinds = [(one.memory.memory_id, _kind(candidate, one)) for one in ranked]
    adjacent = [(memory.memory_id, LinkKind.ADJACENT) for memory in _turn_before(candidate, session, without)]
    for wanted in (LinkKind.CORROBORATES, LinkKind.RELATED, LinkKind.SAME_SUBJECT):
        for memory_id, kind in kinds:
            if kind is wanted and len(made) < MAX_EDGES - len(adjacent):
                made[memory_id] = kind
    for memory_id, kind in adjacent:
        made.setdefault(memory_id, kind)
    return tuple((memory_id, kind, WEIGHTS[kind]) for memory_id, kind in made.items())


def _linkable(candidate: Candidate, memory: Memory, without: Collection[str]) -> bool:
    """Not itself, not what is said in the same breath, and not another value of the same thing."""
    if memory.memory_id in (candidate.candidate_id, *without) or memory.episode_id == candidate.episode_id:
        return False
    proposal = candidate.proposal
    same_slot = memory.slot_key == slot_key(proposal.subject, proposal.attribute)
    rival = same_slot and not is_multi_valued(proposal.attribute)
    return not rival and not same_template(memory.text, proposal.statement)


def _kind(candidate: Candidate, one: ScoredMemory) -> LinkKind | None:
    subject = normalise(candidate.proposal.subject)
    if one.cosine >= SAYS_THE_SAME and _other_voice(candidate, one.memory):
        return LinkKind.CORROBORATES
    if one.cosine >= RELATED:
        return LinkKind.RELATED
    named = subject not in ("", "user") and subject == normalise(one.memory.subject)
    return LinkKind.SAME_SUBJECT if named else None


def _other_voice(candidate: Candidate, memory: Memory) -> bool:
    """Whether somebody else said it; an agent's words are never another voice."""
    origin = candidate.provenance
    if SourceKind.AGENT_TURN in (origin.source_kind, memory.source_kind):
        return False
    if origin.source_kind is not memory.source_kind:
        return True
    return origin.source_kind is not SourceKind.USER_TURN and (origin.actor, origin.source_ref) != (
        memory.actor,
        memory.source_ref,
    )


def _turn_before(candidate: Candidate, session: Sequence[Memory], without: Collection[str]) -> Iterator[Memory]:
    before = [
        memory
        for memory in session
        if memory.serial_no < candidate.serial_no
        and memory.episode_id != candidate.episode_id
        and memory.memory_id not in without
    ]
    last = max((memory.serial_no for memory in before), default=0)
    turn = [memory for memory in before if memory.serial_no == last]
    # the event holds the turn's own words: it is what was measured
    yield from sorted(turn, key=lambda one: (one.kind is not MemoryKind.EVENT, -one.importance))[:_ADJACENT_EDGES]


def _root_key(root: Root, owner: str) -> str:
    return _key(root.source_kind, root.source_ref or root.episode_id, owner)


def _key(kind: SourceKind, name: str, owner: str) -> str:
    if kind is SourceKind.USER_TURN:
        return f"person:{owner}"
    if kind is SourceKind.THIRD_PARTY:
        return f"person:{_mailbox(name)}" if name else ""
    if kind is SourceKind.WEB_CONTENT:
        return f"site:{_site(name)}"
    if kind is SourceKind.EXTERNAL_DOC:
        return f"doc:{name}"
    if kind is SourceKind.TOOL_OUTPUT:
        return f"tool:{normalise(name)}" if name else ""
    return ""


def _mailbox(name: str) -> str:
    """The address in `name` without the tag after a plus, which anyone can vary; else the name, folded."""
    found = _ADDRESS.search(name)
    if found is None:
        return " ".join(name.casefold().split())
    local, _, domain = found.group().casefold().partition("@")
    return f"{local.partition('+')[0]}@{domain}"


def _site(address: str) -> str:
    """The registrable domain of a web address, by the public suffix list; "unknown" for what names no host.

    Suffixes that companies give out ("name.blogspot.com") are not counted as domains: anyone can have a hundred.
    """
    host = _host(address)
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        found = get_fld(f"https://{host}", fail_silently=True, search_private=False) if host else None
    return (found or host or "unknown").casefold().rstrip(".")


def _host(address: str) -> str:
    text = address.strip()
    try:
        return (urlsplit(text if "//" in text else f"//{text}").hostname or "") if " " not in text else ""
    except ValueError:
        return ""
