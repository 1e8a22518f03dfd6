"""The only reader of the environment: one frozen Settings (style.md: never read the environment at import).

Every field can be set by an environment variable of its name in upper case, or in a `.env` file beside `app.py`.
"""

from __future__ import annotations

import ipaddress
import os
import re
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

SHORTEST_TOKEN = 24  # characters of the admin token and of the one that opens /metrics


# An address may itself hold commas: postgresql://first,second/database names two hosts of one.
_BETWEEN = re.compile(r"\s+|\s*,\s*(?=postgres(?:ql)?://)")


class Settings(BaseSettings):
    """Configuration of one installation; every default works on a fresh machine without a key."""

    model_config = SettingsConfigDict(env_file=".env", env_file_encoding="utf-8", extra="ignore", frozen=True)

    # where the data lives
    chronomemory_data: Path = Field(default=Path("data"), description="folder of the ledger and the embedded server")
    database_url: str = Field(default="", description="Postgres >= 15 with pgvector >= 0.8; empty: embedded server")
    database_direct_url: str = Field(
        default="", description="the way past a pooler, for migrations and upkeep, where DATABASE_URL goes through one"
    )
    ledger_url: SecretStr = Field(
        default=SecretStr(""), description="a second Postgres database that is the ledger; empty: a file in the folder"
    )
    database_read_urls: str = Field(
        default="", description="streaming replicas that recall may read from: postgresql://… addresses, by spaces"
    )
    database_read_staleness_seconds: float = Field(
        default=5.0, ge=0.5, le=3600, description="how far a replica may be behind the primary and still be read"
    )
    chronomemory_demo: bool = Field(default=False, description="the folder holds made-up data; every page says so")
    chronomemory_policy: Path | None = Field(default=None, description="policy file; none: core/policies/default.toml")

    # models (rules §7.1); without a key and a base URL the rules do the work
    openai_base_url: str = Field(default="", description="OpenAI-compatible endpoint of the agent model")
    openai_api_key: SecretStr = Field(default=SecretStr(""), description="key for the conversation")
    background_base_url: str = Field(default="", description="endpoint of the background roles; empty: the same")
    background_api_key: SecretStr = Field(default=SecretStr(""), description="key of the background roles")
    agent_model: str = "qwen3.6-plus"
    agent_model_fallback: str = ""
    background_model: str = "qwen3.6-flash"
    background_model_fallback: str = ""
    model_deadline_seconds: float = Field(default=60.0, gt=0, description="one call with its retries")
    context_budget_tokens: int = Field(default=6000, ge=512, description="prompt budget for head and memories")

    # embeddings
    embedding_model: str = Field(default="", description="path or hub name; empty: the packaged all-MiniLM-L6-v2")
    embedding_base_url: str = Field(default="", description="OpenAI-compatible embeddings endpoint")
    embedding_api_key: SecretStr = SecretStr("")

    # the console
    port: int = Field(default=8501, ge=1, le=65535)
    chronomemory_address: str = Field(default="127.0.0.1", description="address the console binds")
    chronomemory_public_url: str = Field(default="", description="address people type; https makes cookies Secure")
    chronomemory_trusted_proxies: str = Field(default="", description="own proxies: addresses, networks")
    chronomemory_worker: bool = Field(default=True, description="run the worker as a thread of this process")
    chronomemory_members_see_held: bool = Field(default=True, description="members see their own held items")
    chronomemory_admin_user: str = Field(default="", description="user name of an admin to create at first start")
    chronomemory_admin_password: SecretStr = Field(default=SecretStr(""), description="that admin's first password")
    chronomemory_password: SecretStr = Field(
        default=SecretStr(""), description="whose command it is, for scripts; a person is asked"
    )
    idle_minutes: float = Field(default=30.0, gt=0)
    absolute_hours: float = Field(default=12.0, gt=0)

    # a notice to another system when items wait too long for a reviewer
    chronomemory_webhook_url: str = Field(default="", description="address that notices are posted to; empty: none")
    chronomemory_webhook_secret: SecretStr = Field(
        default=SecretStr(""), description="key that notices are signed with"
    )
    chronomemory_webhook_after_hours: float = Field(
        default=24.0, gt=0, description="age at which a held item has waited for too long: the queue's target"
    )

    chronomemory_webhook_events: str = Field(
        default="", description="also tell it what happened: beginnings of audit actions, as candidate:,policy:adopted"
    )

    # the HTTP interface
    api_requests_per_minute: int = Field(default=6000, ge=1, description="of one agent key, counted in the database")
    api_burst: int = Field(default=400, ge=1, description="requests of one key that may come at once")
    chronomemory_agent_key: SecretStr = Field(
        default=SecretStr(""), description="whose memory `chronomemory mcp` opens"
    )
    api_feeds: int = Field(default=64, ge=1, description="live feeds open at once in one process")
    api_feeds_of_person: int = Field(default=4, ge=1, description="and of one person")
    api_max_body_bytes: int = Field(default=4_500_000, ge=1000, description="of one request")
    chronomemory_proxy: bool = Field(default=True, description="serve /v1: the agent model with memory, by agent key")
    chronomemory_proxy_when_down: Literal["refuse", "pass"] = Field(
        default="refuse", description="what /v1 does without memory; a caller's header can say otherwise"
    )

    # one chosen memory for programs of the small contract (/recall, /remember …), and its public, read-only face
    chronomemory_admin_token: SecretStr = Field(
        default=SecretStr(""), description="opens the contract's writing half; empty: it answers 503"
    )
    chronomemory_corpus_user: str = Field(default="", description="user name of whose memory the contract is about")
    chronomemory_corpus_space: str = Field(default="corpus", min_length=1, max_length=40, description="which of theirs")
    chronomemory_public_face: bool = Field(
        default=False, description="answer /recall, /stats and /health about it to everybody, without a key"
    )
    public_requests_per_minute: int = Field(default=60, ge=1, description="of one address at the public face")
    public_burst: int = Field(default=20, ge=1, description="requests of one address that may come at once")

    # what an operator watches (docs/observability.md)
    chronomemory_metrics_token: SecretStr = Field(
        default=SecretStr(""), description="opens /metrics; empty: there is no such address"
    )
    chronomemory_worker_metrics_port: int = Field(
        default=0, ge=0, le=65535, description="of 127.0.0.1, where a worker of its own answers /metrics; 0: nowhere"
    )
    chronomemory_log: Literal["text", "json"] = Field(default="text", description="form of the log's lines")
    chronomemory_log_requests: bool = Field(
        default=False, description="a line for every request of a program, not only for those that end in a fault"
    )
    otel_traces_exporter: str = Field(default="", description="otlp: send traces; none: never")
    otel_exporter_otlp_endpoint: str = Field(default="", description="collector that traces are sent to; empty: none")
    otel_exporter_otlp_traces_endpoint: str = Field(default="", description="the same, as the whole address")
    otel_exporter_otlp_protocol: str = Field(default="", description="http/protobuf is the only one")
    otel_exporter_otlp_traces_protocol: str = Field(default="", description="the same, for traces alone")
    otel_sdk_disabled: str = Field(default="", description="true: no traces, whatever else is set")
    otel_service_name: str = Field(default="", description="name in the traces; empty: chronomemory")

    # limits
    max_message_chars: int = Field(default=20_000, ge=100)
    max_attachment_bytes: int = Field(default=5_000_000, ge=1000)
    max_attachment_chars: int = Field(default=400_000, ge=1000)
    max_import_bytes: int = Field(default=4_000_000_000, ge=1000, description="one file that is imported")
    max_import_whole_bytes: int = Field(default=100_000_000, ge=1000, description="of it what must be read whole")
    max_import_unpacked_bytes: int = Field(default=8_000_000_000, ge=1000, description="of a .zip, unpacked")
    max_import_entries: int = Field(default=200_000, ge=1, description="notes, mails, events or lines of one file")
    max_upload_megabytes: int = Field(default=200, ge=1, description="a file that is imported on the page")

    @field_validator(
        "openai_base_url",
        "background_base_url",
        "embedding_base_url",
        "chronomemory_webhook_url",
        "otel_exporter_otlp_endpoint",
        "otel_exporter_otlp_traces_endpoint",
    )
    @classmethod
    def _http(cls, value: str) -> str:
        if value and not value.startswith(("http://", "https://")):
            msg = "must start with http:// or https://"
            raise ValueError(msg)
        return value.rstrip("/")

    @field_validator("chronomemory_admin_token", "chronomemory_metrics_token")
    @classmethod
    def _long(cls, value: SecretStr) -> SecretStr:
        if 0 < len(value.get_secret_value()) < SHORTEST_TOKEN:
            msg = f"must have at least {SHORTEST_TOKEN} characters"
            raise ValueError(msg)
        return value

    @field_validator("chronomemory_trusted_proxies")
    @classmethod
    def _networks(cls, value: str) -> str:
        for one in value.split(","):
            try:
                if one.strip():
                    ipaddress.ip_network(one.strip(), strict=False)
            except ValueError:
                msg = f"{one.strip()} is neither an address (192.0.2.1) nor a network (192.0.2.0/24)"
                raise ValueError(msg) from None
        return value

    @property
    def read_urls(self) -> tuple[str, ...]:
        """Addresses of the replicas that recall may read from; none by default."""
        return tuple(one.strip(",") for one in _BETWEEN.split(self.database_read_urls) if one.strip(","))

    @property
    def own_proxies(self) -> tuple[str, ...]:
        """Addresses and networks whose forwarding headers are believed; none by default."""
        return tuple(one.strip() for one in self.chronomemory_trusted_proxies.split(",") if one.strip())

    @property
    def webhook_kinds(self) -> tuple[str, ...]:
        """Beginnings of the audit actions that another system is told of; none by default."""
        return tuple(one.strip() for one in self.chronomemory_webhook_events.split(",") if one.strip())

    @property
    def sends_traces(self) -> bool:
        """Whether spans go to a collector: one is named, or the exporter is, and nothing turns them off."""
        exporter = self.otel_traces_exporter.strip().lower()
        named = self.otel_exporter_otlp_endpoint or self.otel_exporter_otlp_traces_endpoint or exporter == "otlp"
        return bool(named) and exporter != "none" and self.otel_sdk_disabled.strip().lower() != "true"

    @property
    def has_model(self) -> bool:
        """Whether a language model is configured: a key, or an endpoint that needs none."""
        return bool(self.openai_api_key.get_secret_value() or self.openai_base_url)

    @property
    def databases(self) -> str:
        """Addresses of own databases; "" where both stores are in the data folder."""
        return f"{self.database_url} {self.database_read_urls} {self.ledger_url.get_secret_value()}".strip()

    @property
    def ledger_path(self) -> Path:
        """The SQLite file."""
        return self.chronomemory_data / "ledger.sqlite3"

    @property
    def postgres_path(self) -> Path:
        """The embedded server's data folder."""
        return self.chronomemory_data / "postgres"

    @property
    def secret_path(self) -> Path:
        """The installation's secret: keys of the row MAC and of the audit HMAC."""
        return self.chronomemory_data / "secret"

    @property
    def secure_cookies(self) -> bool:
        """Cookies are Secure unless the console is served in plain HTTP (localhost)."""
        return self.chronomemory_public_url.startswith("https://")


def environment_of(settings: Settings) -> dict[str, str]:
    """This process's environment for a child that is started in another folder: the data folder stays this one's."""
    own = {"CHRONOMEMORY_DATA": str(settings.chronomemory_data.resolve()), "PORT": str(settings.port)}
    return {**os.environ, **own}  # noqa: TID251 - this is the one room that reads it
