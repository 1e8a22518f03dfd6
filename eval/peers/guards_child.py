"""Memory guards from PyPI, each as its documentation shows it, asked about texts one by one; none needs a key.

What a guard makes of a text is put into one of four words: `in` (it would stand in memory as it is), `marked` (it
would stand there with a mark that its documentation keeps from privileged use), `held` (kept out, for a person) and
`refused`. Beside it stands whether a detector found something in the text itself, whatever its origin.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from wire import Cannot, serve, version_of

Judge = Callable[[str, str], tuple[str, bool]]  # (text, channel) to a word, and whether the text is suspected


def agent_memory_guard(*, persistence: bool) -> Judge:
    """OWASP Agent Memory Guard: `MemoryGuard(policy=Policy.strict())`, a fresh guard for each text.

    `persistence`: with the detector and the rule that its own benchmark calls hardened.
    """
    from agent_memory_guard import Action, MemoryGuard, Policy, PolicyViolation, SourceClass  # noqa: PLC0415
    from agent_memory_guard.detectors import MemoryPersistenceInjectionDetector as Persistence  # noqa: PLC0415
    from agent_memory_guard.detectors import (  # noqa: PLC0415
        PromptInjectionDetector,
        RapidChangeDetector,
        SensitiveDataDetector,
        SizeAnomalyDetector,
    )
    from agent_memory_guard.policies import PolicyRule  # noqa: PLC0415

    classes = {"user_turn": SourceClass.USER_INPUT, "agent_turn": SourceClass.AGENT_AUTHORED}

    def judge(text: str, channel: str) -> tuple[str, bool]:
        policy = Policy.strict()
        guard = MemoryGuard(policy=policy)
        if persistence:
            policy.rules.append(PolicyRule("block_persistence", "memory_persistence_injection", Action.BLOCK))
            usual = [PromptInjectionDetector(), SensitiveDataDetector(), SizeAnomalyDetector(), RapidChangeDetector()]
            guard = MemoryGuard(policy=policy, detectors=[*usual, Persistence()])
        try:
            action = guard.write("memory.note", text, source_class=classes.get(channel, SourceClass.EXTERNAL_TOOL))
        except PolicyViolation:
            return "refused", True
        return "held" if action is Action.QUARANTINE else "in", action is not Action.ALLOW

    return judge


def bastionmemory() -> Judge:
    """bastionmemory: the text as a Markdown memory file, `block` / `review` / `allow`."""
    from bastionmemory.loader import load_entries  # noqa: PLC0415
    from bastionmemory.scanner import scan_report  # noqa: PLC0415

    words = {"block": "refused", "review": "held", "allow": "in"}
    folder = Path(tempfile.mkdtemp(prefix="guard-"))

    def judge(text: str, _channel: str) -> tuple[str, bool]:
        file = folder / "MEMORY.md"
        file.write_text(text, encoding="utf-8")
        report = scan_report(str(file), load_entries(file))
        return words[report.verdict], bool(report.findings)

    return judge


def thymus() -> Judge:
    """Thymus: `screen` with the channel and the tier of trust that its documentation has for it."""
    import thymus as package  # noqa: PLC0415

    channels = {
        "user_turn": ("user_chat", "trusted"), "agent_turn": ("agent", "standard"),
        "tool_output": ("tool_output", "untrusted"), "web_content": ("web", "untrusted"),
        "external_doc": ("rag_doc", "untrusted"), "third_party": ("unknown", "untrusted"),
    }  # fmt: skip
    words = {"admit": "in", "tag": "marked", "quarantine": "held"}

    def judge(text: str, channel: str) -> tuple[str, bool]:
        source, tier = channels[channel]
        found = package.screen(text, channel=source, origin_trust_tier=tier)
        return words[found.verdict.value], any(flag != "untrusted_origin" for flag in found.taint_flags)

    return judge


def mnemosyne() -> Judge:
    """Mnemosyne guard: `guard_write` to the knowledge surface; a fresh gateway, so that no baseline is learned."""
    from mnemosyne import MemoryGateway, MemorySurface, Provenance  # noqa: PLC0415

    origins = {
        "user_turn": Provenance.USER_DIRECT, "agent_turn": Provenance.AGENT_DERIVED,
        "tool_output": Provenance.TOOL_OUTPUT, "web_content": Provenance.EXTERNAL_WEB,
        "external_doc": Provenance.UNTRUSTED_FILE, "third_party": Provenance.UNKNOWN,
    }  # fmt: skip
    words = {"allow": "in", "sanitize": "marked", "quarantine": "held", "deny": "refused"}

    def judge(text: str, channel: str) -> tuple[str, bool]:
        done = MemoryGateway().guard_write(
            content=text,
            surface=MemorySurface.KNOWLEDGE,
            provenance=origins[channel],
            namespace="measured",
            writer_id="agent",
        )
        return words[done.decision.value], bool(done.scan.findings)

    return judge


def memward() -> Judge:
    """Memward: `add`; what is below its tier for privileged retrieval counts as marked."""
    from memward import Memward, SourceType  # noqa: PLC0415
    from memward.adapters import InMemoryStore  # noqa: PLC0415
    from memward.types import TrustTier  # noqa: PLC0415

    sources = {
        "user_turn": SourceType.USER, "agent_turn": SourceType.AGENT_REFLECTION,
        "tool_output": SourceType.TOOL_OUTPUT, "web_content": SourceType.WEB_CONTENT,
        "external_doc": SourceType.WEB_CONTENT, "third_party": SourceType.UNKNOWN,
    }  # fmt: skip

    def judge(text: str, channel: str) -> tuple[str, bool]:
        done = Memward(InMemoryStore()).add(text, source=sources[channel])
        if done.quarantined:
            return "held", True
        kept = "in" if done.record.provenance.trust >= TrustTier.VERIFIED else "marked"
        return kept, done.screen.suspicious

    return judge


def memwall() -> Judge:
    """Memwall: its heuristics with its gateway's default: from `high` on a write is quarantined."""
    from memwall.heuristics import evaluate  # noqa: PLC0415
    from memwall.models import MemoryRecord  # noqa: PLC0415
    from memwall.policy import Policy  # noqa: PLC0415

    policy = Policy()

    def judge(text: str, channel: str) -> tuple[str, bool]:
        worst = evaluate(MemoryRecord(id="1", content=text, store="generic", source="memory")).max_severity
        if worst is None:
            return "in", False
        return "held" if worst >= policy.threshold_for(channel) else "marked", True

    return judge


