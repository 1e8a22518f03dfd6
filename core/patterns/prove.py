"""Weighs hypotheses: from when a repetition is knowledge (rules §5.3). Pure and deterministic.

Copies count once, what speaks against counts as much as what speaks for, and untrusted episodes neither make nor unmake
a pattern that trusted ones decide.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta

from core.patterns.nouns import Detector, Hypothesis, Observation, Occasion
from core.policy import PatternRules

Found = dict[tuple[str, str], Hypothesis]


def prove(
    observations: Iterable[Observation],
    detectors: Sequence[Detector],
    rules: PatternRules,
    *,
    threshold: float,
    now: datetime,
) -> tuple[Hypothesis, ...]:
    """Every hypothesis that anything speaks for, in a fixed order.

    1. Each thing counts once, however often it was copied, and only within the window. 2. Episodes of enough trust
    decide alone where they carry a pattern: a planted text neither spoils it nor lowers it. 3. Only where they do not,
    everything counts; what is proven like that rests on something untrusted, and the gate holds it.

    Args:
        observations: in any order.
        detectors: which sorts are looked for.
        rules: the policy's section.
        threshold: effective trust from which an episode is trusted (the policy's).
        now: what lies after it has not happened yet.
    """
    seen = _window(_each_once(observations), rules, now)
    trusted = [one for one in seen if one.trust >= threshold]
    firm = _found(trusted, detectors, rules, now)
    loose = firm if len(trusted) == len(seen) else _found(seen, detectors, rules, now)
    keys = sorted(firm.keys() | loose.keys())
    return tuple(_chosen(firm.get(key), loose.get(key)) for key in keys)


def carries(supports: Collection[Observation], rules: PatternRules) -> bool:
    """Whether these alone are episodes enough over sessions enough, whatever speaks against them."""
    episodes = {one.episode_id for one in supports}
    return len(episodes) >= rules.min_episodes and len({one.session for one in supports}) >= rules.min_sessions


def _chosen(firm: Hypothesis | None, loose: Hypothesis | None) -> Hypothesis:
    if firm is None or (loose is not None and loose.proven and not firm.proven):
        if loose is None:
            msg = "a key without a hypothesis"
            raise ValueError(msg)
        return loose
    return firm


def _each_once(observations: Iterable[Observation]) -> list[Observation]:
    """Oldest first; of copies the most trusted, and of those the first: an entry that was imported twice is one."""
    kept: dict[tuple[object, ...], Observation] = {}
    for one in sorted(observations, key=lambda one: (-one.trust, *_order(one))):
        kept.setdefault(_same(one), one)
    return sorted(kept.values(), key=_order)


def _order(one: Observation) -> tuple[object, ...]:
    """By time; the rest makes it the same order whatever order they came in."""
    said = (one.attribute, one.value, one.context, one.denies)
    return (one.at, one.episode_id, one.kind.value, one.session, one.topic, *said, one.counterparts)


def _same(one: Observation) -> tuple[object, ...]:
    if one.topic or one.start is not None:
        return ("calendar", one.topic.casefold(), one.at, one.start, one.cancelled)
    if one.value:
        return ("statement", one.episode_id, one.attribute, one.value, one.context, one.denies)
    return ("message", one.episode_id)


def _window(observations: Sequence[Observation], rules: PatternRules, now: datetime) -> list[Observation]:
    newest = max((one.at for one in observations if one.at <= now), default=now)
    since = newest - timedelta(days=rules.window_days)
    return [one for one in observations if one.at >= since]


def _found(
    observations: Sequence[Observation], detectors: Sequence[Detector], rules: PatternRules, now: datetime
) -> Found:
    found: Found = {}
    for detector in detectors:
        by_key: dict[str, list[Occasion]] = {}
        for one in detector.occasions(observations, rules, now):
            by_key.setdefault(one.key, []).append(one)
        for key, occasions in by_key.items():
            if any(one.speaks_for for one in occasions):
                found[detector.name, key] = _weighed(detector, key, occasions, rules)
    return found


def _weighed(detector: Detector, key: str, occasions: Sequence[Occasion], rules: PatternRules) -> Hypothesis:
    supports = _by_episode(one.observation for one in occasions if one.speaks_for)
    named = {one.episode_id for one in supports}
    against = _by_episode(one.observation for one in occasions if not one.speaks_for)
    against = tuple(one for one in against if one.episode_id not in named)
    label = min(one.label for one in occasions if one.speaks_for)
    share = len(supports) / (len(supports) + len(against))
    short = (
        *(["episodes"] if len(supports) < rules.min_episodes else []),
        *(["sessions"] if len({one.session for one in supports}) < rules.min_sessions else []),
        *(["share"] if share < rules.min_share else []),
    )
    return Hypothesis(
        detector=detector.name,
        key=key,
        label=label,
        sentence=detector.sentence(label),
        supports=supports,
        against=against,
        proven=not short,
        short_of=tuple(short),
    )


def _by_episode(observations: Iterable[Observation]) -> tuple[Observation, ...]:
    """One an episode, oldest first."""
    kept: dict[str, Observation] = {}
    for one in sorted(observations, key=lambda one: (one.at, one.episode_id, one.session)):
        kept.setdefault(one.episode_id, one)
    return tuple(kept.values())


__all__ = ["carries", "prove"]
