"""Who speaks to us over the network, by the connection and by the word of own proxies. No decisions. Pure."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_LOOPBACK = "127.0.0.1"  # whose forwarding headers the web server itself believes, whatever our settings say
_NAMES = 64  # as many settings of own proxies are kept parsed


def bare_host(text: str) -> str:
    """`host`, `host:port` or `[v6]:port` without the port."""
    text = text.strip()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text if text.count(":") > 1 else text.partition(":")[0]


@lru_cache(maxsize=_NAMES)
def networks(trusted: tuple[str, ...]) -> tuple[Network, ...]:
    """Own proxies, each an address or a network (10.0.0.0/8); settings have refused what is neither."""
    return tuple(ipaddress.ip_network(one.strip(), strict=False) for one in trusted if one.strip())


def client_address(scope: Mapping[str, Any], trusted: Iterable[str]) -> str:
    """The client's address: the peer's, or what an own proxy says in X-Forwarded-For.

    Args:
        scope: the request's ASGI scope.
        trusted: addresses and networks of own proxies; a header that came by nobody of them is not read.
    """
    own, hops = tuple(trusted), _hops(scope)
    peer = _peer(scope, hops)
    if not _is_own(peer, own):
        return peer
    for hop in reversed(hops):  # the last hop that is no proxy of ours: earlier ones are the client's own words
        if not _is_own(hop, own):
            try:
                return str(ipaddress.ip_address(hop))
            except ValueError:
                return peer
    return peer


def came_by_own_proxy(scope: Mapping[str, Any], trusted: Iterable[str]) -> bool:
    """Whether an own proxy handed the request on: then its forwarding headers are believed."""
    return _is_own(_peer(scope, _hops(scope)), trusted)


def _is_own(host: str, trusted: Iterable[str]) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    plain = getattr(address, "ipv4_mapped", None) or address
    return any(plain in network for network in networks(tuple(trusted)))


def _hops(scope: Mapping[str, Any]) -> list[str]:
    """Addresses of X-Forwarded-For, the nearest last: each proxy appends whom it heard from."""
    return [
        bare_host(hop)
        for key, value in scope["headers"]
        if key == b"x-forwarded-for"
        for hop in value.decode("latin-1").split(",")
        if hop.strip()
    ]


def _peer(scope: Mapping[str, Any], hops: list[str]) -> str:
    """Who connected to us.

    The web server may itself have put an address of the header in place of a loopback peer: the last one that is not
    loopback. Such a value counts as loopback, so a header alone never chooses the address that is throttled.
    """
    peer = str((scope.get("client") or ("unknown", 0))[0])
    believed = next((hop for hop in reversed(hops) if hop != _LOOPBACK), hops[0] if hops else "")
    return _LOOPBACK if peer == believed else peer


__all__ = ["bare_host", "came_by_own_proxy", "client_address", "networks"]
