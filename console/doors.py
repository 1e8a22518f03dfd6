"""The gate's own pages: sign in, sign out, set up, accept an invitation. Forms in, cookies and redirects out.

Every POST is checked for its origin, its size and a token bound to a cookie of this browser (CSRF), in this order.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from typing import TypeVar

import anyio
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope

from console import forms
from console.forms import Notice
from console.headers import FORM_POLICY, secured
from console.incoming import client_address, cookie, header, query, read_form, safe_target, same_origin
from console.startup import Startup
from core.errors import BadInput, NotAuthorised, TooLarge, TooManyAttempts, Unavailable
from core.model import Actor

DOORS = frozenset({"/login", "/logout", "/auth/logout", "/setup", "/invite"})
_EXPIRED = Notice(text="This form had expired. Nothing was sent; please fill it in once more.")
_START_SECONDS = 30.0  # a sign-in waits this long for a store that is coming up
_POLL_SECONDS = 0.2
_PASSWORDS_AT_ONCE = 2  # bcrypt takes a core for a quarter of a second: a flood of sign-ins must not starve the pages

Result = TypeVar("Result")


def page(html: str, *, status: int = 200, headers: dict[str, str] | None = None, https: bool = False) -> Response:
    """A page of the gate. Referrer-Policy is same-origin: with no-referrer, browsers post forms with Origin: null."""
    response = Response(html, status_code=status, media_type="text/html", headers=headers)
    return _secure(response, https=https)


def _secure(response: Response, *, https: bool) -> Response:
    response.raw_headers = secured(
        response.raw_headers, policy=FORM_POLICY, referrer=b"same-origin", https=https, no_store=True
    )
    return response


async def unavailable_page(startup: Startup) -> Response:
    """A 503 page: still starting, unable to start, or the store is down."""
    if startup.problem:
        html = forms.message_page("Not running", startup.problem)
    elif await anyio.to_thread.run_sync(startup.starting):
        html = forms.waiting_page("Starting", "The store is coming up; this takes a few seconds.", seconds=2)
    else:
        html = forms.waiting_page(
            "The store is not reachable",
            "Nothing is lost: the ledger keeps what has been said. You can go on as soon as the store answers.",
        )
    if startup.settings.chronomemory_demo:
        html = forms.demo_marked(html)
    return page(html, status=503, headers={"retry-after": "3"})


class Lane:
    """Passwords hashed at once, in the whole process."""

    def __init__(self) -> None:
        """Nothing is bound to an event loop yet."""
        self._limiter: anyio.CapacityLimiter | None = None

    def limiter(self) -> anyio.CapacityLimiter:
        """The limiter of the running event loop."""
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(_PASSWORDS_AT_ONCE)
        return self._limiter


class Doors:
    """Answers the addresses in `DOORS`."""

    def __init__(self, startup: Startup, *, https: bool, lane: Lane) -> None:
        """Take people from `startup`; the CSRF key lives as long as the process.

        Args:
            startup: where people and sessions come from.
            https: whether the browsers that come here speak HTTPS: their cookies are Secure then.
            lane: for password hashing, shared by every door of the process.
        """
        self._startup = startup
        self._settings = startup.settings
        self._https = https
        self._csrf_key = secrets.token_bytes(32)
        self._lane = lane
        prefix = "__Host-" if self._https else ""
        self.session_cookie = f"{prefix}chronomemory"
        self._csrf_cookie = f"{prefix}chronomemory-form"

    async def answer(self, scope: Scope, receive: Receive) -> Response:
        """The response to one request."""
        post = scope["method"] == "POST"
        if not post and scope["method"] not in {"GET", "HEAD"}:
            return self._page(forms.message_page("Not here", "This address takes a form."), status=405)
        show, take = {
            "/login": (self._show_sign_in, self._sign_in),
            "/setup": (self._show_set_up, self._set_up),
            "/invite": (self._show_invitation, self._accept),
        }.get(scope["path"], (self._show_sign_out, self._sign_out))
        try:
            if not post:
                return await show(scope)
            if not same_origin(scope, self._settings.chronomemory_public_url):
                return self._wrong("This form was not sent from a page of this console.", status=403)
            return await take(scope, await read_form(scope, receive))
        except BadInput as error:
            return self._wrong(str(error), status=413 if isinstance(error, TooLarge) else 400)
        except Unavailable:
            return await unavailable_page(self._startup)

    # --- sign in ------------------------------------------------------------------------------------------------

    async def _show_sign_in(self, scope: Scope) -> Response:
        target = safe_target(query(scope, "next") or "/")
        if await self._coming_up():  # the form needs no store: whoever signs in meanwhile waits a few seconds for it
            patience = Notice(text="The store is coming up: signing in may take a few seconds.", good=True)
            return self._form(scope, lambda csrf: forms.sign_in_page(csrf=csrf, target=target, notice=patience))
        actor = await self._actor(scope)
        if actor is not None:
            return self._go(target)
        if await self._call(lambda: self._startup.accounts().needs_setup()):
            return self._page(forms.setup_hint_page())
        notices = {
            "out": Notice(text="You are signed out.", good=True),
            "made": Notice(text="Your account is ready. Sign in.", good=True),
        }
        notice = notices.get(query(scope, "notice"))
        return self._form(scope, lambda csrf: forms.sign_in_page(csrf=csrf, target=target, notice=notice))

    async def _sign_in(self, scope: Scope, fields: dict[str, str]) -> Response:
        username, target = fields.get("username", ""), safe_target(fields.get("next", "/"))

        def again(notice: Notice, status: int, headers: dict[str, str] | None = None) -> Response:
            return self._form(
                scope,
                lambda csrf: forms.sign_in_page(csrf=csrf, username=username[:80], target=target, notice=notice),
                status=status,
                headers=headers,
            )

        if not self._csrf_valid(scope, fields):
            return again(_EXPIRED, 403)
        address = client_address(scope, self._settings.own_proxies)
        with anyio.move_on_after(_START_SECONDS):
            while await self._coming_up():  # noqa: ASYNC110 - it comes up in threads, which have no event to await
                await anyio.sleep(_POLL_SECONDS)
        try:
            _, token = await self._call(
                lambda: self._startup.accounts().sign_in(
                    username,
                    fields.get("password", ""),
                    address,
                    header(scope, b"user-agent"),
                    previous_token=cookie(scope, self.session_cookie),
                ),
                slow=True,
            )
        except TooManyAttempts as error:
            return again(Notice(text=str(error)), 429, {"retry-after": "5"})
        except NotAuthorised as error:
            return again(Notice(text=str(error)), 401)
        response = self._go(target)
        self._set_cookie(response, self.session_cookie, token)
        return response

    # --- sign out -----------------------------------------------------------------------------------------------

    async def _show_sign_out(self, scope: Scope) -> Response:
        """Ask, unless the session has ended already (the sidebar's button ends it before it comes here)."""
        actor = await self._actor(scope)
        if actor is None:
            return self._left()
        return self._form(scope, lambda csrf: forms.sign_out_page(csrf=csrf))

    async def _sign_out(self, scope: Scope, fields: dict[str, str]) -> Response:
        if not self._csrf_valid(scope, fields):
            return self._form(scope, lambda csrf: forms.sign_out_page(csrf=csrf), status=403)
        actor = await self._actor(scope)
        if actor is not None:
            await self._call(lambda: self._startup.accounts().sign_out(actor))
        return self._left()

    def _left(self) -> Response:
        response = self._go("/login?notice=out")
        response.delete_cookie(self.session_cookie, path="/", secure=self._https, httponly=True, samesite="strict")
        return response

    # --- first admin --------------------------------------------------------------------------------------------

    async def _show_set_up(self, scope: Scope) -> Response:
        token = query(scope, "token")
        if not await self._call(lambda: self._startup.accounts().needs_setup()):
            return self._page(
                forms.message_page("Set up", "This console is set up already.", link=("/login", "Sign in"))
            )
        if not await self._call(lambda: self._startup.accounts().setup_token_valid(token)):
            return self._page(forms.setup_hint_page(), status=403 if token else 200)
        return self._form(scope, lambda csrf: forms.setup_page(csrf=csrf, token=token))

    async def _set_up(self, scope: Scope, fields: dict[str, str]) -> Response:
        token, username = fields.get("token", ""), fields.get("username", "")
        shown, password = fields.get("display_name", ""), fields.get("password", "")

        def again(notice: Notice, status: int) -> Response:
            return self._form(
                scope,
                lambda csrf: forms.setup_page(
                    csrf=csrf, token=token, username=username[:80], display_name=shown[:80], notice=notice
                ),
                status=status,
            )

        if not self._csrf_valid(scope, fields):
            return again(_EXPIRED, 403)
        if password != fields.get("again", ""):
            return again(Notice(text="The two passwords differ."), 400)
        try:
            await self._call(
                lambda: self._startup.accounts().create_first_admin(token, username, shown, password), slow=True
            )
        except NotAuthorised as error:
            return self._wrong(str(error), status=403)
        except BadInput as error:
            return again(Notice(text=str(error)), 400)
        return self._go("/login?notice=made")

    # --- invitation ---------------------------------------------------------------------------------------------

    async def _show_invitation(self, scope: Scope) -> Response:
        token = query(scope, "token")
        offered = await self._call(lambda: self._startup.accounts().invitation(token))
        if offered is None:
            return self._wrong("This invitation is not valid any more. Ask an admin for a new one.", status=403)
        return self._form(
            scope,
            lambda csrf: forms.invitation_page(
                csrf=csrf,
                token=token,
                role=offered.role.value,
                username=offered.username,
                fixed=bool(offered.username),
            ),
        )

    async def _accept(self, scope: Scope, fields: dict[str, str]) -> Response:
        token, username = fields.get("token", ""), fields.get("username", "")
        shown, password = fields.get("display_name", ""), fields.get("password", "")
        offered = await self._call(lambda: self._startup.accounts().invitation(token))
        if offered is None:
            return self._wrong("This invitation is not valid any more. Ask an admin for a new one.", status=403)

        def again(notice: Notice, status: int) -> Response:
            return self._form(
                scope,
                lambda csrf: forms.invitation_page(
                    csrf=csrf,
                    token=token,
                    role=offered.role.value,
                    username=offered.username or username[:80],
                    fixed=bool(offered.username),
                    display_name=shown[:80],
                    notice=notice,
                ),
                status=status,
            )

        if not self._csrf_valid(scope, fields):
            return again(_EXPIRED, 403)
        if password != fields.get("again", ""):
            return again(Notice(text="The two passwords differ."), 400)
        try:
            await self._call(
                lambda: self._startup.accounts().accept_invitation(token, username, shown, password), slow=True
            )
        except NotAuthorised as error:
            return self._wrong(str(error), status=403)
        except BadInput as error:
            return again(Notice(text=str(error)), 400)
        return self._go("/login?notice=made")

    # --- inner parts --------------------------------------------------------------------------------------------

    async def _call(self, work: Callable[[], Result], *, slow: bool = False) -> Result:
        """Run blocking work in a thread; password hashing in a narrow lane of its own."""
        return await anyio.to_thread.run_sync(work, limiter=self._lane.limiter() if slow else None)

    async def _coming_up(self) -> bool:
        """Whether the store is not there yet because the process has just started."""
        if not await anyio.to_thread.run_sync(self._startup.starting):
            return False
        try:
            await self._call(lambda: self._startup.accounts().needs_setup())
        except Unavailable:
            return True
        return False

    async def _actor(self, scope: Scope) -> Actor | None:
        token = cookie(scope, self.session_cookie)
        return await self._call(lambda: self._startup.accounts().resolve(token)) if token else None

    def _csrf_of(self, seed: str) -> str:
        return hmac.new(self._csrf_key, seed.encode("utf-8"), hashlib.sha256).hexdigest()

    def _csrf_valid(self, scope: Scope, fields: dict[str, str]) -> bool:
        seed = cookie(scope, self._csrf_cookie)
        given = fields.get("csrf", "").encode("utf-8", "replace")
        return bool(seed) and hmac.compare_digest(self._csrf_of(seed).encode("ascii"), given)

    def _form(
        self,
        scope: Scope,
        draw: Callable[[str], str],
        *,
        status: int = 200,
        headers: dict[str, str] | None = None,
    ) -> Response:
        """A page with a form, and the cookie its CSRF token is bound to."""
        seed = cookie(scope, self._csrf_cookie)
        fresh = "" if seed else secrets.token_urlsafe(24)
        html = self._marked(draw(self._csrf_of(seed or fresh)))
        response = Response(html, status_code=status, media_type="text/html", headers=headers)
        if fresh:
            self._set_cookie(response, self._csrf_cookie, fresh)
        return _secure(response, https=self._https)

    def _page(self, html: str, *, status: int = 200) -> Response:
        return page(self._marked(html), status=status, https=self._https)

    def _marked(self, html: str) -> str:
        return forms.demo_marked(html) if self._settings.chronomemory_demo else html

    def _wrong(self, text: str, *, status: int) -> Response:
        return self._page(forms.message_page("That did not work", text, link=("/login", "Sign in")), status=status)

    def _go(self, where: str) -> Response:
        return _secure(RedirectResponse(where, status_code=303), https=self._https)

    def _set_cookie(self, response: Response, name: str, value: str) -> None:
        """HttpOnly and SameSite=Strict; no age: the server decides when a session ends."""
        response.set_cookie(name, value, path="/", secure=self._https, httponly=True, samesite="strict")
