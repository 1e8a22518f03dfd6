"""Fading, archiving and coming back; deadlines; the working memory of a conversation (rules §2)."""

from __future__ import annotations

from datetime import timedelta
from importlib import resources

import pytest

from core.decay import freshness
from core.errors import BadInput, StoreUnavailable
from core.model import CandidateState, MemoryKind, MemoryStatus, Role
from core.policy import Policy
from tests.acceptance.life import MAIL, TOOL, Life
from tests.model_server import Answer, ModelServer

ACTIVE, ARCHIVED = MemoryStatus.ACTIVE, MemoryStatus.ARCHIVED
CURVES = """
[decay.kinds.preference]
half_life_days = 10.0
shape = 1.0
"""


@pytest.fixture
def life(console):
    return Life(console)


def policy_file(tmp_path, name="default", **changes: str):
    """A policy file made of a packaged one; `changes` are appended sections."""
    text = resources.files("core").joinpath(f"policies/{name}.toml").read_text(encoding="utf-8")
    path = tmp_path / "policy.toml"
    path.write_text(text + "".join(changes.values()), encoding="utf-8")
    return path


class TestArchiving:
    def test_what_has_faded_is_put_away_after_it_was_recalled(self, life):
        life.say("My favourite pottery class is on Tuesdays.")
        life.say("I like glazed pottery.")
        life.wait(days=20)  # an event's 7 days are long over; the facts are fresh
        faded = [one for one in life.rows(text="pottery") if one.kind is MemoryKind.EVENT]
        assert faded
        life.recall("which pottery do I like?")
        assert {life.row(one.memory_id).status for one in faded} == {ARCHIVED}
        assert life.facts(text="glazed pottery")[0].status is ACTIVE
        entries = life.audit("memory:archived")
        named = {memory_id for one in entries for memory_id in one.about["memory_ids"]}
        assert named == {one.memory_id for one in faded}
        assert all(one.actor == "policy" and one.about["theta"] == "0.15" for one in entries)
        assert life.verified()

    def test_an_unrelated_question_puts_nothing_away(self, life):
        life.say("I like glazed pottery.")
        life.wait(days=2000)
        assert life.recall("what is the capital of Mongolia?") == []
        assert life.rows(ARCHIVED) == []
        assert life.audit("memory:archived") == []

    def test_nothing_is_put_away_without_a_question(self, life):
        life.say("I like glazed pottery.")
        life.wait(days=4000)
        life.console.settle()
        assert life.rows(ARCHIVED) == []

    def test_put_away_it_still_answers_directly_and_when_asked_for(self, life):
        life.say("I like glazed pottery.")
        life.wait(days=1000)
        life.recall("which pottery do I like?")
        assert life.rows(text="pottery") == []
        assert "You like glazed pottery." in life.recall("do I like glazed pottery?")
        assert life.recall("what did I have for breakfast?") == []
        assert life.recall("clay", include_archived=False) == []
        assert "You like glazed pottery." in life.recall("clay", include_archived=True)
        life.say("I like woven baskets.")  # something active answers: what was put away stays away
        assert "You like glazed pottery." not in life.recall("which baskets do I like?")

    def test_stated_again_it_revives_at_full_strength(self, life):
        life.say("I like glazed pottery.")
        first = life.fact("pottery")
        life.wait(days=1000)
        life.recall("which pottery do I like?")
        assert life.row(first.memory_id).status is ARCHIVED
        life.say("I like glazed pottery.", where="c2")
        again = life.row(first.memory_id)
        assert (again.status, again.stated_at, again.expired_at) == (ACTIVE, life.console.clock.now(), None)
        assert "You like glazed pottery." in life.recall("which pottery do I like?")

    def test_its_owner_brings_it_back_and_it_stays(self, life):
        life.say("I like glazed pottery.")
        first = life.fact("pottery")
        life.wait(days=1000)
        life.recall("which pottery do I like?")
        life.layer.memories.restore(life.who, first.memory_id)
        assert life.row(first.memory_id).status is ACTIVE
        for _ in range(2):
            assert "You like glazed pottery." in life.recall("which pottery do I like?")
        assert life.row(first.memory_id).status is ACTIVE
        assert life.audit("memory:restored")

    def test_what_was_restated_before_the_worker_came_is_not_put_away(self, life):
        life.say("I like glazed pottery.")
        first = life.fact("pottery")
        life.wait(days=1000)
        life.layer.agent.recall("which pottery do I like?", life.who.scope)  # noted, not carried out
        life.submit("I like glazed pottery.", where="c2")
        life.console.settle()  # the restatement is worked on first
        assert life.row(first.memory_id).status is ACTIVE

    def test_a_store_that_is_down_counts_nothing_twice(self, life, monkeypatch):
        life.say("I like glazed pottery.")
        first = life.fact("pottery")
        life.wait(days=1000)
        hits = life.layer.agent.recaller.recall("which pottery do I like?", life.who.scope).hits
        life.layer.upkeep.touched(life.who.scope, hits, cited=[first.memory_id], actor="agent")

        def down(*_args, **_rest):
            message = "the store is away"
            raise StoreUnavailable(message)

        with monkeypatch.context() as patch:
            patch.setattr("core.store.PostgresStore.get", down)
            for _ in range(3):
                with pytest.raises(StoreUnavailable):
                    life.layer.upkeep.run_once()
        life.console.settle()
        assert life.row(first.memory_id).access_count == 1
        assert life.row(first.memory_id).status is ARCHIVED

    def test_put_away_by_hand_and_back(self, life):
        life.say("I like glazed pottery.")
        first = life.fact("pottery")
        life.layer.memories.archive(life.who, first.memory_id)
        assert life.row(first.memory_id).status is ARCHIVED
        with pytest.raises(BadInput, match="only an active one"):
            life.layer.memories.archive(life.who, first.memory_id)
        life.layer.memories.restore(life.who, first.memory_id)
        assert life.row(first.memory_id).status is ACTIVE


