"""The judge: whether a new statement contradicts a memory (rules §3.1b), by a model or honestly by nobody.

A judge is an untrusted part: its word can open a conflict, never admit (rules §1.12). What it reads was written by
others and may try to speak to it; a statement talked out of being a contradiction is only not found, and one talked
into it still has to outrank the memory.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.errors import ModelReplyUnusable
from core.llm.roles import CallCounter
from core.llm.templates import render
from core.model import Opinion, Relation, sha256_text
from core.ports import ChatMessage, ChatModel, Pair
from core.wording import shown

ROLE = "judge"
PAIRS_A_CALL = 5  # rules §3.1b: the nearest five
_MAX_CHARS = 1_000  # of one statement, twice what an extractor makes: longer texts are no single facts

_RELATION: dict[str, Any] = {"type": "string", "enum": [str(relation) for relation in Relation]}
_RESULT: dict[str, Any] = {"task": {"type": "integer"}, "a_then_b": _RELATION, "b_then_a": _RELATION}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "results": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": _RESULT,
                "required": list(_RESULT),
                "additionalProperties": False,
            },
        }
    },
    "required": ["results"],
    "additionalProperties": False,
}
"""What the model must reply, in the strict form: every property required, no others."""


class NoJudge:
    """The judge of an installation without a model: it says nothing, and its empty name says that it did not judge."""

    judge_id = ""

    def judge(self, pairs: Sequence[Pair]) -> list[Opinion]:  # noqa: ARG002 - the port's signature
        """No opinion; what was not judged is counted by the caller (rules §1.12)."""
        return []


class ModelJudge:
    """Judge over the background model."""

    def __init__(
        self, model: ChatModel, counter: CallCounter, *, nonce: Callable[[], str] = lambda: secrets.token_hex(12)
    ) -> None:
        """Wire the parts.

        Args:
            model: the background role's chain.
            counter: told once a call who did the work.
            nonce: makes the marks around the statements, which they cannot know and so cannot close.
        """
        self._model = model
        self._counter = counter
        self._nonce = nonce

    @property
    def judge_id(self) -> str:
        """The model's name."""
        return self._model.model_id

    def judge(self, pairs: Sequence[Pair]) -> list[Opinion]:
        """One opinion a pair, in order.

        1. Each statement is shown without invisible characters, on one line, between marks it cannot know. 2. Both
        directions are asked for. 3. A contradiction stands only if both directions say so: it has no direction, so one
        that is seen from one side only is the model's slip. An entailment may go one way; one says more then.

        Raises:
            ModelUnavailable: the model did not answer.
            ModelReplyUnusable: a task is missing, doubled or was never set; nothing is taken from such a reply.
        """
        opinions: list[Opinion] = []
        for start in range(0, len(pairs), PAIRS_A_CALL):
            opinions += self._call(pairs[start : start + PAIRS_A_CALL])
        return opinions

    def _call(self, pairs: Sequence[Pair]) -> list[Opinion]:
        messages = self._messages(pairs)
        reply = self._model.complete_json(messages, SCHEMA)
        judge = self._model.model_id  # of the one in the chain that answered
        results = _by_task(reply, len(pairs))
        self._counter.count(ROLE, judge)
        digest = sha256_text("\n\n".join(message.content for message in messages))
        return [
            Opinion(
                memory_id=pair.memory_id,
                relation=_agreed(result),
                judge=judge,
                text=pair.memory,
                prompt_digest=digest,
            )
            for pair, result in zip(pairs, results, strict=True)
        ]

    def _messages(self, pairs: Sequence[Pair]) -> list[ChatMessage]:
        nonce = self._nonce()
        tasks = [
            render(
                "judge_pair",
                number=str(number),
                nonce=nonce,
                first=_line(pair.memory),
                second=_line(pair.candidate),
            )
            for number, pair in enumerate(pairs, start=1)
        ]
        return [
            ChatMessage(role="system", content=render("judge"), cache=True),
            ChatMessage(role="user", content="\n\n".join(tasks)),
        ]


def _by_task(reply: Mapping[str, Any], count: int) -> list[Mapping[str, Any]]:
    results = sorted(reply["results"], key=lambda result: int(result["task"]))
    if [result["task"] for result in results] != list(range(1, count + 1)):
        msg = f"the reply must hold one result for each task from 1 to {count}"
        raise ModelReplyUnusable(msg)
    return results


def _agreed(result: Mapping[str, Any]) -> Relation:
    said = {Relation(result["a_then_b"]), Relation(result["b_then_a"])}
    if said == {Relation.CONTRADICTION}:
        return Relation.CONTRADICTION
    entails = Relation.ENTAILMENT in said and Relation.CONTRADICTION not in said
    return Relation.ENTAILMENT if entails else Relation.NEUTRAL


def _line(text: str) -> str:
    return " ".join(shown(text).split())[:_MAX_CHARS]
