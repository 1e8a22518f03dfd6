"""Every measuring command by name: how it is run, what it needs, and which code its figures are of.

A new one is a row here: its program takes `--out FILE` and writes what `eval.results.measured` makes. `eval.proof` runs
the rows, `eval.figures` checks what they wrote. An aim that is known to be missed is named here with the reason: it is
printed as MISSED all the same, but does not fail the run. A program that starts others names them among its roots:
they are not found by following imports.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True, slots=True)
class Measure:
    """One command.

    Attributes:
        name: of its result, `eval/measured/<name>.json`.
        title: what it measures, for people.
        run: the program and its arguments, {name} for the path of a file of `data`; empty where a figure was a first
            look that cannot be repeated.
        command: what a stranger types.
        roots: modules whose code the figures are of.
        minutes: about how long it takes on two cores.
        data: names of files that are looked for under the folder of data.
        needs: a module, "chromium", or "peers" for the peers' environments, without which it is left out.
        known: aims that are known to be missed, by claim, and why.
    """

    name: str
    title: str
    run: tuple[str, ...]
    command: str
    roots: tuple[str, ...]
    minutes: float
    data: tuple[str, ...] = ()
    needs: str = ""
    known: Mapping[str, str] = field(default_factory=dict)

    @property
    def again(self) -> str:
        """What measures it anew and keeps the figures."""
        if not self.run:
            return "cannot be: it was a first look"
        return f"make eval ONLY={self.name}{' DATA=folder' if self.data else ''}"

    @property
    def quick(self) -> bool:
        """Whether `make eval` runs it, where its data is there."""
        return self.minutes <= QUICK_MINUTES and self.needs != "peers"


QUICK_MINUTES = 4.0
_CORPUS = "poisoning_corpus.jsonl"
_SLOW_MACHINE = "never met on two shared cores"
_BEAM = "half of the updates are told in words that rules cannot tie to what they update, or are not recalled"
_TAB = "an empty Streamlit page misses it too"
_KEY = "a run of the script and its painting take most of it"
_OVER_HTTP = "80 a second lies within the swing of a shared machine: 74 and 86 in two runs"

_OUT_OF_MANY: Mapping[str, str] = {
    f"recall@10 against exact, {owner}, at 1,000,000": "near-duplicate vectors; a search six times as wide gave .988"
    for owner in ("heavy owner of 400,000", "middle owner of 100,000")
}

MEASURES: tuple[Measure, ...] = (
    Measure(
        name="everyday",
        title="everyday conversations without a model, the set that was read while writing",
        run=("eval.everyday_product", "--cases", "{everyday.jsonl}"),
        command="make eval-everyday CASES=…/everyday.jsonl",
        roots=("eval.everyday_product",),
        minutes=2,
        data=("everyday.jsonl",),
    ),
    Measure(
        name="everyday-unseen",
        title="everyday conversations without a model, the set never seen while writing, first run on it",
        run=(),
        command="make eval-everyday CASES=…",
        roots=("eval.everyday_product",),
        minutes=2,
    ),
    Measure(
        name="everyday-unseen-mended",
        title="the same set after its false learnings were mended",
        run=("eval.everyday_product", "--cases", "{everyday_unseen.jsonl}"),
        command="make eval-everyday CASES=…",
        roots=("eval.everyday_product",),
        minutes=2,
        data=("everyday_unseen.jsonl",),
    ),
    Measure(
        name="hard-cases",
        title="hard cases with expected results, one test each",
        run=("eval.hard_cases", "--cases", "{memory_cases.jsonl}"),
        command="make eval-cases CASES=folder",
        roots=("eval.hard_cases", "tests.cases.*", "core.*"),
        minutes=5,
        data=("memory_cases.jsonl", "poisoning_cases.jsonl"),
    ),
    Measure(
        name="poisoning",
        title="published attack texts through their own channel, and benign ones; nothing promoted",
        run=("eval.poisoning", "--corpus", "{poisoning_corpus.jsonl}", "--launder", "0"),
        command="make eval-poisoning CORPUS=… LAUNDER=0",
        roots=("eval.poisoning",),
        minutes=8,
        data=(_CORPUS,),
    ),
    Measure(
        name="laundering",
        title="all attack texts laundered six ways, one to three hops",
        run=("eval.poisoning", "--corpus", "{poisoning_corpus.jsonl}", "--launder", "737"),
        command="make eval-poisoning CORPUS=… LAUNDER=737",
        roots=("eval.poisoning",),
        minutes=80,
        data=(_CORPUS,),
    ),
    Measure(
        name="integrity",
        title="the public suite agent-memory-integrity: edits at rest and the front door",
        run=("eval.integrity",),
        command="make eval-integrity",
        roots=("eval.integrity",),
        minutes=2,
        needs="agmi",
    ),
    Measure(
        name="harness",
        title="twelve decisions a session over a made-up enterprise history, policy `sustained`, no model",
        run=("eval.harness",),
        command="make eval-harness",
        roots=("eval.harness",),
        minutes=3,
    ),
    Measure(
        name="ladder",
        title="from flat vectors to the full product, a rung an idea",
        run=("eval.ladder",),
        command="make eval-ladder",
        roots=("eval.ladder",),
        minutes=2,
    ),
    Measure(
        name="reviewer-load",
        title="what a generated month leaves for a reviewer",
        run=("eval.reviewer_load",),
        command="make eval-load",
        roots=("eval.reviewer_load",),
        minutes=3,
    ),
    Measure(
        name="review-sitting",
        title="a scripted sitting of two reviewers",
        run=("eval.review_sitting",),
        command="make eval-review",
        roots=("eval.review_sitting",),
        minutes=1.5,
    ),
    Measure(
        name="locomo",
        title="retrieval on LoCoMo: messages through the write path, questions through the product's recall",
        run=("eval.locomo", "--data", "{locomo10.json}"),
        command="make eval-locomo DATA=…/locomo10.json",
        roots=("eval.locomo",),
        minutes=20,
        data=("locomo10.json",),
        known={
            f"LoCoMo {figure}, {policy}, all": "floors of .63, .72, .79 and .53 are met; the aim needs a learned ranker"
            for figure in ("recall@5", "recall@10", "recall@20", "MRR@10")
            for policy in ("default policy", "decay off")
        },
    ),
    Measure(
        name="beam",
        title="BEAM-100K: messages recalled by the product's recall, and knowledge updates",
        run=("eval.beam", "--data", "{beam_100k.jsonl.gz}"),
        command="make eval-beam DATA=…/beam_100k.jsonl.gz",
        roots=("eval.beam",),
        minutes=8,
        data=("beam_100k.jsonl.gz",),
        known={
            f"BEAM-100K {figure}, {policy}": _BEAM
            for figure in ("new above stale", "stale in the top five")
            for policy in ("default policy", "decay off")
        },
    ),
    Measure(
        name="answers",
        title="token-F1 of answers on LoCoMo by its authors' metric, with a model when a key is set",
        run=("eval.answers", "--data", "{locomo10.json}"),
        command="make eval-answers DATA=…/locomo10.json",
        roots=("eval.answers",),
        minutes=25,
        data=("locomo10.json",),
    ),
    *(
        Measure(
            name=f"longmemeval-{turns}",
            title=f"LongMemEval's format beside plain RAG, turns {how}; one instance, which is a check of the format",
            run=("eval.longmemeval", "--data", "{longmemeval_s_one_instance.json}", "--turns", turns),
            command=f"make eval-longmemeval DATA=…/longmemeval_s_one_instance.json TURNS={turns}",
            roots=("eval.longmemeval",),
            minutes=1,
            data=("longmemeval_s_one_instance.json",),
        )
        for turns, how in (("extracted", "through extraction"), ("raw", "as they are"))
    ),
    Measure(
        name="scale",
        title="speed by the memories in all, to a million",
        run=("eval.scale", "--sizes", "1000,10000,100000,1000000"),
        command="make eval-scale SIZES=1000,10000,100000,1000000",
        roots=("eval.scale",),
        minutes=70,
        known=_OUT_OF_MANY,
    ),
    Measure(
        name="soak",
        title="an hour of mixed load with a kill every minute",
        run=("eval.soak",),
        command="make eval-soak",
        roots=("eval.soak", "core.entrypoints.cli", "core.entrypoints.programs"),
        minutes=65,
    ),
    Measure(
        name="rolling",
        title="two consoles and two workers of one installation, restarted in turn under load, its ledger on Postgres",
        run=("eval.rolling",),
        command="make eval-rolling",
        roots=(
            "eval.rolling",
            "core.ledger_pg.*",
            "core.entrypoints.cli",
            "core.entrypoints.programs",
            "core.entrypoints.worker",
        ),
        minutes=12,
    ),
    Measure(
        name="import",
        title="outside files that nobody wrote for this project",
        run=("eval.import_real", "{outside_files}"),
        command="make eval-import PATHS=…",
        roots=("eval.import_real", "core.connectors.*"),
        minutes=5,
        data=("outside_files",),
    ),
    Measure(
        name="guards",
        title="memory guards beside the gate, on the same texts",
        run=("eval.guards", "--corpus", "{poisoning_corpus.jsonl}", "--every", "3"),
        command="make eval-guards CORPUS=… EVERY=3",
        roots=("eval.guards", "eval.peers.guards_child"),
        minutes=15,
        data=(_CORPUS,),
        needs="peers",
    ),
    Measure(
        name="adaptive",
        title="an attacker that sees each verdict and rewrites, 20 tries by seven ways in",
        run=("eval.adaptive", "--corpus", "{poisoning_corpus.jsonl}", "--attacks", "7"),
        command="make eval-adaptive CORPUS=… ATTACKS=7",
        roots=("eval.adaptive",),
        minutes=8,
        data=(_CORPUS,),
    ),
    Measure(
        name="peers",
        title="other memory layers beside this one, same encoder, no language model",
        run=("eval.peers.run",),
        command="make eval-peers",
        roots=("eval.peers.run", "eval.peers.product_child"),
        minutes=60,
        needs="peers",
        known={"product: stale@5, changing facts": "what rules do not read as an update stands beside the old value"},
    ),
    Measure(
        name="bench",
        title="recall, judging, writing and start-up",
        run=("eval.bench",),
        command="make bench",
        roots=("eval.bench", "app", "core.entrypoints.programs"),
        minutes=6,
        known={
            "recall at 10,000 memories: sql": _SLOW_MACHINE,
            "recall at 100,000 memories: sql": _SLOW_MACHINE,
        },
    ),
    Measure(
        name="bench-api",
        title="recall over HTTP",
        run=("eval.bench_api", "--seconds", "8", "--runs", "2"),
        command="python -m eval.bench_api --seconds 8 --runs 2",
        roots=("eval.bench_api", "eval.api_load", "core.entrypoints.cli", "core.entrypoints.programs"),
        minutes=12,
        known={"500 memories, 32 clients, different questions: requests a second": _OVER_HTTP},
    ),
    Measure(
        name="bench-console",
        title="the console with 10,000 held items and 100,000 memories",
        run=("eval.bench_console", "--runs", "6", "--keys", "12", "--seconds", "45"),
        command="python -m eval.bench_console --runs 6 --keys 12 --seconds 45",
        roots=("eval.bench_console", "app", "console.*", "pages.*"),
        minutes=20,
        needs="chromium",
        known={"a new tab until it can be used": _TAB, "a key until the answer is painted": _KEY},
    ),
)


def measure(name: str) -> Measure:
    """The row of that name.

    Raises:
        LookupError: there is none.
    """
    found = next((one for one in MEASURES if one.name == name), None)
    if found is None:
        msg = f"no measurement {name!r}; there are {', '.join(one.name for one in MEASURES)}"
        raise LookupError(msg)
    return found


def known(name: str, claim: str) -> str:
    """Why a missed aim of a claim is known, "" if it is not; a reason may be given for all claims of a section."""
    reasons = next((one.known for one in MEASURES if one.name == name), {})
    return reasons.get(claim) or reasons.get(claim.partition(":")[0], "")
