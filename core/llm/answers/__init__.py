"""The responder for the mode without a language model: natural sentences made from recalled facts, with citations."""

from core.llm.answers.responder import RulesResponder

__all__ = ["RulesResponder"]
