"""Ask a PostgreSQL server whether it takes connections, in its own protocol and without a driver."""

import socket
import struct
from enum import Enum


class Answer(Enum):
    """What came back: READY asks for a password, STARTING refuses for now, SILENT is no PostgreSQL or none at all."""

    READY = "ready"
    STARTING = "starting"
    SILENT = "silent"


PROTOCOL = 3 << 16
CANNOT_CONNECT_NOW = b"C57P03\0"


def probe_server(host: str, port: int, user: str, database: str, seconds: float = 1.0) -> Answer:
    """Open a connection, send the start-up message, and judge by the first message of the answer."""
    words = b"".join(word.encode() + b"\0" for word in ("user", user, "database", database))
    body = struct.pack("!i", PROTOCOL) + words + b"\0"
    try:
        with socket.create_connection((host, port), timeout=seconds) as connection:
            connection.settimeout(seconds)
            connection.sendall(struct.pack("!i", len(body) + 4) + body)
            answer = connection.recv(1024)
    except OSError:
        return Answer.SILENT
    if answer[:1] == b"R":
        return Answer.READY
    if answer[:1] == b"E" and CANNOT_CONNECT_NOW in answer:
        return Answer.STARTING
    return Answer.SILENT
