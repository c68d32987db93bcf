"""Why a read is refused, in the words that Marquez's clients know (v1) or as RFC 9457 says (v2)."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from lineal_receiver.errors import LinealError


@dataclass(eq=False)
class Refusal(LinealError):
    """A read that can't be answered: {status} {body}"""

    status: int
    body: dict[str, Any]
    media_type: str = "application/json"


def not_found(noun: str, name: object) -> Refusal:
    """404: nothing of this name."""
    return Refusal(404, {"code": 404, "message": f"{noun} '{name}' not found."})


def refused(status: int, message: str) -> Refusal:
    """Marquez's error of this status."""
    return Refusal(status, {"code": status, "message": message})


def no_route() -> Refusal:
    """404: what Marquez says to a path or parameter that can't be read at all."""
    return refused(404, "HTTP 404 Not Found")


def bad_query(name: str, complaint: str) -> Refusal:
    """400: a query parameter with a value that isn't allowed."""
    return Refusal(400, {"errors": [f"query param {name} {complaint}"]})


def problem(status: int, kind: str, detail: str) -> Refusal:
    """RFC 9457's problem details."""
    body = {"type": f"about:blank#{kind}", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    return Refusal(status, body, "application/problem+json")
