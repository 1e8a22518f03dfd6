"""The command over a real installation."""

from __future__ import annotations

import sqlite3
import unicodedata
from contextlib import closing
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from core.entrypoints.cli.screen import plain
from tests.cli.conftest import PASSWORD

UNSEEN = {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}


def harmless(output: str) -> bool:
    return not [one for one in output if one != "\n" and unicodedata.category(one) in UNSEEN]


@given(st.text(st.characters(codec=None, exclude_characters="\u200c\u200d")))
def test_no_text_moves_the_cursor(text):
    assert harmless(plain(text))
    assert "\n" not in plain(text)


def test_joiners_stay_where_they_work():
    assert plain("می\u200cخواهم") == "می\u200cخواهم"
    assert plain("a\u200db") == "a‹U+200D›b"
    assert plain("中文 שלום ü") == "中文 שלום ü"


def test_recall_names_the_factors_and_counts_nothing_as_used(house):
    found = house.json("recall", "Where do I live?", "--as", "ada")
    assert "Porto" in found["hits"][0]["memory"]["text"]
    assert found["hits"][0]["memory"]["access_count"] == 0
    shown = house.run("recall", "Where do I live?", "--as", "ada", "-k", "1")
    assert shown.exit_code == 0
    assert "score" in shown.stdout
    assert "trust 1.00" in shown.stdout
    assert "confidence 0.733 = 0.133 corroboration + 0.300 recency + 0.200 verification + 0.100" in shown.stdout
    assert "An agent may answer: It is sure enough to answer with its sources (confidence 0.733)." in shown.stdout
    assert found["counsel"]["advice"] == "answer"
    assert house.json("recall", "Where do I live?", "--as", "ada", "--as-of", "2001-01-01")["hits"] == []
    assert house.json("recall", "Where does Ada live?", "--as", "ben")["hits"] == []


def test_why_shows_the_words_the_roots_and_the_steps(house):
    shown = house.run("why", "What am I allergic to?", "--as", "ada")
    assert shown.exit_code == 0, shown.output
    for word in (
        "penicillin",
        "root: user_turn",
        "admit by the policy",
        "effective trust",
        "its words",
        "confidence 0.733",
    ):
        assert word in shown.stdout
    assert house.json("why", "What am I allergic to?", "--as", "ada")["behind"]


def test_nobody_acts_without_a_password_and_errors_are_one_line(house):
    wrong = house.run("recall", "Where do I live?", "--as", "ada", CHRONOMEMORY_PASSWORD="wrong password")
    assert wrong.exit_code == 1
    assert wrong.stdout == ""
    assert wrong.stderr.strip().splitlines()[-1] == "The user name or the password is not right."
    assert house.run("recall", "x").exit_code == 2
    asked = house.run("review", "list", "--as", "ada", stdin=f"{PASSWORD}\n", CHRONOMEMORY_PASSWORD="")
    assert asked.exit_code == 0
    assert "Password of ada" in asked.stderr
    assert PASSWORD not in asked.output
    elsewhere = house.run("audit", "verify", CHRONOMEMORY_DATA="/nowhere/at/all")
    assert elsewhere.exit_code == 3
    assert "CHRONOMEMORY_DATA" in elsewhere.stderr
    none = house.run("recall", "x", "--as", "ada", CHRONOMEMORY_DATA=str(house.folder / "none"))
    assert none.exit_code == 3
    assert not (house.folder / "none").exists()
    assert house.run("recall", "x", "--as", "ada", PORT="none").exit_code == 3


def test_held_words_of_strangers_cannot_reach_the_terminal(house):
    for arguments in (["review", "list", "--as", "ada"], ["review", "list", "--as", "ada", "--json"]):
        done = house.run(*arguments)
        assert done.exit_code == 0
        assert "lift" in done.stdout
        assert harmless(done.stdout)
        assert harmless(done.stderr)
    items = house.json("review", "list", "--as", "ada")["items"]
    hall = next(one["candidate"] for one in items if "hall" in one["candidate"]["proposal"]["statement"])
    shown = house.run("review", "show", hall["candidate_id"], "--as", "ada")
    assert harmless(shown.stdout)
    assert "‹U+001B›" in shown.stdout
    assert "digest:" in shown.stdout


