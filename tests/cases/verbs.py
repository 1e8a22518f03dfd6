"""What the steps of a memory case do: one small function a verb, over `World`."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from core.errors import NotAuthorised, NotFound
from core.model import Actor, MemoryKind, MemoryStatus, Role, Ruling, RulingKind, SourceKind
from tests.cases.runner import CHANNELS, TODAY, World, moment

Step = dict[str, Any]
VERBS: dict[str, Callable[[World, Step], Any]] = {}
PAGE = "https://page.example/one"
INGEST = 900  # what an ingest route brings in is no part of a person's chat
OUTSIDE = frozenset({SourceKind.WEB_CONTENT, SourceKind.EXTERNAL_DOC, SourceKind.THIRD_PARTY})


def verb(function: Callable[[World, Step], Any]) -> Callable[[World, Step], Any]:
    VERBS[function.__name__] = function
    return function


def run_steps(world: World, steps: list[Step]) -> None:
    """Every step in order, each at its moment.

    A step that names none happens just before the next one that does, or, after the last of these, today.
    """
    for index, step in enumerate(steps):
        world.at(when(world, step, steps[index + 1 :]))
        VERBS[step["op"]](world, step)


def when(world: World, step: Step, later: list[Step]) -> Any:
    if "at" in step:
        return moment(step["at"])
    coming = [moment(one["at"]) for one in later if "at" in one]
    start = coming[0] - timedelta(hours=1) if coming else TODAY
    return max(start, world.now() + timedelta(minutes=1)) if world.episodes else start


def who(step: Step) -> str:
    return str(step.get("user") or step.get("as_user") or "u1")


def text_of(step: Step) -> str:
    """The step's words; `text_gen` is a Python expression of literals and operators that makes long ones."""
    if "text_gen" not in step:
        return str(step["text"])
    return str(eval(step["text_gen"], {"__builtins__": {}}))  # noqa: S307 - an expression of the case file, no names


@verb
def chat(world: World, step: Step) -> None:
    world.say(who(step), text_of(step))


@verb
def write(world: World, step: Step) -> None:
    channel = CHANNELS[step["provenance"]]
    expires = moment(step["expires_at"]) if "expires_at" in step else None
    if "ttl_s" in step:
        expires = world.now() + timedelta(seconds=step["ttl_s"])
    origin = step.get("origin", "")
    episode = world.submit(
        who(step),
        channel,
        text_of(step),
        session=INGEST if channel in OUTSIDE else None,
        source_ref=f"https://{origin}/" if origin else _ref(channel),
        tool=step.get("tool", "inventory") if channel is SourceKind.TOOL_OUTPUT else "",
        derived_from=step.get("derived_from", ()),
        expires_at=expires,
    )
    if "id" in step:
        world.named[step["id"]] = episode


def _ref(channel: SourceKind) -> str:
    return {
        SourceKind.WEB_CONTENT: PAGE,
        SourceKind.EXTERNAL_DOC: "handbook.pdf",
        SourceKind.TOOL_OUTPUT: "tool run",
        SourceKind.THIRD_PARTY: "mail from a partner",
    }.get(channel, "")


@verb
def recall(world: World, step: Step) -> None:
    as_of = moment(step["as_of"]) if "as_of" in step else None
    world.recall(who(step), step["query"], k=step.get("k"), as_of=as_of)


@verb
def new_session(world: World, step: Step) -> None:
    world.session += 1
    world.wait(days=1)


@verb
def open_session(world: World, step: Step) -> None:
    world.say(who(step), "Hello there.")


@verb
def repeat(world: World, step: Step) -> None:
    for _ in range(step["n"]):
        world.wait(minutes=1)
        VERBS[step["step"]["op"]](world, step["step"])


@verb
def series(world: World, step: Step) -> None:
    for number in range(1, step["n"] + 1):
        world.wait(minutes=1)
        world.say(who(step), step["template"].format(i=number))


