"""Passwords, user names and one-time tokens: what is accepted, how it is hashed, how guessing is slowed down.

Nothing here touches the database; `core.accounts` does.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

import bcrypt

from core.errors import BadInput
from core.ports import Throttle

MIN_PASSWORD_CHARS = 12  # console.md §1.3
MAX_PASSWORD_BYTES = 72  # bcrypt reads no further, so a longer password would be cut in silence
MIN_DISTINCT_CHARS = 5
TOKEN_BYTES = 32
MAX_DISPLAY_NAME = 80

_USERNAME = re.compile(r"[a-z0-9._-]{3,40}")


@dataclass(frozen=True, kw_only=True, slots=True)
class AccountLimits:
    """Limits of accounts and sessions."""

    idle_minutes: float = 30.0
    absolute_hours: float = 12.0
    touch_every: timedelta = timedelta(minutes=1)
    invitation: timedelta = timedelta(days=7)
    bcrypt_rounds: int = 12  # 2**12 rounds: about 0.25 s a guess
    free_account_tries: int = 5
    free_address_tries: int = 20  # an office shares one address
    longest_wait: timedelta = timedelta(minutes=15)  # backoff ends here: nobody is locked out for ever
    forget_failures_after: timedelta = timedelta(hours=1)

    @property
    def idle(self) -> timedelta:
        """A session not used for this long has ended."""
        return timedelta(minutes=self.idle_minutes)

    @property
    def absolute(self) -> timedelta:
        """A session this old has ended, used or not."""
        return timedelta(hours=self.absolute_hours)


def clean_username(username: str) -> str:
    """The user name in lower case, without surrounding space.

    Raises:
        BadInput: it is not 3 to 40 characters of a-z, 0-9, dot, hyphen and underscore.
    """
    name = username.strip().lower()
    if not _USERNAME.fullmatch(name):
        msg = "A user name has 3 to 40 characters: a to z, 0 to 9, dot, hyphen or underscore."
        raise BadInput(msg)
    return name


def clean_display_name(display_name: str, username: str) -> str:
    """The name shown to others: the user name if none is given.

    Raises:
        BadInput: it is too long, or holds control or invisible characters (they could imitate another person).
    """
    name = " ".join(display_name.split()) or username
    if len(name) > MAX_DISPLAY_NAME:
        msg = f"A display name has at most {MAX_DISPLAY_NAME} characters."
        raise BadInput(msg)
    if any(unicodedata.category(character) in {"Cc", "Cf", "Co", "Cn", "Cs"} for character in name):
        msg = "A display name has no control or invisible characters."
        raise BadInput(msg)
    return name


def _bytes(password: str) -> bytes:
    """UTF-8 of the NFC form: the same password typed on two systems gives the same bytes."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")


def check_password_rule(password: str, username: str) -> None:
    """Refuse a password that is too short, cut off by bcrypt, or trivially guessed.

    Raises:
        BadInput: with what to change.
    """
    if len(password) < MIN_PASSWORD_CHARS:
        msg = f"Choose a password of at least {MIN_PASSWORD_CHARS} characters; a few words in a row are fine."
        raise BadInput(msg)
    if len(_bytes(password)) > MAX_PASSWORD_BYTES:
        msg = (
            f"This password is too long: at most {MAX_PASSWORD_BYTES} bytes"
            " (letters outside a to z count as two or more)."
        )
        raise BadInput(msg)
    if "\x00" in password:
        msg = "A password has no NUL character."
        raise BadInput(msg)
    if len(set(password)) < MIN_DISTINCT_CHARS:
        msg = f"Choose a password with at least {MIN_DISTINCT_CHARS} different characters."
        raise BadInput(msg)
    if username and username.lower() in password.lower():
        msg = "The password must not contain the user name."
        raise BadInput(msg)


def hash_password(password: str, *, rounds: int) -> str:
    """The bcrypt hash of a password that satisfies `check_password_rule`."""
    return bcrypt.hashpw(_bytes(password), bcrypt.gensalt(rounds)).decode("ascii")


def password_matches(password: str, password_hash: str) -> bool:
    """Whether the password is the hash's. Takes the same time for every password, over-long ones included."""
    raw = _bytes(password).replace(b"\x00", b"?")
    same = bcrypt.checkpw(raw[:MAX_PASSWORD_BYTES], password_hash.encode("ascii"))
    return same and len(raw) <= MAX_PASSWORD_BYTES and "\x00" not in password


@lru_cache(maxsize=4)
def dummy_hash(rounds: int) -> str:
    """A hash of no known password: checked for unknown users, so that timing does not tell (console.md §1.3)."""
    return hash_password(secrets.token_urlsafe(24), rounds=rounds)


def new_token() -> str:
    """A random token of 256 bits, safe in addresses and cookies."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_hash(token: str) -> str:
    """Hex sha256 of a token: all that is stored. The token is random, so a slow hash would add nothing."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def after_failure(throttle: Throttle, *, now: datetime, free: int, limits: AccountLimits) -> Throttle:
    """The record after one more try: `free` tries without a wait, then 2, 4, 8 … seconds up to the longest wait.

    `blocked_until` is always set, at least to `now`: it also tells when the record is old enough to be forgotten.
    """
    old = throttle.blocked_until is None or now - throttle.blocked_until >= limits.forget_failures_after
    failures = 1 if old else throttle.failures + 1
    over = failures - free
    longest = limits.longest_wait.total_seconds()
    wait = 0.0 if over <= 0 else min(2.0 ** min(over, 30), longest)
    return Throttle(failures=failures, blocked_until=now + timedelta(seconds=wait))
