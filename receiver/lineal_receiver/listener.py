"""The socket that the server listens on, taken before anything else is started."""

import errno
import ipaddress
import socket

from lineal_receiver.errors import ListenerRefused, OpenListener, PortTaken

BACKLOG = 2048


def open_listener(host: str, port: int, *, insecure: bool) -> socket.socket:
    """A listening socket; OpenListener unless `insecure` or loopback; PortTaken, ListenerRefused: there is none."""
    family, address = _resolve(host, port)
    if not insecure and not ipaddress.ip_address(address[0]).is_loopback:
        raise OpenListener(host=host)
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(host=host, port=port) from error
        raise ListenerRefused(host=host, port=port, reason=_reason(error)) from error
    return listener


def build_url(host: str, listener: socket.socket) -> str:
    """The URL to reach a listener at from this machine."""
    address = ipaddress.ip_address(listener.getsockname()[0])
    shown = host
    if address.is_unspecified:
        shown = "127.0.0.1" if address.version == 4 else "::1"
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{listener.getsockname()[1]}"


def _resolve(host: str, port: int) -> tuple[socket.AddressFamily, tuple[str, int]]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise ListenerRefused(host=host, port=port, reason="there is no such address") from error
    family, _, _, _, address = found[0]
    return family, (str(address[0]), port)


def _reason(error: OSError) -> str:
    if error.errno == errno.EACCES:
        return "ports below 1024 need more rights"
    if error.errno == errno.EADDRNOTAVAIL:
        return "this machine doesn't have that address"
    return error.strerror or str(error)