def test_a_ruling_needs_the_digest_of_what_was_shown_or_a_yes(house):
    items = house.json("review", "list", "--as", "ada")["items"]
    lift = next(
        one["candidate"]["candidate_id"] for one in items if "lift" in one["candidate"]["proposal"]["statement"]
    )
    hall = next(
        one["candidate"]["candidate_id"] for one in items if "hall" in one["candidate"]["proposal"]["statement"]
    )
    digest = house.json("review", "show", lift, "--as", "ada")["digest"]
    assert house.run("review", "promote", lift, "--as", "ada", "--yes").exit_code == 1
    stale = house.run("review", "promote", lift, "--as", "ada", "--yes", "--digest", "0" * 64)
    assert stale.exit_code == 1
    assert "Look again" in stale.stderr
    no = house.run("review", "reject", hall, "--as", "ada", "--because", "closed for good", stdin="n\n")
    assert no.exit_code == 1
    assert "Nothing was changed" in no.stderr
    done = house.json(
        "review", "promote", lift, "--as", "ada", "--yes", "--digest", digest, "--because", "I saw it", "--override"
    )
    assert done["state"] == "promoted"
    gone = house.run("review", "reject", hall, "--as", "ada", "--because", "closed for good", stdin="y\n")
    assert gone.exit_code == 0, gone.output
    assert "⟦" in gone.stdout
    back = house.run("review", "undo", hall, "--as", "ada", "--yes")
    assert back.exit_code == 0, back.output
    assert house.run("review", "settle", hall, "promote", "--as", "ada").exit_code == 2
    assert house.run("review", "show", lift, "--as", "ben").exit_code == 1


