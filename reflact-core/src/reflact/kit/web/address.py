"""Where a URL leads: the one address that is connected to, after a check that it is a public one."""

import ipaddress
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import SplitResult, quote, urlsplit

PORTS = {"http": 80, "https": 443}
_METADATA = frozenset(map(ipaddress.ip_address, ("168.63.129.16", "192.0.0.192", "100.100.100.200", "fd00:ec2::254")))
"""Addresses at which clouds tell a machine its secrets, as far as they are not link-local."""
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_LONGEST = 2000
_SAFE = "/?:@!$&'()*+,;=-._~%[]"

Resolve = Callable[[str, int], Sequence[str]]
"""(host, port) -> all addresses of the host; raises `OSError`."""


class Refused(Exception):
    """A page that is not fetched or a search that is not made; the message says why, for the student to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What is asked of whom: `address` is connected to, `host` is asked for."""

    scheme: str
    host: str
    port: int
    path: str
    address: str


def resolved(host: str, port: int) -> Sequence[str]:
    """Return the addresses the system knows for *host*. Raises `OSError`."""
    return [str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def target(url: str, *, own_hosts: frozenset[str] = frozenset(), resolve: Resolve = resolved) -> Target:
    """Return where *url* leads. Raises `Refused` unless that is http(s) at a usual port of a public address.

    Every address of the host must be public, and the first one is the one to connect to, so that a name cannot lead
    elsewhere between the check and the connection. Of *own_hosts* (`host:port`) neither address nor port is checked.
    """
    parts, host, port = _parts(url)
    is_own = f"{host}:{port}" in own_hosts
    if not is_own and port != PORTS[parts.scheme]:
        raise Refused(f"port {port} is not allowed; only the usual ports of http and https are")
    try:
        addresses = list(resolve(host, port))
    except (OSError, UnicodeError) as error:
        raise Refused(f"{host} cannot be found ({error})") from error
    if not addresses:
        raise Refused(f"{host} has no address")
    if not is_own and not all(map(is_public, addresses)):
        raise Refused(f"{host} is not on the public internet")
    path = quote(parts.path or "/", safe=_SAFE) + (f"?{quote(parts.query, safe=_SAFE)}" if parts.query else "")
    return Target(scheme=parts.scheme, host=host, port=port, path=path, address=addresses[0])


def is_public(address: str) -> bool:
    """Return whether *address* belongs to the public internet, looking into IPv4 addresses that IPv6 ones carry."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    inner = _carried(found) if isinstance(found, ipaddress.IPv6Address) else None
    if inner is not None:
        return is_public(str(inner))
    special = found.is_multicast or found.is_reserved or found.is_unspecified or found.is_loopback
    return found.is_global and not special and not found.is_link_local and found not in _METADATA


def _carried(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)


def _parts(url: str) -> tuple[SplitResult, str, int]:
    if len(url) > _LONGEST or any(ord(one) < 33 or one in "\\\x7f" for one in url.strip()):
        raise Refused(f"not a URL: longer than {_LONGEST} characters, or with a blank or a backslash in it")
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as error:
        raise Refused(f"not a URL: {error}") from error
    if parts.scheme not in PORTS:
        raise Refused(f"{parts.scheme or 'no scheme'}: only http and https are allowed")
    if parts.username is not None or parts.password is not None:
        raise Refused("a URL with a user name in it is not allowed")
    host = (parts.hostname or "").rstrip(".")
    if not host:
        raise Refused("not a URL: it names no host")
    return parts, host, PORTS[parts.scheme] if port is None else port
