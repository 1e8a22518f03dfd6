"""What people's programs do over HTTP: sign in, rule on what is held, tend their own memory, watch over it all."""

from __future__ import annotations

import json
from typing import Any

from core.model import Role, SourceKind
from tests.api.conftest import Api, Operator
from tests.conftest import PASSWORD

PAGE = "The user's employer is Contoso."


def held(api: Api, text: str = PAGE, *, who: Any = None) -> dict[str, Any]:
    """A page's claim about somebody that waits for a person, as the review route shows it."""
    api.key(who, agent="crawler", channel=SourceKind.WEB_CONTENT, shared=True).say(
        text, source_ref="https://site.example"
    )
    items = api.operator().get("/review/items").json()["items"]
    return next(one for one in items if one["text"] == text or text.removeprefix("The user's ") in one["text"])


def seen(item: dict[str, Any], **rest: Any) -> dict[str, Any]:
    return {"seen_version": item["version"], "digest": item["digest"], **rest}


def test_a_session_begins_with_the_password_and_ends_for_good(api: Api) -> None:
    wrong = api.http.post("/api/v1/sessions", json={"username": "ada", "password": "guess"})
    assert (wrong.status_code, wrong.headers["www-authenticate"]) == (401, "Bearer")
    unknown = api.http.post("/api/v1/sessions", json={"username": "nobody.here", "password": "guess"})
    assert unknown.json() == wrong.json(), "nobody learns which names exist"
    begun = api.http.post("/api/v1/sessions", json={"username": "Ada", "password": PASSWORD})
    assert begun.status_code == 201
    ada = Operator(api, begun.json()["token"])
    assert ada.get("/sessions/current").json() == {
        "username": "ada",
        "user_id": api.console.admin.user_id,
        "role": "admin",
        "by_key": False,
    }
    assert ada.delete("/sessions/current").status_code == 204
    assert ada.get("/sessions/current").status_code == 401


def test_guessing_is_slowed_down_as_at_the_consoles_door(api: Api) -> None:
    answers = [api.http.post("/api/v1/sessions", json={"username": "ada", "password": f"guess {n}"}) for n in range(12)]
    assert answers[0].status_code == 401
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1
    right = api.http.post("/api/v1/sessions", json={"username": "ada", "password": PASSWORD})
    assert right.status_code == 429, "the door's throttle is the interface's too"


def test_a_key_is_made_with_a_session_only_listed_and_revoked(api: Api) -> None:
    token = api.http.post("/api/v1/sessions", json={"username": "ada", "password": PASSWORD}).json()["token"]
    ada = Operator(api, token)
    made = ada.act("/operator-keys", name="nightly report").json()
    program = Operator(api, made["token"])
    assert made["token"].startswith("cmo_")
    assert program.get("/sessions/current").json()["by_key"] is True
    assert program.act("/operator-keys", name="another").status_code == 403
    assert program.delete("/sessions/current").status_code == 403
    [listed] = ada.get("/operator-keys").json()["keys"]
    assert (listed["name"], made["token"].startswith(listed["begins_with"])) == ("nightly report", True)
    assert made["token"] not in ada.get("/operator-keys").text
    assert ada.delete(f"/operator-keys/{listed['key_id']}").status_code == 204
    assert program.get("/sessions/current").status_code == 401


def test_the_role_is_the_one_that_the_database_has_now(api: Api) -> None:
    ben = api.member("ben")
    program = api.operator(ben)
    item = held(api)
    assert program.get(f"/review/items/{item['id']}").status_code == 404
    api.console.layer.accounts.set_role(api.console.admin, ben.user_id, Role.REVIEWER)
    assert program.get(f"/review/items/{item['id']}").status_code == 200
    assert program.act(f"/review/items/{item['id']}/promote", **seen(item, note="checked")).status_code == 200
    api.console.layer.accounts.disable(api.console.admin, ben.user_id)
    assert program.get("/review/summary").status_code == 401


def test_a_ruling_is_on_the_words_that_were_shown(api: Api) -> None:
    ada, item = api.operator(), held(api)
    stale = ada.act(f"/review/items/{item['id']}/promote", **seen(item) | {"digest": "0" * 64})
    assert (stale.status_code, stale.json()["type"]) == (409, "StaleReview")
    done = ada.act(f"/review/items/{item['id']}/promote", **seen(item, note="from the contract"))
    assert (done.status_code, done.json()["state"]) == (200, "promoted")
    again = ada.act(f"/review/items/{item['id']}/promote", **seen(item, note="from the contract"))
    assert again.json()["state"] == "promoted", "sent twice it is done once"
    other = ada.act(f"/review/items/{item['id']}/reject", **seen(item, note="no"))
    assert other.status_code == 409
    undone = ada.post(f"/review/items/{item['id']}/undo", {})
    assert undone.json()["state"] == "held"
    now = ada.get(f"/review/items/{item['id']}").json()
    refused = ada.act(f"/review/items/{item['id']}/reject", **seen(now))
    assert (refused.status_code, refused.json()["type"]) == (422, "NeedsReason")
    assert ada.act(f"/review/items/{item['id']}/reject", **seen(now, note="hearsay")).json()["state"] == "rejected"
    assert ada.get("/review/summary").json()["held"] == 0