def test_the_audit_is_read_while_somebody_writes(house):
    with closing(sqlite3.connect(house.folder / "data" / "ledger.sqlite3", isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        found = house.json("audit", "verify")
        writer.execute("ROLLBACK")
    assert found["ok"]
    assert found["witness"]["seq"] > 0
    again = house.json("audit", "replay")
    assert again["same"] > 0
    assert again["differs"] == []
    file = house.folder / "chain.jsonl"
    assert house.run("audit", "export", str(file)).exit_code == 0
    assert len(file.read_bytes().splitlines()) == house.json("audit", "verify")["entries"]


def test_a_policy_is_compared_with_the_one_in_force(house):
    assert house.json("policy", "diff")["differences"] == []
    text = Path("core/policies/default.toml").read_text(encoding="utf-8")
    other = house.folder / "other.toml"
    other.write_text(text.replace("web_content = 0.3", "web_content = 0.6"), encoding="utf-8")
    found = house.json("policy", "diff", str(other), "--rulings", status=1)
    assert [one["key"] for one in found["differences"]] == ["trust.web_content"]
    assert found["rulings"]["looked_at"] > 0
    assert "trust.web_content" in house.run("policy", "diff", str(other)).stdout


def test_the_store_is_made_anew(house):
    before = house.json("recall", "Where do I live?", "--as", "ada")["hits"]
    assert house.json("rebuild", "--as", "ada", "--yes")["effects"] > 0
    after = house.json("recall", "Where do I live?", "--as", "ada")["hits"]
    assert [one["memory"]["memory_id"] for one in after] == [one["memory"]["memory_id"] for one in before]
    assert house.run("rebuild", "--as", "ben", "--yes").exit_code == 1


def test_notes_are_looked_at_and_then_taken_in(house, tmp_path):
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "Pool.md").write_text("The pool opens at seven.\n", encoding="utf-8")
    (vault / "Broken.md").write_text(" \n", encoding="utf-8")  # an empty note is no item
    looked = house.run("import", str(vault), "--as", "ben")
    assert looked.exit_code == 0, looked.output
    assert looked.stdout.startswith("Markdown notes: 2 items, 1 new, 0 changed, 0 here")
    assert "waits for review" in looked.stdout
    assert "Nothing was written" in looked.stdout
    done = house.run("import", str(vault), "--as", "ben", "--no-dry-run", "--yes")
    assert done.exit_code == 1, "what cannot be read is said by the exit code too"
    assert "Broken.md" in done.stdout
    (vault / "Broken.md").unlink()
    again = house.json("import", str(vault), "--as", "ben", "--no-dry-run", "--yes")
    assert again["report"]["counts"] == {"unchanged": 1}


def test_a_memory_moves_by_command(house, make_house):
    file = house.folder / "ada.jsonl"
    made = house.json("export", str(file), "--as", "ada")
    assert made["counts"]["episode"] == 3
    assert file.stat().st_mode & 0o077 == 0
    assert house.run("export", str(file), "--as", "ada").exit_code == 1
    new = make_house()
    tried = new.json("move-in", str(file), "--as", "ben", "--dry-run")
    assert not tried["trusted"]
    own = house.json("trust", "--as", "ada")["own"]
    assert new.run("trust", own, "--as", "ben").exit_code == 1
    assert new.json("trust", own, "--as", "ada")["trusted"] == [own]
    taken = new.json("move-in", str(file), "--as", "ben", "--yes")
    assert taken["admitted"] > 0
    assert new.json("move-in", str(file), "--as", "ben", "--yes")["already"]
    hits = new.json("recall", "Where do I live?", "--as", "ben")["hits"]
    assert "Porto" in hits[0]["memory"]["text"]
    spoiled = house.folder / "spoiled.jsonl"
    spoiled.write_bytes(file.read_bytes().replace(b"Porto", b"Praia", 1))
    refused = new.run("move-in", str(spoiled), "--as", "ben", "--yes")
    assert refused.exit_code == 1
    assert "line " in refused.stderr
    certificate = new.folder / "certificate.json"
    erased = new.run("erase", "ben", "--as", "ada", "--certificate", str(certificate), stdin="ben\n")
    assert erased.exit_code == 0, erased.output
    assert "ledger" in certificate.read_text(encoding="utf-8")
    assert new.json("audit", "verify")["ok"]


def test_the_doctor_finds_what_is_broken(house, tmp_path):
    fine = house.json("doctor", "--quick")
    assert {one["part"] for one in fine["findings"] if one["state"] == "fail"} == set()
    assert "fail" not in house.run("doctor", "--quick").stdout
    copy = tmp_path / "data"
    copy.mkdir()
    for name in ("ledger.sqlite3", "secret"):
        (copy / name).write_bytes((house.folder / "data" / name).read_bytes())
    with closing(sqlite3.connect(copy / "ledger.sqlite3")) as file:
        file.execute("DROP TRIGGER audit_no_update")
        file.execute("UPDATE audit SET actor = 'nobody' WHERE seq = 4")
        file.commit()
    (copy / "secret").chmod(0o644)
    broken = states(house.json("doctor", "--quick", status=1, CHRONOMEMORY_DATA=str(copy)))
    assert broken["secret"] == "fail"
    assert broken["chain"] == "fail"
    assert house.run("audit", "verify", CHRONOMEMORY_DATA=str(copy)).exit_code == 1
    (copy / "secret").unlink()
    lost = house.run("doctor", "--quick", CHRONOMEMORY_DATA=str(copy))
    assert lost.exit_code == 1
    assert "There is no secret" in lost.stdout
    none = states(house.json("doctor", "--quick", status=1, CHRONOMEMORY_DATA=str(tmp_path / "none"), DATABASE_URL=""))
    assert none["folder"] == "fail"
    assert none["ledger"] == "fail"
    away = states(
        house.json("doctor", "--quick", status=1, DATABASE_URL="postgresql://127.0.0.1:1/none?connect_timeout=1")
    )
    assert away["store"] == "fail"


def test_the_doctor_names_a_folder_that_may_not_be_written(house, monkeypatch):
    monkeypatch.setattr("core.entrypoints.doctor.os.access", lambda *_given: False)
    assert states(house.json("doctor", "--quick", status=1))["folder"] == "fail"


def states(report):
    return {one["part"]: one["state"] for one in report["findings"]}


def test_a_snapshot_is_restored_where_nothing_is(house, tmp_path):
    snapshot = house.folder / "snapshot.sqlite3"
    made = house.json("snapshot", str(snapshot), "--as", "ada")
    assert house.run("snapshot", str(house.folder / "no.sqlite3"), "--as", "ben").exit_code == 1
    assert house.run("restore", str(snapshot)).exit_code == 1  # a ledger is there, and is never overwritten
    folder = tmp_path / "data"
    folder.mkdir()
    lost = house.run("restore", str(snapshot), CHRONOMEMORY_DATA=str(folder))
    assert lost.exit_code == 3
    assert "secret" in lost.stderr
    (folder / "secret").write_bytes((house.folder / "data" / "secret").read_bytes())
    back = house.json("restore", str(snapshot), CHRONOMEMORY_DATA=str(folder))
    assert back == {"seq": made["seq"], "head": made["head"]}
    assert house.json("audit", "verify", CHRONOMEMORY_DATA=str(folder), DATABASE_URL="")["entries"] == made["seq"]


def test_the_console_takes_the_commands_place_with_the_same_data(house, monkeypatch):
    started = []
    monkeypatch.setattr("core.entrypoints.cli.running.os.chdir", started.append)
    monkeypatch.setattr("core.entrypoints.cli.running.os.execve", lambda *given: started.append(given))
    assert house.run("run", "--port", "8777", CHRONOMEMORY_DATA="here").exit_code == 0
    folder, (_python, arguments, environment) = started
    assert (folder / "app.py").exists()
    assert arguments[-1] == str(folder / "app.py")
    assert environment["PORT"] == "8777"
    assert environment["CHRONOMEMORY_DATA"] == str(Path("here").resolve())
