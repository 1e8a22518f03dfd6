"""The extractor without a model: reads facts out of text by rules (rules §7.1)."""

from core.llm.rules.extractor import RulesExtractor

__all__ = ["RulesExtractor"]