@verb
def seed(world: World, step: Step) -> None:
    """So many unlike facts of the owner's own."""
    for number in range(step["n"]):
        noun, verb_, place = NOUNS[number % 10], VERBS_[number // 10 % 10], PLACES[(number + number // 10) % 10]
        world.submit(who(step), SourceKind.USER_TURN, f"My {noun} number {number} {verb_} {place}.")


NOUNS = [
    "bicycle",
    "kayak",
    "violin",
    "printer",
    "greenhouse",
    "telescope",
    "caravan",
    "piano",
    "lawnmower",
    "sewing-machine",
]
VERBS_ = ["stands in", "came from", "was repaired in", "is stored in", "was built in", "was bought in"] * 2
PLACES = ["Utrecht", "Bergen", "Graz", "Tartu", "Coimbra", "Galway", "Aarhus", "Brno", "Leuven", "Turku"]


@verb
def delete(world: World, step: Step) -> None:
    world.forget(who(step), step.get("match") or step.get("about") or "")


@verb
def delete_all(world: World, step: Step) -> None:
    world.forget(who(step), "")


ui_delete = delete
VERBS["ui_delete"] = delete
VERBS["ui_delete_all"] = delete_all


@verb
def reload(world: World, step: Step) -> None:
    world.settle()


@verb
def promote(world: World, step: Step) -> None:
    """What the gate answers is noted, refusals too."""
    item = world.item_of(step["id"])
    try:
        world.notes["promoted"].append(world.rule(who(step), item, note="seen", override=True))
    except Exception as problem:  # noqa: BLE001 - a refusal is what some cases look for
        world.notes["refused"].append(problem)


@verb
def verify_audit(world: World, step: Step) -> None:
    world.notes["audit"].append(world.audit_ok())


@verb
def parallel_steps(world: World, step: Step) -> None:
    """The chats are typed at the same moment and read by two workers."""
    for one in step["steps"]:
        world.person(who(one))
    runs = world.parallel([lambda one=one: world.ask_only(who(one), one["text"]) for one in step["steps"]])
    world.runs.extend(runs)
    world.parallel([world.settle, world.settle])
    world.settle()


@verb
def submit_transcript(world: World, step: Step) -> None:
    """A hook sends the whole conversation again after every turn."""
    world.say(who(step), "\n".join(step["turns"]))


@verb
def turn(world: World, step: Step) -> None:
    """A question of the user's, and the answer that an agent outside gave to it."""
    asked = world.submit(who(step), SourceKind.USER_TURN, step["user_text"])
    world.submit(who(step), SourceKind.AGENT_TURN, step["assistant_text"], derived_from=(asked.episode_id,))


@verb
def ingest_raw(world: World, step: Step) -> None:
    """A caller's body with claims about its own trust: only the text is taken, the claims are logged."""
    claims = tuple(f"{key}={value}" for key, value in step["body"].items() if key != "text")
    world.submit(who(step), CHANNELS[step["channel"]], step["body"]["text"], source_ref=PAGE, claimed=claims)


@verb
def set_tz(world: World, step: Step) -> None:
    world.notes["set_tz"](step["tz"])


@verb
def run_background_jobs(world: World, step: Step) -> None:
    world.upkeep()


@verb
def list_all_admin(world: World, step: Step) -> None:
    world.notes["rows"] = world.active()


@verb
def queue(world: World, step: Step) -> None:
    """What a member sees of the review queue."""
    world.notes["queue"] = world.console.layer.review.pending(world.person(who(step)))[1]


@verb
def set_decay(world: World, step: Step) -> None:
    world.notes["decay"].append(step)


@verb
def erase_user(world: World, step: Step) -> None:
    world.notes["certificate"] = world.erase(who(step))


@verb
def grep_all_storage(world: World, step: Step) -> None:
    world.notes["grep"] = step["text"]


@verb
def archive(world: World, step: Step) -> None:
    for row in _rows_of(world, step):
        world.console.layer.memories.archive(world.person(who(step)), row.memory_id)


@verb
def restore(world: World, step: Step) -> None:
    for row in _rows_of(world, step):
        world.console.layer.memories.restore(world.person(who(step)), row.memory_id)


def _rows_of(world: World, step: Step) -> list[Any]:
    """The fact that a named text became, whatever its status."""
    episode = world.named[step["id"]]
    rows = world.memories(who(step), *MemoryStatus)
    return [one for one in rows if one.episode_id == episode.episode_id and one.kind is not MemoryKind.EVENT]


@verb
def audit_tail(world: World, step: Step) -> None:
    world.notes["tail"] = [one.action for one in world.audit()]


@verb
def build_context(world: World, step: Step) -> None:
    context = world.prompt(
        who(step), step["query"], budget_tokens=step.get("budget_tokens", 6000), system=world.notes.pop("system", "")
    )
    world.contexts.append(context)


@verb
def set_system(world: World, step: Step) -> None:
    world.notes["system"] = text_of(step)


def import_(world: World, step: Step) -> None:
    """Rows of somebody's export file, whatever they claim about themselves."""
    rows = step.get("rows") or [{"text": step["text"], "provenance": step.get("provenance", "external_doc")}]
    world.import_rows(who(step), rows)


VERBS["import"] = import_


@verb
def edit(world: World, step: Step) -> None:
    """An owner says what is true instead; what is held has no edit: it is taken as it is or not at all."""
    if "match" in step:
        world.correct(who(step), world.about(step["match"])[0].memory_id, step["text"])
        world.episodes.append(world.console.layer.ledger.episode(world.active()[0].episode_id))


@verb
def approve_raw(world: World, step: Step) -> None:
    """The agent's own face has nothing that approves; so it tries the desk with a reviewer it made up."""
    reviewer = Actor(
        user_id=step["body"].get("reviewer", "agent"),
        username=step["body"].get("reviewer", "agent"),
        tenant=world.console.admin.tenant,
        role=Role.ADMIN,
        session_id="made-up",
    )
    assert not [name for name in dir(world.console.layer.agent) if name in {"resolve", "settle", "promote", "review"}]
    world.people["made-up"] = reviewer
    target = step["body"]["id"]
    ruling = Ruling(
        candidate_id=world.item_of(target).candidate.candidate_id if target in world.named else target,
        kind=RulingKind.PROMOTE,
        seen_version=1,
        digest=world.item_of(target).candidate.digest if target in world.named else "",
        note="approved",
        override=True,
    )
    try:
        world.console.layer.review.resolve(reviewer, ruling)
    except NotAuthorised as problem:
        world.notes["refused"].append(problem)
    del world.people["made-up"]


@verb
def ui_open_card(world: World, step: Step) -> None:
    """Looking at a card is an audited read."""
    for item in world.held():
        world.console.layer.review.item(world.console.admin, item.candidate.candidate_id)


@verb
def recall_raw(world: World, step: Step) -> None:
    """Whatever the body names, the scope is the session's."""
    world.recall(who(step), step["body"]["query"])


@verb
def sql_as_app_role(world: World, step: Step) -> None:
    """A query with no WHERE at all, in the person's own transaction."""
    database = world.console.layer.store.database
    query = step["sql"].replace("content", "text").replace("memories", "memory")
    with database.transaction(world.scope(who(step))) as conn:
        world.notes["rows"] = [str(row) for row in conn.execute(query.encode()).fetchall()]
    world.recall(who(step), "everything")


@verb
def get_by_id(world: World, step: Step) -> None:
    owner = step.get("of")
    memory_id = world.memories(owner)[0].memory_id if owner else step["id"]
    started = time.monotonic()
    try:
        answer: Any = world.console.layer.memories.why(world.person(who(step)), memory_id)
    except NotFound as problem:
        answer = str(problem)
    world.notes["answers"].append((answer, time.monotonic() - started))


@verb
def parallel(world: World, step: Step) -> None:
    """Each presses on what they saw before anybody had pressed."""
    acts = []
    for one in step["steps"]:
        item, name = world.item_of(one["id"]), who(one)
        world.person(name)
        acts.append(lambda item=item, name=name: world.rule(name, item, note="seen", override=True))
    for result in world.parallel(acts):
        world.notes["refused" if isinstance(result, Exception) else "promoted"].append(result)
