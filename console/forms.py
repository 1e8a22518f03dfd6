"""The HTML pages outside Streamlit: sign in, set up, invitation, sign out, waiting. Ordinary forms, no script.

Every value passes `html.escape`; the style sheet and the picture are local files, so no page makes an outside call.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from string import Template

from console import words
from core.credentials import MIN_PASSWORD_CHARS

PRODUCT = "ChronoMemory"

_PAGE = Template(
    """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
$refresh<title>$title · $product</title>
<link rel="icon" href="/favicon.png">
<link rel="stylesheet" href="/gate.css">
</head>
<body>
<main>
<p class="brand"><img src="/favicon.png" alt="" width="28" height="28">$product</p>
<h1>$title</h1>
$body
</main>
<footer>Memory that is governed, not just stored.</footer>
</body>
</html>
"""
)

_FIELD = Template(
    """<label for="$name">$label</label>
<input id="$name" name="$name" type="$kind" autocomplete="$autocomplete" value="$value" $extra>
"""
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Notice:
    """A line above the form."""

    text: str
    good: bool = False


def _page(title: str, body: str, *, refresh_seconds: int | None = None) -> str:
    refresh = "" if refresh_seconds is None else f'<meta http-equiv="refresh" content="{refresh_seconds}">\n'
    return _PAGE.substitute(title=escape(title), product=PRODUCT, body=body, refresh=refresh)


def demo_marked(html: str) -> str:
    """A page with a line above it that says whose data this is: a demonstration's."""
    strip = f'<p class="demo" role="note"><strong>{words.DEMO}</strong> {words.DEMO_DETAIL}</p>\n<main>'
    return html.replace("<main>", strip, 1)


def _field(
    name: str, label: str, *, kind: str = "text", autocomplete: str = "off", value: str = "", extra: str = ""
) -> str:
    return _FIELD.substitute(
        name=name, label=escape(label), kind=kind, autocomplete=autocomplete, value=escape(value), extra=extra
    )


def _hidden(name: str, value: str) -> str:
    return f'<input type="hidden" name="{name}" value="{escape(value)}">\n'


def _notice(notice: Notice | None) -> str:
    if notice is None:
        return ""
    kind, role = ("good", "status") if notice.good else ("bad", "alert")
    return f'<p class="notice {kind}" role="{role}">{escape(notice.text)}</p>\n'


def _form(action: str, csrf: str, fields: str, button: str) -> str:
    return (
        f'<form method="post" action="{escape(action)}">\n{_hidden("csrf", csrf)}{fields}'
        f'<button type="submit">{escape(button)}</button>\n</form>'
    )


def sign_in_page(*, csrf: str, username: str = "", target: str = "/", notice: Notice | None = None) -> str:
    """The sign-in form; `target` is where to go afterwards."""
    fields = (
        _hidden("next", target)
        + _field(
            "username",
            "User name",
            autocomplete="username",
            value=username,
            extra='required autocapitalize="none" spellcheck="false"' + ("" if username else " autofocus"),
        )
        + _field(
            "password",
            "Password",
            kind="password",
            autocomplete="current-password",
            extra="required" + (" autofocus" if username else ""),
        )
    )
    body = _notice(notice) + _form("/login", csrf, fields, "Sign in")
    return _page("Sign in", body + '<p class="hint">No account? An admin can send you an invitation link.</p>')


def _new_account_fields(*, username: str, fixed: bool, display_name: str) -> str:
    lock = "readonly" if fixed else "autofocus"
    return (
        _field(
            "username",
            "User name",
            autocomplete="username",
            value=username,
            extra=f'required minlength="3" maxlength="40" autocapitalize="none" spellcheck="false" {lock}',
        )
        + _field("display_name", "Name shown to others (optional)", autocomplete="name", value=display_name)
        + _field(
            "password",
            f"Password (at least {MIN_PASSWORD_CHARS} characters)",
            kind="password",
            autocomplete="new-password",
            extra=f'required minlength="{MIN_PASSWORD_CHARS}"',
        )
        + _field("again", "Password again", kind="password", autocomplete="new-password", extra="required")
    )


def setup_page(
    *, csrf: str, token: str, username: str = "", display_name: str = "", notice: Notice | None = None
) -> str:
    """The form of the first admin."""
    fields = _hidden("token", token) + _new_account_fields(username=username, fixed=False, display_name=display_name)
    body = "<p>This makes the first account. It is an admin: it invites people and gives them roles.</p>"
    return _page("Set up", body + _notice(notice) + _form("/setup", csrf, fields, "Make the admin account"))


def setup_hint_page() -> str:
    """What to do when no account exists and the browser has no valid link."""
    return _page(
        "Set up",
        "<p>No account exists yet. The first one is made with a one-time link, which the server writes to its log"
        " at start:</p>"
        "<pre>Set-up link: …/setup?token=…</pre>"
        "<p>Open that link here. Restarting the server makes a new link; the old one stops working.</p>",
    )


def invitation_page(
    *,
    csrf: str,
    token: str,
    role: str,
    username: str,
    fixed: bool,
    display_name: str = "",
    notice: Notice | None = None,
) -> str:
    """The form behind an invitation link; `fixed` when the admin chose the user name."""
    fields = _hidden("token", token) + _new_account_fields(username=username, fixed=fixed, display_name=display_name)
    body = f"<p>You are invited with the role <strong>{escape(role)}</strong>.</p>"
    return _page("Make your account", body + _notice(notice) + _form("/invite", csrf, fields, "Make my account"))


def sign_out_page(*, csrf: str) -> str:
    """Asks before signing out, for browsers that come here by a link."""
    body = "<p>Sign out of this browser?</p>" + _form("/logout", csrf, "", "Sign out")
    return _page("Sign out", body + '<p class="hint"><a href="/">Back</a></p>')


def message_page(title: str, text: str, *, link: tuple[str, str] | None = None) -> str:
    """A plain message with an optional (address, label) link."""
    after = f'<p><a href="{escape(link[0])}">{escape(link[1])}</a></p>' if link else ""
    return _page(title, f"<p>{escape(text)}</p>{after}")


def bounce_page() -> str:
    """A page that loads its own address again at once."""
    return _page("Opening", '<p role="status">One moment…</p>', refresh_seconds=0)


def waiting_page(title: str, text: str, *, seconds: int = 3) -> str:
    """A page that retries by itself."""
    body = f'<p role="status"><span class="dot" aria-hidden="true"></span>{escape(text)}</p>'
    return _page(title, body + '<p class="hint">This page retries by itself.</p>', refresh_seconds=seconds)
