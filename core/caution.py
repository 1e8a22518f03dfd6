"""What becomes of an answer that is not sure enough: it asks, and says so (rules §5.2). Reads only."""

from __future__ import annotations

from typing import Any

from core.advice import of_answer
from core.confidence import Counsel
from core.model import Advice
from core.policy import Policy
from core.ports import Doubt, MemoryReader, Reply, ReplyContext, Responder
from core.recall import in_scope, of_session


def answer_counsel(
    reply: Reply, store: MemoryReader, context: ReplyContext, policy: Policy, conversation_id: str
) -> Counsel:
    """What an agent may do with an answer, by the memories that it cites (rules §5.2).

    Raises:
        StoreUnavailable: their slots cannot be read right now.
    """
    return of_answer(
        reply.cited,
        store,
        context.now,
        policy,
        fits=lambda one: in_scope(one, context.scope, context.now) and of_session(one, conversation_id),
    )


def with_doubt(responder: Responder, message: str, context: ReplyContext, reply: Reply, counsel: Counsel) -> Reply:
    """An answer that ends in a question where its memories compete or are not sure enough; else as it is."""
    if counsel.memory is None or counsel.advice is not Advice.ASK:
        return reply
    doubted = Doubt(memories=(counsel.memory, *(one.memory for one in counsel.rivals)))
    return responder.asking(message, context, reply, doubted)


def advice_detail(counsel: Counsel, policy: Policy) -> dict[str, Any]:
    """A counsel as it is kept with an answer: ids, figures and limits, and the words of memories that compete."""
    limits = policy.confidence
    return {
        "act_from": limits.act_from,
        "act_trust": limits.act_trust,
        "answer_from": limits.answer_from,
        "competing_within": limits.competing_within,
        "advice": counsel.advice.value,
        "because": counsel.because.value,
        "memory_id": counsel.memory.memory_id if counsel.memory else "",
        "text": counsel.memory.text if counsel.memory else "",
        "value": counsel.confidence.value if counsel.confidence else 0.0,
        "rivals": [
            {"memory_id": one.memory.memory_id, "text": one.memory.text, "value": one.confidence.value}
            for one in counsel.rivals
        ],
        "waiting": list(counsel.waiting),
    }


__all__ = ["advice_detail", "answer_counsel", "with_doubt"]
