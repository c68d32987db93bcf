"""Answers as JSON: null fields written, times in UTC with a Z, bodies of facets as they were sent."""

import json
from typing import Any

import orjson
from starlette.responses import Response

CUT_HEADER = "Lineal-Cut"

_OPTIONS = orjson.OPT_UTC_Z | orjson.OPT_NON_STR_KEYS | orjson.OPT_PASSTHROUGH_SUBCLASS


def answer(
    body: object,
    *,
    status: int = 200,
    media_type: str = "application/json",
    cut: str | None = None,
) -> Response:
    """`body` as JSON; `cut` says in a header what was left out of it."""
    headers = {} if cut is None else {CUT_HEADER: cut}
    return Response(encode(body), status_code=status, media_type=media_type, headers=headers)


def encode(body: object) -> bytes:
    """`body` as JSON bytes."""
    return orjson.dumps(body, default=str, option=_OPTIONS)  # UUIDs, which asyncpg gives in a class of its own


def raw(text: str | bytes) -> orjson.Fragment:
    """JSON text to be written as it is, its numbers untouched."""
    return orjson.Fragment(text)


def read_json(text: str | bytes) -> Any:
    """JSON text as Python values."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return json.loads(text)  # lone surrogates, which orjson doesn't take


def read_object(text: str | bytes) -> dict[str, Any]:
    """JSON text as an object; empty where it is something else: facets that their schemas refuse are kept, too."""
    value = read_json(text)
    return value if isinstance(value, dict) else {}
