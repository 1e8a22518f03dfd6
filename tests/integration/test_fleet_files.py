"""deploy/compose.yaml: parsed and compared with what it must agree with; its nginx run before two small servers."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from core.settings import Settings
from tests.integration.test_nginx import MAIN, NGINX, free_port

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8")
WHOLE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = WHOLE["services"]
PROGRAMS = ("console-a", "console-b", "worker-a", "worker-b")


def test_it_names_two_consoles_two_workers_nginx_and_two_servers():
    assert set(SERVICES) == {*PROGRAMS, "nginx", "memory", "ledger"}


def test_no_password_has_a_default():
    for variable in re.findall(r"\$\{(\w*PASSWORD\w*)([^}]*)\}", TEXT):
        assert variable[1].startswith(":?"), variable
    assert not re.search(r"://[^/\s]*:[^/\s]*@", TEXT)


def test_services_run_without_rights_on_a_read_only_root():
    for name, service in SERVICES.items():
        assert service["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert not service.get("privileged"), name
        assert service.get("read_only") or name == "nginx", name


def test_only_nginx_is_reached_and_from_this_machine_only():
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["nginx"]
    assert all(str(port).startswith("127.0.0.1:") for port in SERVICES["nginx"]["ports"])
    for name in ("memory", "ledger"):
        assert SERVICES[name]["networks"] == ["inside"]
    assert WHOLE["networks"]["inside"]["internal"] is True


def test_the_two_stores_are_two_servers_with_passwords_and_volumes_of_their_own():
    given = SERVICES["console-a"]["environment"]
    assert "host=memory" in given["DATABASE_URL"]
    assert "host=ledger" in given["LEDGER_URL"]
    passwords = {SERVICES[name]["environment"]["POSTGRES_PASSWORD"].partition(":")[0] for name in ("memory", "ledger")}
    assert len(passwords) == 2
    volumes = [SERVICES[name]["volumes"][0].partition(":")[0] for name in ("memory", "ledger")]
    assert volumes == ["memory", "ledger"]
    assert {*volumes, "data"} == set(WHOLE["volumes"])


def test_every_setting_that_is_handed_on_exists_and_all_programs_have_the_same_stores():
    known = {name.upper() for name in Settings.model_fields} | {"PGPASSWORD"}
    for name in PROGRAMS:
        given = SERVICES[name]["environment"]
        assert set(given) <= known, name
        assert [given[key] for key in ("DATABASE_URL", "LEDGER_URL")] == [
            SERVICES["console-a"]["environment"][key] for key in ("DATABASE_URL", "LEDGER_URL")
        ]
    assert SERVICES["console-a"]["environment"]["CHRONOMEMORY_WORKER"] == "false"
    assert SERVICES["worker-a"]["command"][-1] == "core.entrypoints.worker"


class Stub(BaseHTTPRequestHandler):
    """Says which of the two it is."""

    def do_GET(self) -> None:
        said = str(self.server.server_address[1]).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_given: object) -> None:
        """Nothing."""


@contextmanager
def stub() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Stub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def site(folder: Path, port: int, consoles: list[int]) -> str:
    """The files that the container's command makes, by that command's own `sed`, for this test's ports."""
    [_sh, _c, command] = SERVICES["nginx"]["command"]
    made = command.partition(" > ")[0].replace("/sample/nginx.conf", str(ROOT / "deploy" / "nginx.conf"))
    text = subprocess.run(shlex.split(made), capture_output=True, text=True, check=True).stdout
    assert "upstream chronomemory" not in text
    upstream = WHOLE["configs"]["upstream"]["content"].replace("$$", "$")
    for name, console in zip(("console-a", "console-b"), consoles, strict=True):
        upstream = upstream.replace(f"{name}:8501", f"127.0.0.1:{console}")
    text = text.replace("listen 8080;", f"listen 127.0.0.1:{port};").replace("/dev/stdout", str(folder / "access.log"))
    return upstream + text


@pytest.mark.skipif(NGINX is None, reason="nginx is not installed: install the package `nginx-light`")
def test_a_browser_stays_with_its_console_and_moves_to_the_other_when_it_is_away(tmp_path):
    folder = tmp_path / "nginx"
    folder.mkdir(mode=0o755)
    port = free_port()
    with stub() as first, stub() as second:
        (folder / "site.conf").write_text(site(folder, port, [first.server_port, second.server_port]))
        user = "user root;" if os.geteuid() == 0 else ""
        (folder / "main.conf").write_text(MAIN.format(user=user, folder=folder))
        assert NGINX is not None
        process = subprocess.Popen([NGINX, "-p", str(folder), "-c", str(folder / "main.conf")])
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=10) as http:

                def answered(token: str) -> str:
                    cookie = f"other=1; __Host-chronomemory={token}; theme=dark"
                    return http.get("/", headers={"host": "memory.example.org", "cookie": cookie}).text

                until_up(http)
                seen = {token: Counter(answered(token) for _ in range(4)) for token in map(str, range(40))}
                assert all(len(count) == 1 for count in seen.values())  # each stays
                assert len({next(iter(count)) for count in seen.values()}) == 2  # not all with one
                moved = next(one for one, count in seen.items() if str(first.server_port) in count)
                first.shutdown()
                first.server_close()
                assert answered(moved) == str(second.server_port)
        finally:
            process.terminate()
            process.wait(timeout=20)


def until_up(http: httpx.Client) -> None:
    for _ in range(100):
        try:
            http.get("/", headers={"host": "memory.example.org"})
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("nginx does not answer")
