"""The words of an import on the screen."""

from __future__ import annotations

from core.ports import ImportRun, ImportState, Outcome

ANY = (
    "Notes (.md or a .zip of a folder), a calendar (.ics), mail (.mbox, .eml), a chat export (.zip), a table (.csv, "
    ".jsonl), memories of mem0 (.json)."
)
HELD = (
    "What is held waits on the Review page in one group, to be promoted together after a look. A file cannot speak for "
    "its owner: nobody can tell from it who wrote it."
)
PARTS = {
    "markdown": "Notes",
    "ics": "Events",
    "mail": "Messages",
    "chat_user": "Your part of the chats",
    "chat_agent": "The assistant's part",
    "rows": "Rows",
    "mem0": "Memories of mem0",
}
OUTCOMES = {
    Outcome.NEW: "New",
    Outcome.CHANGED: "Changed",
    Outcome.UNCHANGED: "Known",
    Outcome.BROKEN: "Broken",
    Outcome.REFUSED: "Refused",
}
ENDS = {
    ImportState.WAITING: ("Bringing in a file", "info"),
    ImportState.RUNNING: ("Bringing in a file", "info"),
    ImportState.DONE: ("The file is in", "good"),
    ImportState.STOPPED: ("The import was stopped", "warn"),
    ImportState.FAILED: ("The file could not be taken in", "warn"),
}


def said(run: ImportRun) -> str:
    """What a finished import comes to, in a sentence."""
    taken = run.counts.get(Outcome.NEW, 0) + run.counts.get(Outcome.CHANGED, 0)
    left = run.counts.get(Outcome.BROKEN, 0) + run.counts.get(Outcome.REFUSED, 0)
    rest = f" {left:,} could not be taken: the list says why." if left else ""
    return f"{taken:,} of {run.done:,} entries of “{run.name}” were taken in and are read by and by.{rest}"
