"""Rooms that are built with the layer and that no measurement runs, each with its reason.

One bootstrap wires everything; without this list every figure would hang on every screen and connector. A room counts
again for a command that names it among its roots. `tests/integration/test_eval_aside.py` runs a measured path under a
profiler and looks that nothing here did more than start and find nothing to do.
"""

from __future__ import annotations

from collections.abc import Mapping

ASIDE: Mapping[str, str] = {
    "console": "the screens; named by the commands that measure them",
    "pages": "the screens; named by the commands that measure them",
    "demo": "a made-up history",
    "core.entrypoints": "programs and the command line; named by the commands that measure them",
    "core.client": "the other side of the interface",
    "core.imports": "outside files; named by the command that measures them",
    "core.connectors": "outside files; named by the command that measures them",
    "core.wiring_imports": "outside files",
    "core.moving": "export and import of a whole memory",
    "core.wiring_moving": "export and import of a whole memory",
    "core.webhooks": "tells others what happened",
    "core.wiring_webhooks": "tells others what happened",
    "core.items": "values that an agent keeps under keys",
    "core.operatorkeys": "a person's own programs",
    "core.corpus": "the small contract's one memory",
    "core.insight": "charts",
    "core.curve": "charts",
    "core.survival": "charts",
    "core.demo_folder": "keeps made-up and real data apart",
    "core.erasure": "an act of a person that no measurement does",
    "core.rejudge": "an act of a person that no measurement does",
    "core.replay": "an act of a person that no measurement does",
    "core.keyhistory": "an act of a person that no measurement does",
    "core.proofs": "an act of a person that no measurement does",
    "core.modeldesk": "how models fare",
    "core.notify": "notices of a long queue",
    "core.sandbox": "stories tried without writing",
    "core.lastwins": "an answer beside that of a last-wins memory",
    "core.sides": "an answer beside that of a last-wins memory",
    "core.history": "versions and uses of a memory, for its drawer",
    "core.chats": "the list of chats",
    "core.ledger.copying": "a copy of the ledger",
    "core.ledger_pg": "the ledger in a database; named by the command that measures it",
    "core.ledger.snapshot": "a copy of the ledger",
    "core.ledger.tamper": "a damaged copy for the proofs",
    "core.ledger.transfer": "export and import of a whole memory",
    "core.ledger.transferwrites": "export and import of a whole memory",
    "core.ledger.insight": "charts",
    "core.ledger.items": "values that an agent keeps under keys",
    "core.ledger.imports": "outside files; named by the command that measures them",
    "core.store.insight": "charts",
    "core.store.operators": "a person's own programs",
    "eval.aside": "how figures are written down",
    "eval.modules": "how figures are written down",
    "eval.results": "how figures are written down",
    "eval.digests": "how figures are written down",
    "eval.registry": "how figures are written down",
    "eval.tables": "how figures are written down",
    "eval.figures": "how figures are written down",
    "eval.pictures": "how figures are written down",
    "eval.proof": "how figures are written down",
    "eval.intervals": "how figures are written down; its formula is tested",
}
