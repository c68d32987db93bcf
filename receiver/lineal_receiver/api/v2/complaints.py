"""Why a run failed, as its `errorMessage` facet says, or as much of that as was read."""

import re
from json import JSONDecodeError, JSONDecoder

from lineal_receiver.api.answers import read_object

GAP = re.compile(r"[\s:,]*")
LONGEST_ESCAPE = len(r"\ud83d\ude00")
DECODER = JSONDecoder(strict=False)


def find_message(body: str, most: int) -> str | None:
    """The `message` of a facet's JSON text, of which there may be only the first `most` characters."""
    if len(body) < most:
        found = read_object(body).get("message")
        return found if isinstance(found, str) else None
    try:
        return _find_in_beginning(body)
    except (JSONDecodeError, RecursionError):
        return None


def _find_in_beginning(body: str) -> str | None:
    """JSONDecodeError if it ends before the message."""
    at = _skip(body, 1)
    while body[at : at + 1] != "}":
        key, at = DECODER.raw_decode(body, at)
        at = _skip(body, at)
        if key == "message":
            return _read_text(body, at)
        _, at = DECODER.raw_decode(body, at)
        at = _skip(body, at)
    return None


def _read_text(body: str, at: int) -> str | None:
    """The text that begins here, whole or as far as it goes; None if it is no text."""
    if body[at : at + 1] != '"':
        return None
    for rest in (body, *(f'{body[: len(body) - less]}"' for less in range(LONGEST_ESCAPE))):  # an escape may be cut
        try:
            found, _ = DECODER.raw_decode(rest, at)
        except JSONDecodeError:
            continue
        return str(found).encode(errors="ignore").decode()  # without half of a pair of surrogates
    return None


def _skip(body: str, at: int) -> int:
    found = GAP.match(body, at)
    return found.end() if found else at
