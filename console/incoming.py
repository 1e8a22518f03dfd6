"""What the gate reads off a request: headers, cookies, the client's address, and the form it posted. No decisions."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from urllib.parse import parse_qs, urlsplit

from starlette.requests import cookie_parser
from starlette.types import Receive, Scope

from core.addresses import bare_host, came_by_own_proxy, client_address
from core.errors import BadInput, TooLarge

MAX_FORM_BYTES = 16 * 1024
MAX_TARGET_CHARS = 2000


def header(scope: Scope, name: bytes) -> str:
    """The first header of that (lower-case) name, or an empty string."""
    return next((str(value, "latin-1") for key, value in scope["headers"] if key == name), "")


def cookie(scope: Scope, name: str) -> str:
    """A cookie's value, or an empty string. The parser skips malformed neighbours (other programs on localhost)."""
    for key, value in scope["headers"]:
        if key == b"cookie":
            found = cookie_parser(str(value, "latin-1")).get(name)
            if found:
                return found
    return ""


def query(scope: Scope, name: str) -> str:
    """The first value of a query parameter, or an empty string."""
    parsed = parse_qs(str(scope.get("query_string", b""), "latin-1"), max_num_fields=20)
    return parsed.get(name, [""])[0]


def is_page_load(scope: Scope) -> bool:
    """Whether a browser asks for a page to show (as against a script, picture or fetch)."""
    if scope["method"] not in {"GET", "HEAD"} or "text/html" not in header(scope, b"accept"):
        return False
    return header(scope, b"sec-fetch-mode") in {"", "navigate"}


def forwarded_https(scope: Scope, trusted: Iterable[str]) -> bool:
    """Whether an own proxy says that the browser spoke HTTPS to it (X-Forwarded-Proto)."""
    said = [value for key, value in scope["headers"] if key == b"x-forwarded-proto"]
    if not said or said[-1].decode("latin-1").rpartition(",")[2].strip().lower() != "https":
        return False
    return came_by_own_proxy(scope, trusted)


def host_allowed(scope: Scope, public_host: str) -> bool:
    """Whether the Host header is a name this console goes by.

    With a public address configured: that host, or loopback. Without: any IP address, localhost, or a name without
    dots (a container's). A foreign domain that points here is refused (DNS rebinding).
    """
    name = bare_host(header(scope, b"host")).lower()
    if not name:
        return False
    if name in {"localhost", public_host}:
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return not public_host and "." not in name
    return address.is_loopback or not public_host


def same_origin(scope: Scope, public_url: str) -> bool:
    """Whether the browser sent this from a page of ours. A missing Origin passes: only programs leave it out."""
    origin = header(scope, b"origin")
    fetch_site = header(scope, b"sec-fetch-site")
    if fetch_site not in {"", "same-origin", "none"}:
        return False
    if not origin:
        return True
    try:
        netloc = urlsplit(origin).netloc
    except ValueError:
        return False
    return bool(netloc) and netloc in {header(scope, b"host"), urlsplit(public_url).netloc}


def safe_target(target: str) -> str:
    """An address of this console to go to after signing in; anything else becomes the front page."""
    plain = (
        target.startswith("/")
        and not target.startswith(("//", "/\\", "/login", "/logout", "/setup", "/invite", "/auth", "/_stcore"))
        and target.isprintable()
        and target.isascii()
        and "\\" not in target
        and len(target) <= MAX_TARGET_CHARS
    )
    return target if plain else "/"


async def read_form(scope: Scope, receive: Receive) -> dict[str, str]:
    """The posted form, first value of each field.

    Raises:
        TooLarge: over 16 KB, said by the header or found while reading.
        BadInput: not a form, or the browser went away.
    """
    if header(scope, b"content-type").partition(";")[0].strip().lower() != "application/x-www-form-urlencoded":
        msg = "This address takes a form."
        raise BadInput(msg)
    body = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            msg = "The browser went away."
            raise BadInput(msg)
        body += message.get("body", b"")
        if len(body) > MAX_FORM_BYTES:
            msg = f"The form is over {MAX_FORM_BYTES // 1024} KB."
            raise TooLarge(msg)
        more = message.get("more_body", False)
    try:
        fields = parse_qs(body.decode("utf-8"), keep_blank_values=True, max_num_fields=20)
    except ValueError as error:
        msg = "The form cannot be read."
        raise BadInput(msg) from error
    return {name: values[0] for name, values in fields.items()}


__all__ = [
    "client_address",
    "cookie",
    "forwarded_https",
    "header",
    "host_allowed",
    "is_page_load",
    "query",
    "read_form",
    "safe_target",
    "same_origin",
]