class TestReading:
    def test_reading_resets_no_age_and_raises_no_trust(self, life):
        life.say("The choir meets at eight.", channel=MAIL, source_ref="choir@list.example", where="mail")
        [before] = life.rows(text="choir")
        for day in range(5):
            life.wait(days=1 if day else 0)
            life.recall("when does the choir meet?")
        after = life.row(before.memory_id)
        assert (after.stated_at, after.effective_trust, after.origins) == (before.stated_at, 0.55, before.origins)
        assert after.version == before.version

    def test_an_answer_counts_once_a_session(self, life):
        life.console.ask("I'm allergic to kiwis.", conversation="kitchen")
        allergy = life.fact("kiwis")
        assert allergy.access_count == 0
        for _ in range(3):
            assert "kiwis" in life.console.ask("what am I allergic to?", conversation="later").text
        assert life.row(allergy.memory_id).access_count == 1
        life.console.ask("what am I allergic to?", conversation="another day")
        counted = life.row(allergy.memory_id)
        assert counted.access_count == 2
        assert counted.stated_at == allergy.stated_at
        assert len([one for one in life.audit("memory:recalled") if allergy.memory_id in one.about["memory_ids"]]) == 2


class TestCurves:
    def test_a_kind_has_the_curve_that_the_policy_gives_it(self, make_console, tmp_path):
        life = Life(make_console(chronomemory_policy=policy_file(tmp_path, curves=CURVES)))
        life.say("I like glazed pottery. My desk lamp is orange.")
        likes, lamp = life.fact("pottery"), life.fact("lamp")
        assert (likes.kind, lamp.kind) == (MemoryKind.PREFERENCE, MemoryKind.FACT)
        rules, at = life.layer.policy.decay, life.console.clock.now() + timedelta(days=20)
        assert freshness(likes, at, rules) == pytest.approx(0.25)
        assert freshness(lamp, at, rules) > 0.8
        life.wait(days=25)  # 0.6 × 2^-2.5 < 0.15, while the lamp's half-life is six months
        life.recall("which pottery do I like?")
        life.recall("which colour is my desk lamp?")
        assert (life.row(likes.memory_id).status, life.row(lamp.memory_id).status) == (ARCHIVED, ACTIVE)

    def test_a_curve_of_a_kind_makes_nothing_durable_fade(self, make_console, tmp_path):
        given = policy_file(tmp_path, curves="\n[decay.kinds.fact]\nhalf_life_days = 1.0\n")
        life = Life(make_console(chronomemory_policy=given))
        life.say("I'm allergic to kiwis. My desk lamp is orange.")
        life.wait(days=60)
        life.recall("what am I allergic to?")
        life.recall("which colour is my desk lamp?")
        assert life.fact("kiwis").status is ACTIVE
        assert life.facts(ARCHIVED, text="lamp")

    def test_pinned_never_fades_until_it_is_unpinned(self, life):
        life.say("I like glazed pottery.")
        likes = life.fact("pottery")
        life.layer.memories.pin(life.who, likes.memory_id)
        life.wait(days=3000)
        life.recall("which pottery do I like?")
        assert life.row(likes.memory_id).status is ACTIVE
        assert [one.memory_id for one in life.layer.store.pinned(life.who.scope)] == [likes.memory_id]
        life.layer.memories.unpin(life.who, likes.memory_id)
        life.recall("which pottery do I like?")
        assert life.row(likes.memory_id).status is ARCHIVED


