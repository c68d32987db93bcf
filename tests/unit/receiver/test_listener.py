"""The socket that the server listens on."""

import os
import socket

import pytest

from lineal_receiver.errors import ListenerRefused, OpenListener, PortTaken
from lineal_receiver.listener import build_url, open_listener


def test_a_free_port_is_taken_and_named() -> None:
    with open_listener("127.0.0.1", 0, insecure=False) as listener:
        port = listener.getsockname()[1]
        assert port > 0
        assert build_url("127.0.0.1", listener) == f"http://127.0.0.1:{port}"
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            pass


def test_a_taken_port_is_named() -> None:
    with open_listener("127.0.0.1", 0, insecure=False) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(PortTaken, match=f"Port {port} on 127.0.0.1 .*--port"):
            open_listener("127.0.0.1", port, insecure=False)


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::"])
def test_other_addresses_than_loopback_need_the_flag(host: str) -> None:
    with pytest.raises(OpenListener, match="--insecure-listen"):
        open_listener(host, 0, insecure=False)


def test_with_the_flag_every_address() -> None:
    with open_listener("0.0.0.0", 0, insecure=True) as listener:
        assert build_url("0.0.0.0", listener) == f"http://127.0.0.1:{listener.getsockname()[1]}"


@pytest.mark.parametrize("host", ["no-such-host.invalid", "a" * 70 + ".example", "192.0.2.1"])
def test_an_address_that_is_not_here(host: str) -> None:
    with pytest.raises(ListenerRefused, match="Can't listen on"):
        open_listener(host, 0, insecure=True)


def test_names_and_version_6() -> None:
    with open_listener("localhost", 0, insecure=False) as listener:
        assert build_url("localhost", listener).startswith("http://localhost:")
    if not socket.has_ipv6 or not os.path.exists("/proc/net/if_inet6"):  # noqa: PTH110 - a probe
        pytest.skip("no IPv6 here")
    with open_listener("::1", 0, insecure=False) as listener:
        assert build_url("::1", listener) == f"http://[::1]:{listener.getsockname()[1]}"