GUARDS: Mapping[str, tuple[str, Callable[[], Judge]]] = {
    "agent-memory-guard": ("agent-memory-guard", lambda: agent_memory_guard(persistence=False)),
    "agent-memory-guard +p": ("agent-memory-guard", lambda: agent_memory_guard(persistence=True)),
    "bastionmemory": ("bastionmemory", bastionmemory),
    "thymus-ai": ("thymus-ai", thymus),
    "mnemosyne-guard": ("mnemosyne-guard", mnemosyne),
    "memward": ("memward", memward),
    "memwall": ("memwall", memwall),
}


class Guards:
    """Every guard of the environment."""

    def __init__(self) -> None:
        """None is loaded yet."""
        self._loaded: dict[str, Judge] = {}

    def about(self) -> dict[str, str]:
        """Their versions by name."""
        return {name: version_of(package) for name, (package, _) in GUARDS.items()}

    def judge(self, guard: str, rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, bool]]:
        """For each row's text and channel, a word and whether the text is suspected."""
        if guard not in GUARDS:
            msg = f"no guard is called {guard!r}"
            raise Cannot(msg)
        judge = self._loaded.setdefault(guard, GUARDS[guard][1]())
        return [judge(row["text"], row["channel"]) for row in rows]

    def close(self) -> None:
        """Nothing to close."""


if __name__ == "__main__":
    sys.exit(serve(Guards))
