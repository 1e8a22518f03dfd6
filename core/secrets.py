"""Masks secrets before anything is written (rules §2.1): keys, passwords, private keys, card numbers. Pure."""

from __future__ import annotations

import re

_PATTERNS: tuple[tuple[str, str], ...] = (
    (
        "private key",
        (
            # It stops before the next BEGIN: a text of nothing but BEGINs is then read once, not once for each.
            r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[^-]|-(?!----BEGIN)){1,10000}?"
            r"-----END [A-Z ]{0,30}PRIVATE KEY-----"
        ),
    ),
    ("api key", r"\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z0-9_\-]{16,200}"),
    ("access key", r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    ("token", r"\b(?:gh[pousr]_[A-Za-z0-9]{30,200}|github_pat_[A-Za-z0-9_]{40,200}|glpat-[A-Za-z0-9_\-]{20,100})"),
    ("token", r"\b(?:xox[abprs]-[A-Za-z0-9\-]{10,200}|AIza[A-Za-z0-9_\-]{30,60}|hf_[A-Za-z0-9]{30,60})"),
    ("token", r"\beyJ[A-Za-z0-9_\-]{8,2000}\.eyJ[A-Za-z0-9_\-]{8,4000}\.[A-Za-z0-9_\-]{8,2000}"),
    (
        "password",
        (
            r"(?i)(?:\b(?:password|passwort|passwd|passphrase|contraseña|mot de passe)\b|密码)"
            r"\s{0,3}(?:is|ist|es|est|=|:|：|是)\s{0,3}[\"'“]?(?P<secret>[^\s\"'”,;]{4,200})"
        ),
    ),
)
_COMPILED = tuple((label, re.compile(pattern)) for label, pattern in _PATTERNS)
_CARD = re.compile(r"(?<![\d-])(?:\d[ -]?){12,18}\d(?![\d-])")


def _luhn(digits: str) -> bool:
    total = 0
    for index, char in enumerate(reversed(digits)):
        digit = int(char)
        if index % 2:
            digit = digit * 2 - 9 if digit > 4 else digit * 2  # noqa: PLR2004 - Luhn's own number
        total += digit
    return total % 10 == 0


def _card(match: re.Match[str]) -> str:
    digits = re.sub(r"\D", "", match.group())
    return "[card number masked]" if _luhn(digits) and len(set(digits)) > 1 else match.group()


def _mask(label: str, match: re.Match[str]) -> str:
    secret = match.groupdict().get("secret")
    masked = f"[{label} masked]"
    return match.group().replace(secret, masked) if secret else masked


def mask(text: str) -> tuple[str, int]:
    """The text with every secret replaced by "[… masked]", and how many were."""
    count = 0
    for label, pattern in _COMPILED:

        def replace(match: re.Match[str], label: str = label) -> str:
            return _mask(label, match)

        text, found = pattern.subn(replace, text)
        count += found
    masked = _CARD.sub(_card, text)
    return masked, count + masked.count("[card number masked]") - text.count("[card number masked]")
