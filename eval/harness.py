"""Twelve decisions a session over a made-up enterprise history, decided by the product: `make eval-harness`.

    python -m eval.harness [--seeds N] [--answers N] [--policy sustained] [--verbose]

For each seed one owner lives twenty weekly sessions (`eval.enterprise_history`): what is said goes through the real
write path, each claim by its own channel; then twelve questions are put to the memory, which says act, answer or ask;
then the owner answers at most `--answers` of the auditor's open questions with the truth. No model is called, the clock
is set, and nothing is drawn but from the seed: the output is the same on every run, as the last line shows, a digest of
every decision.

Beside it two memories that judge nothing and always act: the value stated last, and the one stated most often.

A whipsaw is a move of the believed value of one matter to a value that is not true at that time.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from core.intake import Submission
from core.model import Actor, Advice, SourceKind
from core.ports import NONE
from eval.enterprise_history import MATTERS, SESSIONS, START, WEEK, Channel, Claim, History, history
from eval.installation import Installation, installation
from eval.intervals import shown_rate
from eval.results import Row, measured, share, told, write

SEEDS = 6
ANSWERS = 2  # open questions that the owner answers after a session
APART = timedelta(hours=3)  # of the owners' sessions in one week: the clock never goes back
DEFAULT = Path(__file__).parents[1] / "core" / "policies" / "default.toml"
TOOLS = {Channel.TASKS: "task_tracker", Channel.ROSTER: "team_roster", Channel.CALENDAR: "calendar"}
RECORDS = f'{TOOLS[Channel.TASKS]} = "records", {TOOLS[Channel.ROSTER]} = "records", '


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """What was decided on one matter in one session, and what was true."""

    session: int
    matter: int
    advice: Advice
    believed: str  # "" when nothing is remembered
    true: str

    @property
    def right(self) -> bool:
        """Whether the believed value is the true one."""
        return self.believed == self.true


@dataclass(kw_only=True)
class Run:
    """One seed with its decisions, and those of the two baselines."""

    told: History
    decided: list[Decision] = field(default_factory=list)
    last: list[Decision] = field(default_factory=list)
    majority: list[Decision] = field(default_factory=list)
    answered: int = 0
    open: int = 0


def policy_text(kind: str) -> str:
    """The default policy with the two systems of record in its registry, and another way to settle contradictions."""
    text = DEFAULT.read_text(encoding="utf-8")
    text, tools = re.subn(r"registry = \{ ", "registry = { " + RECORDS, text, count=1)
    text, rule = re.subn(r'(?m)^policy = "newest"', f'policy = "{kind}"', text, count=1)
    if not tools or not rule:
        msg = "the default policy has no tool registry or no conflict policy where they were"
        raise RuntimeError(msg)
    return text


# --- living ---------------------------------------------------------------------------------------------------------


def tell(made: Installation, owner: Actor, claim: Claim) -> None:
    """One claim by its channel, and through the write path."""
    conversation = f"{owner.username}-week-{claim.session}"
    if claim.channel is Channel.NOTES:
        made.layer.chat.attach_file(owner, conversation, name=f"notes-{claim.session}.md", data=claim.text.encode())
    else:
        kind = {Channel.CHAT: SourceKind.USER_TURN, Channel.MAIL: SourceKind.THIRD_PARTY}.get(
            claim.channel, SourceKind.TOOL_OUTPUT
        )
        made.layer.agent.submit(
            Submission(
                scope=owner.scope,
                conversation_id=conversation,
                channel=kind,
                text=claim.text,
                actor=owner.user_id if kind is SourceKind.USER_TURN else claim.speaker or TOOLS[claim.channel],
                source_ref=claim.speaker or TOOLS.get(claim.channel, f"conversation {conversation}"),
                tool=TOOLS.get(claim.channel, ""),
            )
        )
    made.layer.drain()


def decide(made: Installation, owner: Actor, told: History, session: int, matter: int) -> Decision:
    """One question by the agent's own way."""
    counsel = made.layer.agent.ask(MATTERS[matter].question, owner.scope).counsel
    return Decision(
        session=session,
        matter=matter,
        advice=counsel.advice,
        believed=value_in(matter, counsel.memory.text) if counsel.memory else "",
        true=told.true(matter, session),
    )