def test_other_words_are_promoted_beside_the_original(api: Api) -> None:
    ada, item = api.operator(), held(api)
    edited = ada.act(
        f"/review/items/{item['id']}/edit", **seen(item, note="spelling"), text="The user's employer is Contoso Ltd."
    ).json()
    assert edited["other"]
    assert ada.get(f"/review/items/{edited['other']}").json()["text"] == "The user's employer is Contoso Ltd."
    assert ada.get(f"/review/items/{item['id']}").json()["state"] == "rejected"


def test_a_look_at_anothers_words_is_audited(api: Api) -> None:
    ben = api.member("ben")
    item = held(api, who=ben)
    api.operator().get(f"/review/items/{item['id']}")
    [entry, *_] = api.operator().get("/audit", action="candidate:read").json()["entries"]
    assert (entry["actor"], entry["owner"]) == (api.console.admin.user_id, ben.user_id)
    assert "Contoso" not in api.operator().get("/audit", limit=500).text


def test_ones_own_memory_is_tended(api: Api) -> None:
    api.console.ask("I live in Lisbon.")
    ada = api.operator()
    [home] = [one for one in ada.get("/own/memories", text="Lisbon").json()["memories"] if one["kind"] != "event"]
    told = ada.get(f"/own/memories/{home['id']}").json()
    assert "I live in Lisbon" in told["source_excerpt"]
    assert told["decisions"][0]["verdict"] == "admit"
    for verb, status in (("pin", 204), ("unpin", 204), ("archive", 204), ("archive", 422), ("restore", 204)):
        answer = ada.post(f"/own/memories/{home['id']}/{verb}", {})
        assert answer.status_code == status, (verb, answer.text)
    assert ada.act(f"/own/memories/{home['id']}/forget", reason="moved").status_code == 204
    assert ada.get("/own/memories", text="Lisbon", status="deleted").json()["total"] >= 1
    assert ada.post(f"/own/memories/{home['id']}/restore", {}).status_code == 204
    assert ada.act(f"/own/memories/{home['id']}/correct", text="I live in Porto.").status_code == 202
    api.console.settle()
    assert "Porto" in ada.get("/own/memories").text


def test_the_audit_verifies_and_its_head_can_be_noted(api: Api) -> None:
    api.console.ask("I live in Lisbon.")
    ben = api.operator(api.member("ben"))
    report = ben.get("/audit/verify", anew=True).json()
    assert report["ok"] is True
    head = ben.get("/audit/head").json()
    assert head == report["head"]
    assert {one["owner"] for one in ben.get("/audit").json()["entries"]} <= {
        ben.get("/sessions/current").json()["user_id"]
    }
    assert api.operator().get("/audit", action="episode:").json()["total"] >= 1


def test_an_export_is_ones_own_whole_memory_signed(api: Api) -> None:
    api.console.ask("I live in Lisbon.")
    api.console.ask("My sister's name is Rita.", actor=api.member("ben"))
    answer = api.operator().get("/export")
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    first, *_, last = [json.loads(line) for line in answer.text.splitlines()]
    assert (first["type"], last["type"]) == ("header", "trailer")
    assert "Lisbon" in answer.text
    assert "Rita" not in answer.text


def test_a_policy_is_seen_by_all_and_tried_by_admins(api: Api) -> None:
    held(api)
    ben = api.operator(api.member("ben"))
    now = ben.get("/policy").json()
    assert now["settings"]["trust.threshold"] == api.console.layer.policy.trust.threshold
    refused = ben.act("/policy/dry-run", change={"trust.threshold": 0.1})
    assert refused.status_code == 403
    tried = api.operator().act("/policy/dry-run", change={"trust.threshold": 0.1}).json()
    assert tried["compared_with"] == now["digest"]
    assert tried["differences"] == [
        {"setting": "trust.threshold", "before": now["settings"]["trust.threshold"], "after": 0.1}
    ]
    assert tried["held"]["after"] < tried["held"]["before"]
    assert api.operator().act("/policy/dry-run", change={"no.such": 1}).status_code == 422
    assert api.operator().get("/policy").json()["digest"] == now["digest"], "nothing changed"
