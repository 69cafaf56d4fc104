"""Where a URL may lead: to the public internet, and to the address that was checked."""

import pytest
from reflact.kit.web.address import Refused, is_public, target

PRIVATE = [
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001:db8::1",
    "not an address",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_is_not_public_is_known(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:1.1.1.1"])
def test_a_public_address_is_known(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("address", PRIVATE)
def test_a_name_that_leads_to_such_an_address_is_refused(address: str) -> None:
    with pytest.raises(Refused, match=r"pages\.example is not on the public internet"):
        target("https://pages.example/", resolve=lambda host, port: [address])


def test_one_bad_address_among_good_ones_is_enough() -> None:
    with pytest.raises(Refused, match="not on the public internet"):
        target("https://pages.example/", resolve=lambda host, port: ["1.1.1.1", "10.0.0.1"])


@pytest.mark.parametrize("host", ["127.0.0.1", "0x7f000001", "2130706433", "127.1", "[::1]", "[::ffff:127.0.0.1]"])
def test_an_address_may_be_written_in_any_way(host: str) -> None:
    with pytest.raises(Refused, match=r"not on the public internet|cannot be found"):
        target(f"http://{host}/")


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("file:///etc/passwd", "only http and https"),
        ("ftp://pages.example/", "only http and https"),
        ("gopher://pages.example/", "only http and https"),
        ("pages.example", "only http and https"),
        ("", "only http and https"),
        ("http://", "names no host"),
        ("http://user:word@pages.example/", "user name"),
        ("http://@pages.example/", "user name"),
        ("http://pages.example:22/", "port 22"),
        ("https://pages.example:80/", "port 80"),
        ("http://pages.example:0/", "port 0"),
        ("http://pages.example:x/", "not a URL"),
        ("http://pages.example/a b", "not a URL"),
        ("http://pages.example/\r\nX: y", "not a URL"),
        ("http://[::1/", "not a URL"),
        ("http://pages.example\\@127.0.0.1/", "not a URL"),
        (f"http://pages.example/{'a' * 2000}", "not a URL"),
    ],
)
def test_a_url_that_is_none_or_wants_too_much_is_refused(url: str, told: str) -> None:
    with pytest.raises(Refused, match=told):
        target(url, resolve=lambda host, port: ["1.1.1.1"])


def test_the_connection_goes_to_the_first_checked_address_and_asks_for_the_name() -> None:
    found = target("HTTPS://Pages.example./ä?q=ü#part", resolve=lambda host, port: ["1.1.1.1", "1.0.0.1"])
    assert (found.scheme, found.host, found.port, found.address) == ("https", "pages.example", 443, "1.1.1.1")
    assert found.path == "/%C3%A4?q=%C3%BC"


def test_a_name_is_looked_up_once_so_that_it_cannot_lead_elsewhere_later() -> None:
    answers = iter([["1.1.1.1"], ["127.0.0.1"]])
    assert target("https://pages.example/", resolve=lambda host, port: next(answers)).address == "1.1.1.1"
    assert next(answers) == ["127.0.0.1"]


def test_only_the_named_port_of_an_own_server_is_reached() -> None:
    own = frozenset({"127.0.0.1:8080"})
    assert target("http://127.0.0.1:8080/x", own_hosts=own).address == "127.0.0.1"
    with pytest.raises(Refused, match="port 9090"):
        target("http://127.0.0.1:9090/x", own_hosts=own)
    with pytest.raises(Refused, match="not on the public internet"):
        target("http://127.0.0.1/x", own_hosts=own)


def test_a_host_that_cannot_be_found_is_told() -> None:
    def nobody(host: str, port: int) -> list[str]:
        raise OSError("no such name")

    with pytest.raises(Refused, match=r"pages\.example cannot be found"):
        target("https://pages.example/", resolve=nobody)
