"""Exports of chat services, of mem0, and tables: branches, streams, encodings, places of what is broken."""

import json
from datetime import UTC, datetime
from io import StringIO
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.connectors.jsonstream import BrokenJson, elements
from core.errors import BadInput, TooLarge, UnsupportedFile
from core.ports import ImportLimits
from tests.connector_kit import entries, items, opened, sorted_out, write, zipped


def node(key, parent, role, text, **rest):
    message = {
        "id": f"m-{key}",
        "author": {"role": role},
        "create_time": 1767225600.0 + int(key),
        "content": {"content_type": "text", "parts": [text]},
        "recipient": "all",
    }
    return {key: {"id": key, "parent": parent, "message": message | rest}}


def chat(*nodes, leaf="3", **rest):
    mapping = {"0": {"id": "0", "parent": None, "message": None}}
    for one in nodes:
        mapping |= one
    return {"conversation_id": "c-1", "title": "Boats", "current_node": leaf, "mapping": mapping, **rest}


class TestChatGPT:
    def test_only_the_current_branch_is_said(self, tmp_path):
        tree = chat(
            node("1", "0", "user", "I sail a dinghy."),
            node("2", "1", "assistant", "An answer that was regenerated."),
            node("3", "1", "assistant", "Sail safely."),
            node("4", "0", "user", "An edited question."),
        )
        found = items(write(tmp_path / "conversations.json", json.dumps([tree])))
        assert [(one.part_class, one.text, one.rootless) for one in found] == [
            ("chat_user", "I sail a dinghy.", False),
            ("chat_agent", "Sail safely.", True),
        ]
        assert found[0].item_id == "c-1/m-1"
        assert found[0].session == "c-1"
        assert found[0].dated_at == datetime(2026, 1, 1, 0, 0, 1, tzinfo=UTC)

    def test_without_a_leaf_the_newest_end_and_no_circle(self, tmp_path):
        tree = chat(node("1", "0", "user", "One."), node("2", "1", "user", "Two."), leaf="gone")
        assert [one.text for one in items(write(tmp_path / "conversations.json", json.dumps([tree])))] == [
            "One.",
            "Two.",
        ]
        round_about = chat(node("1", "2", "user", "One."), node("2", "1", "user", "Two."), leaf="1")
        assert len(items(write(tmp_path / "b" / "conversations.json", json.dumps([round_about])))) == 2

    def test_what_is_nobodys_words_is_left_out(self, tmp_path):
        tree = chat(
            node("1", "0", "system", "You are helpful."),
            node("2", "1", "assistant", "search()", recipient="browser"),
            node("3", "2", "user", "Seen.", metadata={"is_visually_hidden_from_conversation": False}),
            node("4", "3", "user", "Hidden.", metadata={"is_visually_hidden_from_conversation": True}),
            node("5", "4", "tool", "A page."),
            leaf="5",
        )
        assert [one.text for one in items(write(tmp_path / "conversations.json", json.dumps([tree])))] == ["Seen."]

    def test_broken_conversations_name_their_place(self, tmp_path):
        good = chat(node("1", "0", "user", "Fine."), leaf="1")
        bad = chat(node("1", "0", "user", "No time.", create_time="soon"), leaf="1")
        path = write(tmp_path / "conversations.json", json.dumps([good, "x", {"mapping": 7}, bad, good]))
        found, broken = sorted_out(path)
        assert [one.text for one in found] == ["Fine.", "Fine."]
        assert [one.place for one in broken] == [
            "conversation 2 (line 1)",
            "conversation 3 (line 1)",
            "conversation 4, message m-1",
        ]

    def test_inside_the_archive_and_cut_off(self, tmp_path):
        text = json.dumps([chat(node("1", "0", "user", "Fine."), leaf="1")] * 3, indent=1)
        path = zipped(tmp_path / "export.zip", {"user.json": "{}", "conversations.json": text})
        assert opened(path).format.key == "chatgpt"
        assert len(items(path)) == 3
        found, broken = sorted_out(write(tmp_path / "conversations.json", text[: len(text) * 2 // 3]), "chatgpt")
        assert 1 <= len(found) < 3
        assert "before it are read, the rest is not" in broken[0].reason


class TestClaude:
    def test_humans_and_assistants_apart(self, tmp_path):
        export = [
            {
                "uuid": "u-1",
                "name": "Boats",
                "created_at": "2026-01-01T10:00:00Z",
                "chat_messages": [
                    {"uuid": "a", "sender": "human", "text": "I sail.", "created_at": "2026-01-01T10:00:01Z"},
                    {
                        "uuid": "b",
                        "sender": "assistant",
                        "text": "old",
                        "content": [
                            {"type": "tool_use", "input": {"q": "x"}},
                            {"type": "text", "text": "Sail safely."},
                            {"type": "tool_result", "content": "a page"},
                        ],
                    },
                    {"uuid": "c", "sender": "human", "text": "", "content": []},
                    {"uuid": "d", "sender": "human", "text": "x", "created_at": "never"},
                    "nothing",
                ],
            }
        ]
        path = zipped(tmp_path / "data.zip", {"projects.json": "[]", "conversations.json": json.dumps(export)})
        assert opened(path).format.key == "claude"
        found, broken = sorted_out(path)
        assert [(one.part_class, one.text) for one in found] == [
            ("chat_user", "I sail."),
            ("chat_agent", "Sail safely."),
        ]
        assert [one.place for one in broken] == ["conversation 1, message 4", "conversation 1, message 5"]


class TestMem0:
    ROW: ClassVar = {"id": "x-1", "memory": "Likes tea", "user_id": "ada", "created_at": "2025-05-01T00:00:00-07:00"}

    @pytest.mark.parametrize("wrap", [lambda rows: rows, lambda rows: {"results": rows, "relations": []}])
    def test_a_list_or_results(self, tmp_path, wrap):
        path = write(tmp_path / "memories.json", json.dumps(wrap([self.ROW, {"id": "x-2"}, "x", {"memory": "no id"}])))
        assert opened(path).format.key == "mem0"
        found, broken = sorted_out(path)
        assert [(one.item_id, one.text, one.part_class) for one in found] == [("x-1", "Likes tea", "mem0")]
        assert found[0].dated_at == datetime(2025, 5, 1, 7, tzinfo=UTC)
        assert len(broken) == 3
        assert broken[0].place.startswith("memory 2")

    def test_an_object_is_bounded(self, tmp_path):
        path = write(tmp_path / "memories.json", json.dumps({"results": [self.ROW] * 50}))
        with pytest.raises(TooLarge, match="plain list"):
            entries(path, "mem0", limits=ImportLimits(whole_bytes=500))
        with pytest.raises(BadInput, match="results"):
            entries(write(tmp_path / "b.json", "{}"), "mem0")


class TestTables:
    def test_columns_quotes_and_places(self, tmp_path):
        path = write(
            tmp_path / "facts.csv",
            'Text;Date;Author;Title;Id\n"Two\nlines";2024-05-31;Tove;T;7\n;2024-05-31;;;\nwords;soon;;;\n'
            'a;b;c;d;e;f\n"open;2024-05-31;;;\nlast;;;;\n',
        )
        found, broken = sorted_out(path)
        assert [(one.text, one.place) for one in found] == [("Two\nlines", "line 2"), ("last", "line 8")]
        assert (found[0].item_id, found[0].actor, found[0].title) == ("id 7", "Tove", "T")
        assert [(one.place, one.reason.split(":")[0][:24]) for one in broken] == [
            ("line 4", "the column text is empty"),
            ("line 5", "the column date"),
            ("line 6", "it has 6 cells, but ther"),
            ("line 7", "the row cannot be read ("),
        ]

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
    def test_encodings(self, tmp_path, encoding):
        path = write(tmp_path / "f.csv", "text,date\nGrüße aus Köln für die Zoë,2024-05-31\n" * 1, encoding)
        assert [one.text for one in items(path)] == ["Grüße aus Köln für die Zoë"]

    def test_a_line_in_another_encoding_is_still_read(self, tmp_path):
        path = write(tmp_path / "f.jsonl", b'{"text": "caf\xc3\xa9"}\n' * 9000 + b'{"text": "na\xefve"}\n')
        assert items(path)[-1].text == "naïve"

    def test_without_the_column_text_nothing_is_guessed(self, tmp_path):
        with pytest.raises(BadInput, match="no column named text: its first line names a, b"):
            entries(write(tmp_path / "f.csv", "a,b\n1,2\n"))
        with pytest.raises(BadInput, match="empty"):
            opened(write(tmp_path / "g.csv", ""))

    def test_json_lines(self, tmp_path):
        path = write(
            tmp_path / "f.jsonl",
            '{"text": "One", "date": 1700000000}\n\nnot json\n["x"]\n{"text": 7}\n{"text": "One", "date": 1700000000}\n',
        )
        found, broken = sorted_out(path)
        assert [one.text for one in found] == ["One", "One"]
        assert found[0].item_id != found[1].item_id
        assert [one.place for one in broken] == ["line 3", "line 4", "line 5"]
        assert [one.item_id for one in items(write(tmp_path / "g.jsonl", '{"text": "a"}\n'))] == [
            one.item_id for one in items(write(tmp_path / "h.jsonl", '\n\n{"text": "a"}\n'))
        ]

    def test_a_row_moves_without_becoming_another(self, tmp_path):
        first = items(write(tmp_path / "f.csv", "text\none\ntwo\n"))
        second = items(write(tmp_path / "g.csv", "text\nzero\none\ntwo\n"))
        assert {one.item_id for one in first} < {one.item_id for one in second}


def test_unknown_files_say_what_is_known(tmp_path):
    for name, data in (("x.json", "[1]"), ("x.json", '{"a": 1}'), ("x.bin", b"\x00\x01"), ("x.json", '[{"a": 1}]')):
        with pytest.raises(UnsupportedFile, match="nothing that can be imported"):
            opened(write(tmp_path / name, data))
    with pytest.raises(BadInput, match="there is no format"):
        opened(tmp_path / "x.json", "doc")
    with pytest.raises(TooLarge, match="limit"):
        opened(tmp_path / "x.json", limits=ImportLimits(file_bytes=1))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=5,
)


class Drip(StringIO):
    """Gives a few characters at a time, as a slow disk might."""

    def read(self, size=-1):
        return super().read(7 if size is None or size < 0 or size > 7 else size)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(JSON, max_size=4), st.sampled_from([None, 1, "\t"]))
def test_a_streamed_array_is_the_array(rows, indent):
    text = json.dumps(rows, indent=indent)
    assert [one for _, one in elements(StringIO(text), most=10**6)] == rows
    assert [one for _, one in elements(Drip(text), most=10**6)] == rows


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_an_array_or_says_where_it_is_none(text):
    problem = None
    try:
        list(elements(StringIO("[" + text), most=10**6))
    except BrokenJson as found:
        problem = found
    if problem is None:
        found, _end = json.JSONDecoder().raw_decode(
            "[" + text.replace("\ufeff", "")
        )  # what follows the list is left alone
        assert isinstance(found, list)
    else:
        assert 1 <= problem.line <= text.count("\n") + 1


def test_a_huge_array_is_never_held_whole():
    class Endless:
        given = 0

        def read(self, size):
            self.given += size
            body = '{"a": "' + "x" * 1000 + '"},'
            return ("[" if self.given == size else "") + body * (size // len(body))

    stream = Endless()
    found = elements(stream, most=10_000)
    assert [next(found)[1]["a"][:1] for _ in range(500)] == ["x"] * 500
    assert stream.given < 2_000_000