class TestClassic:
    @pytest.fixture
    def classic(self, make_console, tmp_path):
        return Life(make_console(chronomemory_policy=policy_file(tmp_path, "classic")))

    def test_it_puts_away_on_the_full_score(self, classic):
        classic.say("I'm allergic to kiwis.")
        classic.say("I like glazed pottery.")
        classic.wait(days=30)
        classic.recall("what am I allergic to?")
        assert classic.facts(ARCHIVED, text="kiwis")  # nothing is durable there, whatever its importance
        assert {one.actor for one in classic.audit("memory:archived")} == {"policy"}

    def test_even_there_the_pinned_stay(self, classic):
        classic.say("I like glazed pottery.")
        likes = classic.fact("pottery")
        classic.layer.memories.pin(classic.who, likes.memory_id)
        classic.wait(days=400)
        classic.recall("which pottery do I like?")
        assert classic.row(likes.memory_id).status is ACTIVE

    @pytest.mark.parametrize(("guarded", "current"), [(True, "520 kg"), (False, "480 kg")])
    def test_the_newest_wins_there_whatever_it_is_worth(self, make_console, tmp_path, guarded, current):
        life = Life(make_console(chronomemory_policy=policy_file(tmp_path, "default" if guarded else "classic")))
        life.say("The total weight is 520 kg.")
        life.wait(days=1)
        later = life.say("The total weight is 480 kg.", channel=TOOL, tool="calculator", where="sums")
        assert [one.value for one in life.facts(text="total weight")] == [current]
        states = {one.state for one in life.items(later) if one.candidate.proposal.kind is not MemoryKind.EVENT}
        assert states == {CandidateState.HELD if guarded else CandidateState.ADMITTED}


def test_only_the_classic_preset_is_unguarded():
    read = {
        one.name: Policy.from_toml(one.read_text(encoding="utf-8")).conflict.guarded
        for one in resources.files("core").joinpath("policies").iterdir()
        if one.name.endswith(".toml")
    }
    assert read.pop("classic.toml") is False
    assert read
    assert all(read.values())


class TestDeadlines:
    def test_it_is_out_of_recall_at_the_instant(self, life):
        until = life.console.clock.now() + timedelta(days=3)
        life.say("My visitor badge is number 4417.", expires_at=until)
        assert life.recall("what is my visitor badge?")
        life.wait(days=2, hours=23, minutes=59)
        assert any("4417" in one for one in life.recall("what is my visitor badge?"))
        life.wait(minutes=1)
        assert life.recall("what is my visitor badge?") == []
        assert life.recall("what is my visitor badge?", include_archived=True) == []
        before = until - timedelta(seconds=1)
        assert any("4417" in one for one in life.recall("what is my visitor badge?", as_of=before))
        assert life.recall("what is my visitor badge?", as_of=until) == []
        listed, total = life.layer.memories.as_of(life.who, before, text="4417")
        assert total == len(listed) >= 1
        assert life.layer.memories.as_of(life.who, until, text="4417") == ([], 0)


