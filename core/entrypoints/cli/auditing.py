"""`chronomemory audit`: the chain verified, its rulings replayed, its entries written out. Needs no writer, nobody."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from core.amend import policy_of
from core.entrypoints.cli.frame import REFUSED, AsJson, Guarded
from core.entrypoints.cli.ground import ledger_reader, witnessed
from core.entrypoints.cli.screen import Screen
from core.gate import decide
from core.model import HeldItem
from core.moving.lines import dumped
from core.policy import Policy
from core.settings import Settings

app = typer.Typer(cls=Guarded, no_args_is_help=True, help="Verify, replay or write out the audit chain.")
MOST = 1_000_000  # rulings that a replay looks at
LISTED = 20


@app.command()
def verify(*, as_json: AsJson = False) -> None:
    """Recompute the whole chain and compare it with the head that the store witnessed."""
    screen, settings = Screen(as_json=as_json), Settings()
    head, why = witnessed(settings)
    with ledger_reader(settings) as ledger:
        report = ledger.verify(witnessed=head)
        keyed = ledger.keyed
    against = f"entry {head[0]}, as the store witnessed it" if head else f"no witness: {why}"
    screen.data(
        {
            "ok": report.ok,
            "entries": report.entries,
            "head": {"seq": report.head_seq, "hash": report.head_hash},
            "broken_seq": report.broken_seq,
            "problem": report.problem,
            "witness": {"seq": head[0], "hash": head[1]} if head else None,
            "no_witness": why,
            "keyed": keyed,
        }
    )
    if report.ok:
        screen.say(f"The chain verifies: {report.entries:,} entries, head {report.head_seq} {report.head_hash}")
        screen.say(f"Compared with {against}.")
        return
    screen.say(f"BROKEN at entry {report.broken_seq}: {report.problem}.")
    screen.say(f"Entries up to {report.head_seq} can be relied on. Compared with {against}.")
    screen.say("Restore a snapshot that verifies: `chronomemory restore SNAPSHOT`.")
    raise typer.Exit(REFUSED)


@app.command()
def replay(*, as_json: AsJson = False) -> None:
    """Rule again on all recorded evidence by the policy that ruled; every verdict must come out the same."""
    screen, settings = Screen(as_json=as_json), Settings()
    counts, differ = Counter[str](), list[dict[str, object]]()
    with ledger_reader(settings) as ledger:
        for tenant in ledger.tenants():
            policies = {one.digest: policy_of(one.body) for one in ledger.policy_versions(tenant, limit=MOST)}
            for item in ledger.ruled_by_policy(tenant, None, MOST):
                found = _again(item, policies)
                counts[found] += 1
                if found == "differs":
                    differ.append({"candidate_id": item.candidate.candidate_id, "verdict": item.decision.verdict.value})
    screen.data({"same": counts["same"], "differs": differ, "unknown_policy": counts["unknown"]})
    screen.say(f"{counts['same']:,} rulings come out the same, {counts['differs']:,} do not.")
    if counts["unknown"]:
        screen.say(
            f"{counts['unknown']:,} were made by a policy that this ledger does not keep, or are no longer whole."
        )
    for one in differ[:LISTED]:
        screen.say(f"  {one['candidate_id']} was {one['verdict']}")
    if differ:
        raise typer.Exit(REFUSED)


def _again(item: HeldItem, policies: dict[str, Policy]) -> str:
    recorded = item.decision
    policy = policies.get(recorded.policy_digest)
    if policy is None or item.candidate.text == "[purged]" or recorded.reasons[:1] == ("vouched_elsewhere",):
        return "unknown"
    made = decide(
        item.candidate, recorded.evidence, policy, at=recorded.at, by="policy", decision_id=recorded.decision_id
    )
    return "same" if (made.verdict, made.reasons) == (recorded.verdict, recorded.reasons) else "differs"


@app.command()
def export(
    file: Annotated[Path | None, typer.Argument(help="Where to; standard output if it is not given.")] = None,
) -> None:
    """Write every entry as a JSON line, oldest first; entries hold ids and digests, never words."""
    screen, settings = Screen(as_json=False), Settings()
    with ledger_reader(settings) as ledger:
        report = ledger.verify()
        if not report.ok:
            screen.note(f"The chain is broken at entry {report.broken_seq}: {report.problem}. It is written as it is.")
        out = file.open("xb") if file else sys.stdout.buffer
        try:
            for entry in ledger.every_entry():
                out.write(dumped(entry) + b"\n")
        finally:
            if file:
                out.close()
    screen.note(f"{report.entries:,} entries, head {report.head_seq} {report.head_hash}")
    if not report.ok:
        raise typer.Exit(REFUSED)


__all__ = ["app"]
