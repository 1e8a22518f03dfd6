"""Secrets are masked before anything is written; ordinary numbers stay (rules §2.1)."""

from __future__ import annotations

import pytest

from core.secrets import mask


@pytest.mark.parametrize(
    "text",
    [
        "my key is sk-proj-" + "a1B2c3D4" * 4,
        "AKIA" + "ABCDEFGH12345678" + " is the key",
        "token ghp_" + "a1B2c3D4e5" * 4,
        "my password is hunter22!",
        "password: correct-horse",
        "mein Passwort ist geheim99",
        "密码是abcd1234",
        "card 4111 1111 1111 1111 please",
        "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----",
        "eyJhbGciOiJI.eyJzdWIiOiIxMjM0.c2lnbmF0dXJl",
    ],
)
def test_secrets_are_masked(text):
    masked, count = mask(text)
    assert count == 1
    assert "masked]" in masked
    for secret in ("hunter22", "correct-horse", "geheim99", "abcd1234", "4111", "a1B2c3D4", "ABCDEFGH", "sdWIi"):
        assert secret not in masked


@pytest.mark.parametrize(
    "text",
    [
        "My locker code is 4471",
        "chip number is 985-112-004",
        "call +44 7700 900143",
        "order 1234 5678 9012 3456",  # fails Luhn's check
        "I forgot my password",
        "0000 0000 0000 0000",
    ],
)
def test_ordinary_text_stays(text):
    assert mask(text) == (text, 0)
