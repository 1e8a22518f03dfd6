"""Retrieval scores by their definition, and what the evaluations take from the published files."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime

import numpy as np
import pytest

from core.bootstrap import load_policy
from core.decay import freshness
from core.model import MemoryKind, SourceKind
from eval import beam_data, locomo_data
from eval.beam import Answered
from eval.beam import report as beam_report
from eval.beam import said as said_in_beam
from eval.intervals import bootstrap
from eval.locomo import said
from eval.longmemeval import by_cosine
from eval.longmemeval import read as read_instances
from eval.results import Row, measured, read, write
from eval.retrieval import Ranked, digest, distinct, means, recall_at, reciprocal_rank, rows_of
from eval.turn_memory import undecayed
from eval.vector_cache import DiskCachedEmbedder
from tests.factories import NOW, memory
from tests.fakes import HashEmbedder


def test_recall_counts_every_gold_id_once():
    assert recall_at(("a", "b"), ("x", "a", "b"), 2) == 0.5
    assert recall_at(("a", "a"), ("a",), 1) == 1.0
    assert recall_at(("D", "a"), ("a",), 5) == 0.5  # an evidence string that names no turn stays in the denominator


def test_reciprocal_rank_stops_after_ten():
    ids = tuple(f"x{n}" for n in range(9))
    assert reciprocal_rank(("g",), (*ids, "g")) == pytest.approx(0.1)
    assert reciprocal_rank(("g",), (*ids, "x9", "g")) == 0.0


def test_a_turn_counts_once_at_its_first_memory():
    assert distinct(["a", None, "b", "a", "c", "d"], 3) == ("a", "b", "c")


def test_means_are_over_questions_and_lie_in_their_interval():
    rows = [
        Ranked(question_id=str(n), group="c", category="x", gold=("g",), ids=("g",) if n % 2 else ("y", "g"))
        for n in range(10)
    ]
    first, fifth, *_, mrr = means(rows)
    assert (first.value, fifth.value, mrr.value) == (0.5, 1.0, 0.75)
    assert first.low < 0.5 < first.high
    assert (fifth.low, fifth.high) == (1.0, 1.0)
    assert digest(rows_of(rows)) == digest(rows_of(list(rows))) != digest(rows_of(rows[:-1]))


def test_a_bootstrap_interval_is_the_same_each_time():
    assert bootstrap([0.0, 1.0, 1.0]) == bootstrap([0.0, 1.0, 1.0])
    assert bootstrap([]) == (0.0, 0.0)


def conversation() -> dict:
    turn = {"speaker": "Ann", "dia_id": "D1:1", "text": "I bought a kite."}
    picture = {"speaker": "Ben", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a photo of a red kite"}
    later = {"speaker": "Ann", "dia_id": "D10:1", "text": "It broke."}
    return {
        "sample_id": "conv-0",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Ben",
            "session_10_date_time": "9:05 am on 3 June, 2023",
            "session_10": [later],
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [turn, picture],
        },
        "qa": [
            {"question": "What did Ann buy?", "answer": "a kite", "evidence": ["D1:1"], "category": 4},
            {"question": "How many?", "answer": 1, "evidence": [], "category": 1},
            {"question": "What did Cy buy?", "adversarial_answer": "a kite", "evidence": ["D1:1"], "category": 5},
        ],
    }


def test_a_conversation_is_read_in_order_with_its_dates_and_captions(tmp_path):
    path = tmp_path / "l.json"
    path.write_text(json.dumps([conversation()]), encoding="utf-8")
    [one] = locomo_data.read(path)
    assert [turn.turn_id for turn in one.turns] == ["D1:1", "D1:2", "D10:1"]
    assert one.turns[0].at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert one.turns[1].text == "Look!\nPicture: a photo of a red kite."
    assert one.asked_at == datetime(2023, 6, 4, 9, 5, tzinfo=UTC)
    assert [question.text for question in locomo_data.retrievable(one.questions)] == ["What did Ann buy?"]
    assert one.questions[1].answer == "1"
    sent = said(one)
    assert {turn.channel for turn in sent} == {SourceKind.THIRD_PARTY}
    assert [turn.conversation for turn in sent] == ["conv-0/session_1", "conv-0/session_1", "conv-0/session_10"]


def test_a_chat_of_beam_keeps_answers_as_episodes_and_tells_updates_apart(tmp_path):
    raw = {
        "id": "1",
        "messages": [
            {"id": 0, "role": "user", "date": "March-15-2024", "text": "It takes 800 ms."},
            {"id": 1, "role": "assistant", "date": None, "text": "Noted."},
            {"id": 2, "role": "user", "date": "April-02-2024", "text": "It takes 250 ms now."},
        ],
        "questions": [
            {
                "ability": "knowledge_update",
                "question": "How long?",
                "source_chat_ids": {"original_info": [0], "updated_info": [2]},
            },
            {"ability": "summarization", "question": "What happened?", "source_chat_ids": [0, [1, 2]]},
            {"ability": "abstention", "question": "Why?"},
            {
                "ability": "knowledge_update",
                "question": "And now?",
                "source_chat_ids": {"original_info": [2], "updated_info": [2]},
            },
        ],
    }
    path = tmp_path / "b.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as out:
        out.write(json.dumps(raw) + "\n")
    [chat] = beam_data.read(path)
    assert [one.at.date().isoformat() for one in chat.messages] == ["2024-03-15", "2024-03-15", "2024-04-02"]
    assert [one.distil for one in said_in_beam(chat)] == [True, False, True]
    update, summary, none, same = chat.probes
    assert (update.stale, update.fresh, summary.gold, none.gold) == ((0,), (2,), (0, 1, 2), ())
    assert (same.stale, same.fresh) == ((), ())  # one message tells both
    own = frozenset({0, 2})
    assert Answered(probe=update, ids=(2, 0), own=own).outcome == "new above stale"
    assert Answered(probe=update, ids=(0, 2), own=own).outcome == "stale above new"
    assert Answered(probe=update, ids=(1,), own=own).outcome == "neither recalled"


def test_a_probe_of_beam_is_scored_at_every_cut_and_against_the_users_own_messages_apart():
    probe = beam_data.Probe(
        probe_id="beam-1/3", ability="knowledge_update", text="?", gold=(0, 1), stale=(0,), fresh=(1,)
    )
    one = Answered(probe=probe, ids=(7, 8, 0), own=frozenset({0, 7, 8}))
    assert one.gold_said == (0,)
    every, said = means([one.ranked(probe.gold)]), means([one.ranked(one.gold_said)])
    assert [found.value for found in every] == pytest.approx([0, 0.5, 0.5, 0.5, 1 / 3])
    assert [found.value for found in said] == pytest.approx([0, 1, 1, 1, 1 / 3])
    told = {row.claim: row for row in beam_report("made", [one])}
    assert told["BEAM-100K message recall@20, all gold, made"].figure == 0.5
    assert told["BEAM-100K message MRR@10, gold among the user's messages, made"].figure == 0.3333
    assert told["BEAM-100K new above stale, made"].met is False
    assert told["BEAM-100K stale in the top five, made"].figure == 1.0


def test_an_instance_of_longmemeval_has_gold_turns_and_sessions(tmp_path):
    raw = {
        "question_id": "q1",
        "question": "Which degree?",
        "answer": "History",
        "question_date": "2023/05/30 (Tue) 23:40",
        "answer_session_ids": ["s2"],
        "haystack_session_ids": ["s1", "s2"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 03:24"],
        "haystack_sessions": [
            [{"role": "user", "content": "Hello there."}],
            [
                {"role": "user", "content": "My degree is in History.", "has_answer": True},
                {"role": "assistant", "content": "Good."},
            ],
        ],
    }
    path = tmp_path / "m.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    [one] = read_instances(path, raw=False)
    assert (one.gold_turns, one.gold_sessions) == (("1:0",), ("1",))
    assert [turn.channel for turn in one.turns][1:] == [SourceKind.USER_TURN, SourceKind.AGENT_TURN]
    [as_said] = read_instances(path, raw=True)
    assert as_said.turns[1].channel is SourceKind.THIRD_PARTY
    assert set(by_cosine(HashEmbedder(), one).ids) == {"0:0", "1:0", "1:1"}


def test_decay_off_keeps_an_old_event_fresh():
    old = memory(kind=MemoryKind.EVENT, stated_at=NOW.replace(year=NOW.year - 1))
    assert freshness(old, NOW, undecayed(load_policy(None)).decay) > 0.95


def test_vectors_are_made_once_and_kept(tmp_path):
    class Counting(HashEmbedder):
        asked = 0

        def embed(self, texts):
            self.asked += len(texts)
            return super().embed(texts)

    first = Counting()
    made = DiskCachedEmbedder(first, tmp_path).embed(["one", "two", "one"])
    again = Counting()
    kept = DiskCachedEmbedder(again, tmp_path).embed(["two", "one", "three"])
    assert (first.asked, again.asked) == (2, 1)
    assert np.allclose(kept[0], made[1])
    assert np.allclose(kept[1], made[0])


def test_a_results_file_is_read_as_it_was_written(tmp_path):
    row = Row(claim="c", figure=0.5, low=0.4, high=0.6, n=10, aim=">= 0.4", met=True)
    made = measured("x", "python -m x", [row, Row(claim="d", figure=1.0)], roots=("eval.results",))
    write(made, tmp_path / "r.json")
    assert read(tmp_path / "r.json") == made