def value_in(matter: int, text: str) -> str:
    """The value that a memory names, if it is about the matter; "" otherwise."""
    what = MATTERS[matter]
    about = what.subject.lower() in text.lower()
    named = [one for one in what.values if re.search(rf"(?i)\b{re.escape(one)}\b", text.replace(",", ""))]
    return named[0] if about and len(named) == 1 else ""


def answer(made: Installation, owner: Actor, told: History, session: int, most: int) -> int:
    """The owner answers the oldest open questions truthfully; returns how many."""
    done = 0
    for asked in made.layer.questions.waiting(owner)[:most]:
        matter = next(
            (at for at, what in enumerate(MATTERS) if what.subject.lower() == asked.subject.lower()),
            None,
        )
        if matter is None:
            continue
        true = told.true(matter, session)
        right = next((one.name for one in asked.options if value_in_option(one.value, true)), NONE)
        made.layer.questions.answer(owner, asked.question_id, right, seen_version=asked.question.version)
        made.layer.drain()
        done += 1
    return done


def value_in_option(shown: str, true: str) -> bool:
    """Whether an option is the true value; figures may have come back with a comma."""
    return shown.replace(",", "").strip().lower() == true.lower()


def live(made: Installation, seeds: Sequence[int], answers: int) -> list[Run]:
    """All seeds, week by week, so that the clock only goes forward."""
    runs = [Run(told=history(seed)) for seed in seeds]
    owners = [made.person(f"owner{run.told.seed}") for run in runs]
    for session in range(1, SESSIONS + 1):
        for number, (run, owner) in enumerate(zip(runs, owners, strict=True)):
            begins = START + WEEK * (session - 1) + APART * number
            for claim in (one for one in run.told.claims if one.session == session):
                made.clock.at = claim.at + APART * number
                tell(made, owner, claim)
            made.clock.at = begins + APART * 0.9
            for matter in range(len(MATTERS)):
                run.decided.append(decide(made, owner, run.told, session, matter))
            made.layer.drain()
            run.answered += answer(made, owner, run.told, session, answers)
    for run, owner in zip(runs, owners, strict=True):
        run.open = len(made.layer.questions.waiting(owner))
        run.last, run.majority = list(baseline(run.told, last)), list(baseline(run.told, majority))
    return runs


# --- the two memories that decide nothing -----------------------------------------------------------------------------


def last(values: Sequence[str]) -> str:
    """The value that was stated last."""
    return values[-1]


def majority(values: Sequence[str]) -> str:
    """The value that was stated most often; of equals the later one."""
    counts = Counter(values)
    return max(counts, key=lambda one: (counts[one], len(values) - values[::-1].index(one)))


def baseline(told: History, choose: Callable[[Sequence[str]], str]) -> Iterator[Decision]:
    """Decisions by every claim so far, whoever made it; acts whenever there is one."""
    for session in range(1, SESSIONS + 1):
        for matter in range(len(MATTERS)):
            said = [one.value for one in told.claims if one.matter == matter and one.session <= session]
            believed = choose(said) if said else ""
            yield Decision(
                session=session,
                matter=matter,
                advice=Advice.ACT if said else Advice.ASK,
                believed=believed,
                true=told.true(matter, session),
            )


# --- counting -------------------------------------------------------------------------------------------------------


def whipsaws(decided: Sequence[Decision]) -> int:
    """How often a belief moved to a value that was not true at that time."""
    count = 0
    for matter in range(len(MATTERS)):
        mine = [one for one in decided if one.matter == matter and one.believed]
        count += sum(
            before.believed != after.believed and not after.right for before, after in itertools.pairwise(mine)
        )
    return count


def precision(decided: Sequence[Decision]) -> tuple[int, int]:
    """Right among those acted on, and how many those are."""
    acted = [one for one in decided if one.advice is Advice.ACT]
    return sum(one.right for one in acted), len(acted)