class TestWorkingMemory:
    @pytest.fixture
    def brief(self, life):
        """Says something that holds until tonight."""

        def say(text, *, where="c1", hours=10, **rest):
            return life.say(text, where=where, expires_at=life.console.clock.now() + timedelta(hours=hours), **rest)

        return say

    def test_what_ends_within_a_day_is_working_memory(self, life, brief):
        brief("My desk today is number 12.")
        brief("My desk lamp is orange.", hours=60)
        assert life.fact("desk today").kind is MemoryKind.WORKING
        assert life.fact("lamp").kind is MemoryKind.FACT

    def test_it_is_bounded_and_the_least_important_makes_room(self, make_console, tmp_path):
        text = resources.files("core").joinpath("policies/default.toml").read_text(encoding="utf-8")
        path = tmp_path / "small.toml"
        path.write_text(text.replace("working_per_session = 20", "working_per_session = 2"), encoding="utf-8")
        life = Life(make_console(chronomemory_policy=path))
        tonight = life.console.clock.now() + timedelta(hours=10)
        for thing in ("locker", "kettle", "umbrella", "bicycle"):
            life.say(f"My {thing} is in room {len(thing)}.", expires_at=tonight)
            life.wait(minutes=1)
        life.say("My parcel is in room 31.", where="c2", expires_at=tonight)
        working = [one for one in life.facts() if one.kind is MemoryKind.WORKING]
        assert len([one for one in working if one.conversation_id == "c1"]) == 2
        assert len([one for one in working if one.conversation_id == "c2"]) == 1
        evicted = life.facts(ARCHIVED)
        assert len(evicted) == 2
        assert max(one.importance for one in evicted) <= min(one.importance for one in working)
        several = life.say(
            "My scarf is in room 71. My ladder is in room 72. My drum is in room 73.", expires_at=tonight
        )
        assert len(life.items(several)) >= 3
        kept = [one for one in life.facts() if one.kind is MemoryKind.WORKING and one.conversation_id == "c1"]
        assert len(kept) == 2

    def test_another_conversation_does_not_hear_of_it(self, life, brief):
        brief("My desk today is number 12.", where="morning")
        [working] = [one for one in life.facts() if one.kind is MemoryKind.WORKING]
        here = life.layer.agent.recall("which desk is mine today?", life.who.scope, conversation_id="morning")
        there = life.layer.agent.recall("which desk is mine today?", life.who.scope, conversation_id="evening")
        assert working.memory_id in {hit.memory.memory_id for hit in here.hits}
        assert working.memory_id not in {hit.memory.memory_id for hit in there.hits}

    def test_its_own_model_is_told_unasked(self, make_console):
        with ModelServer(Answer(text="Noted.")) as server:
            life = Life(
                make_console(
                    openai_base_url=server.base_url, openai_api_key="k", agent_model="big", model_deadline_seconds=5.0
                )
            )
            tonight = life.console.clock.now() + timedelta(hours=10)
            life.say("My desk today is number 12.", where="morning", expires_at=tonight)
            mia = life.console.person("mia", Role.MEMBER)
            told = {}
            for who, where in ((life.who, "morning"), (life.who, "evening"), (mia, "mias")):
                run = life.console.ask("tell me something about volcanoes", actor=who, conversation=where)
                told[where] = "\n".join(one["content"] for one in run.detail["prompt"] if one["role"] == "system")
            assert "desk today" in told["morning"]
            assert "desk today" not in told["evening"]
            assert "desk today" not in told["mias"]
            life.wait(hours=11)
            late = life.console.ask("tell me something about volcanoes", conversation="morning")
            assert "desk today" not in "\n".join(
                one["content"] for one in late.detail["prompt"] if one["role"] == "system"
            )
