"""Governed memory for LLM agents: the package behind the console."""
