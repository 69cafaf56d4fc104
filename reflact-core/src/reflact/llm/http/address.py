"""Addresses: which are this machine's own, what they are without a secret, and the proxy on the way."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass


class Address(NamedTuple):
    """A URL taken apart: without a trailing slash and secrets, its query, and the header its user and password make."""

    base: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    secrets: tuple[str, ...]


def address(url: str) -> Address:
    """Return the parts of *url*."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    where = parts.netloc.rpartition("@")[2]
    base = f"{parts.scheme}://{where}{parts.path.rstrip('/')}"
    if parts.username is None:
        return Address(base, query, {}, tuple(query.values()))
    user, password = unquote(parts.username), unquote(parts.password or "")
    basic = b64encode(f"{user}:{password}".encode()).decode("ascii")
    return Address(base, query, {"authorization": f"Basic {basic}"}, (*query.values(), password, basic))


def named(base_url: str, variable: str, environ: Mapping[str, str], default: str) -> tuple[str, str]:
    """Return the address that calls go to, and what names it: `base_url`, `$` and *variable*, or nothing."""
    if base_url:
        return base_url, "base_url"
    found = environ.get(variable, "")
    return (found, f"${variable}") if found else (default, "")


def is_loopback(url: str) -> bool:
    """Return whether *url* names this machine by its loopback address."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def proxy_for(url: str) -> str:
    """Return the proxy that this machine's settings name for *url*; empty for none, as for its own address."""
    parts = urlsplit(url)
    if is_loopback(url) or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return ""
    proxies = getproxies()
    return proxies.get(parts.scheme) or proxies.get("all", "")
