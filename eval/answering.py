"""Answers to a question from an owner's memory: by the product's rules, or by its model where a key is set.

Nothing is written: the question is no turn of a chat, so that one question cannot teach the next.
"""

from __future__ import annotations

import re

from core.model import Scope
from core.ports import ChatMessage, ReplyContext
from core.recall import SessionLookup
from core.reply import RULES_HITS
from eval.installation import Installation

CONTEXT = 10  # memories that a model is shown
NOTHING = "No information available"  # how an answer declines in the words of LoCoMo's metric
_CITED = re.compile(r"\s*\[\d+\]")
_TOLD = re.compile(r"^(?:.{1,80}? wrote: |You said: )[“\"]?|[”\"]$")
# the instruction of LoCoMo's own evaluation, in this project's words
_SHORT = (
    "Answer the question from the memories alone, in a short phrase, in words of the memories where that is possible. "
    "Turn days such as yesterday into dates by the date of the memory. If the memories do not tell it, answer: "
    f"{NOTHING}."
)


def by_rules(made: Installation, scope: Scope, question: str) -> str:
    """What the product answers without a model, without its marks of citation; `NOTHING` where it cites no memory.

    The product declines in sentences of its own ("I don't know: …"), which the metric would take for a wrong answer.
    """
    chat = made.layer.chat.answerer
    found = made.layer.agent.recaller.recall(question, scope, k=RULES_HITS)
    context = ReplyContext(now=made.clock.now(), scope=scope, hits=found.hits)
    reply = chat.responder.reply(question, context, SessionLookup(inner=made.layer.store, conversation_id=""))
    return _CITED.sub("", reply.text).strip() if reply.cited else NOTHING


def first_memory(made: Installation, scope: Scope, question: str) -> str:
    """The words of the best memory as they stand: the plainest extractive answer; "" if nothing is recalled."""
    found = made.layer.agent.recaller.recall(question, scope, k=1)
    return _TOLD.sub("", found.hits[0].memory.text).strip() if found.hits else ""


def by_model(made: Installation, scope: Scope, question: str) -> str | None:
    """A short answer by the model of the conversation; None if there is none.

    Raises:
        ModelUnavailable: it does not answer.
    """
    model = made.layer.chat.answerer.model
    if model is None:
        return None
    found = made.layer.agent.recaller.recall(question, scope, k=CONTEXT)
    told = "\n".join(f"- ({hit.memory.stated_at:%d %B %Y}) {hit.memory.text}" for hit in found.hits)
    prompt = [ChatMessage(role="system", content=_SHORT), ChatMessage(role="user", content=f"{told}\n\n{question}")]
    return "".join(model.stream(prompt)).strip()