def report(runs: Sequence[Run], *, verbose: bool) -> str:
    """The table, and the digest of all decisions."""
    lines = []
    for run in runs:
        lines.append(
            f"seed {run.told.seed}: {len(run.told.claims)} claims, {run.answered} questions answered, "
            f"{run.open} open at the end"
        )
        by_session = [
            sum(one.right for one in run.decided if one.session == session) / len(MATTERS)
            for session in range(1, SESSIONS + 1)
        ]
        lines.append("   accuracy by session  " + " ".join(f"{one:.2f}".lstrip("0") or "0" for one in by_session))
        for name, decided in (("product", run.decided), ("last wins", run.last), ("majority", run.majority)):
            lines.append("   " + _line(name, decided))
        if verbose:
            lines += [
                f"      acted wrongly: session {one.session}, {MATTERS[one.matter].subject}: "
                f"{one.believed or 'nothing'} instead of {one.true}"
                for one in run.decided
                if one.advice is Advice.ACT and not one.right
            ]
    lines.append("all seeds")
    for name in ("decided", "last", "majority"):
        every = [one for run in runs for one in getattr(run, name)]
        shown = {"decided": "product", "last": "last wins", "majority": "majority"}[name]
        lines.append("   " + _line(shown, every, whips=sum(whipsaws(getattr(run, name)) for run in runs)))
        right, acted = precision(every)
        lines.append(f"      right when acting {shown_rate(right, acted)}")
    everything = json.dumps(
        [
            [run.told.seed, one.session, one.matter, one.advice.value, one.believed]
            for run in runs
            for one in run.decided
        ]
    )
    lines.append(f"digest of all decisions: sha256 {hashlib.sha256(everything.encode()).hexdigest()[:32]}")
    return "\n".join(lines)


def _line(name: str, decided: Sequence[Decision], *, whips: int | None = None) -> str:
    right, acted = precision(decided)
    asked = sum(one.advice is Advice.ASK for one in decided)
    accurate = sum(one.right for one in decided) / len(decided)
    return (
        f"{name:<10} accuracy {accurate:.3f}  acts {acted}/{len(decided)} ({acted / len(decided):.2f}), "
        f"right when acting {right}/{acted} ({right / acted if acted else 0:.4f})  asks {asked / len(decided):.2f}  "
        f"whipsaws {whipsaws(decided) if whips is None else whips}"
    )


def figures(runs: Sequence[Run]) -> list[Row]:
    """For the results file: the product and the two memories that decide nothing."""
    rows: list[Row] = []
    for name, which in (("product", "decided"), ("last wins", "last"), ("majority", "majority")):
        every = [one for run in runs for one in getattr(run, which)]
        right, acted = precision(every)
        own = name == "product"
        rows += [
            share(
                f"{name}: right when acting", right, acted,
                aim="all" if own else "", met=0 < acted == right if own else None,
            ),
            share(
                f"{name}: acts, of decisions", acted, len(every),
                aim="at least half" if own else "", met=acted * 2 >= len(every) if own else None,
            ),
            Row(claim=f"{name}: accuracy", figure=sum(one.right for one in every) / len(every), n=len(every)),
            Row(claim=f"{name}: whipsaws", figure=sum(whipsaws(getattr(run, which)) for run in runs), n=len(every)),
        ]  # fmt: skip
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; exit status 0 if no act was wrong and at least half of the decisions were acts."""
    parser = argparse.ArgumentParser(prog="python -m eval.harness", description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--answers", type=int, default=ANSWERS, help="open questions answered after a session, at most")
    parser.add_argument("--policy", default="sustained", help="how contradictions are settled: see the policy file")
    parser.add_argument("--verbose", action="store_true", help="name every wrong act")
    parser.add_argument("--out", type=Path, help="write the figures here as JSON")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="chronomemory-harness-") as folder:
        policy = Path(folder) / "policy.toml"
        policy.write_text(policy_text(given.policy), encoding="utf-8")
        with installation(at=START - timedelta(days=1), chronomemory_policy=policy) as made:
            runs = live(made, range(given.seeds), given.answers)
    print(report(runs, verbose=given.verbose))
    if given.out:
        seeds = f"0 to {given.seeds - 1}"
        write(measured("harness", told("eval.harness", arguments), figures(runs), seed=seeds), given.out)
    right, acted = precision([one for run in runs for one in run.decided])
    total = sum(len(run.decided) for run in runs)
    return 0 if acted and right == acted and acted * 2 >= total else 1


if __name__ == "__main__":
    sys.exit(main())
