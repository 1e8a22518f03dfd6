"""Security headers of every response (console.md §1.5)."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import lru_cache
from pathlib import Path

_INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_PLAIN_HOST = re.compile(r"[A-Za-z0-9.:\[\]-]{1,255}")

# Own pages hold one form, one style sheet and one picture: nothing else may load, no script at all.
FORM_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)

# The one script of a page, see `console.cursor`. Enter and Escape leave the field: the next key is a verb again.
CURSOR = (
    "{const box=document.querySelector('.st-key-q input');"
    "box?.addEventListener('keydown',key=>{if(key.key==='Enter'||key.key==='Escape')setTimeout(()=>box.blur())});"
    "box?.focus()}"
)

_NO_FEATURES = (
    b"accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(),"
    b" payment=(), usb=()"
)
_COMMON: tuple[tuple[bytes, bytes], ...] = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", _NO_FEATURES),
)
_HSTS = (b"strict-transport-security", b"max-age=31536000")


@lru_cache(maxsize=1)
def _inline_script_hashes() -> tuple[str, ...]:
    """CSP sources of the inline scripts in Streamlit's index.html and of `console.cursor`: exact hashes, no others."""
    from streamlit import file_util  # noqa: PLC0415  # the wheel's folder is known to Streamlit only

    page = (Path(file_util.get_static_dir()) / "index.html").read_bytes()
    return tuple(
        "'sha256-" + base64.b64encode(hashlib.sha256(script).digest()).decode("ascii") + "'"
        for script in [*_INLINE_SCRIPT.findall(page), CURSOR.encode("ascii")]
    )


@lru_cache(maxsize=64)
def app_policy(host: str) -> str:
    """Content-Security-Policy of the Streamlit app served under this Host header.

    Styles may be inline (Streamlit's emotion writes them); scripts may not: the one in index.html is named by its
    hash. Pictures come from here only, so text that names an outside picture makes no browser call out.
    """
    sockets = f" ws://{host} wss://{host}" if _PLAIN_HOST.fullmatch(host) else ""
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self' " + " ".join(_inline_script_hashes()),
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "media-src 'self' blob:",
            f"connect-src 'self'{sockets}",
            "worker-src 'self' blob:",
            "frame-src 'self'",
            "manifest-src 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
            "base-uri 'self'",
            "object-src 'none'",
        )
    )


def secured(
    headers: list[tuple[bytes, bytes]], *, policy: str, referrer: bytes, https: bool, no_store: bool
) -> list[tuple[bytes, bytes]]:
    """The response headers with the security headers in place of any of the same name."""
    ours = [
        *_COMMON,
        (b"content-security-policy", policy.encode("latin-1", "replace")),
        (b"referrer-policy", referrer),
    ]
    if https:
        ours.append(_HSTS)
    if no_store:
        ours.append((b"cache-control", b"no-store"))
    names = {name for name, _ in ours} | {b"server"}
    return [pair for pair in headers if pair[0].lower() not in names] + ours
