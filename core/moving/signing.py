"""Signatures by Ed25519 under a key that follows from the installation's secret: nobody else can sign as it."""

from __future__ import annotations

import hashlib
import hmac
import re

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_LABEL = b"chronomemory: key that signs exports"
_HEX = re.compile("[0-9a-f]+")


class InstallationKey:
    """Implements `core.ports.Signer`."""

    def __init__(self, secret: bytes) -> None:
        """Make the key of an installation's secret."""
        self._key = Ed25519PrivateKey.from_private_bytes(hmac.new(secret, _LABEL, hashlib.sha256).digest())

    @property
    def public(self) -> str:
        """This installation's public key, in hex."""
        return self._key.public_key().public_bytes_raw().hex()

    def sign(self, digest: str) -> str:
        """The signature of a digest, in hex."""
        return self._key.sign(digest.encode()).hex()

    def fits(self, public: str, digest: str, signature: str) -> bool:
        """Whether the holder of that public key signed the digest; False for anything malformed."""
        if not (_HEX.fullmatch(public) and _HEX.fullmatch(signature)):
            return False
        try:
            key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
            key.verify(bytes.fromhex(signature), digest.encode())
        except (InvalidSignature, ValueError):
            return False
        return True


def fingerprint(public: str) -> str:
    """How an installation is named to people: hex sha256 of its public key; "" of none."""
    return hashlib.sha256(public.encode()).hexdigest() if public else ""


__all__ = ["InstallationKey", "fingerprint"]
