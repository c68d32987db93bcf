"""What v2's reads answer, for the API's description: the shape and an example of each, and problems."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from lineal_receiver.api.shapes_described import build_kind
from lineal_receiver.api.v2.answers_described import build_answer_schemas, describe_answer
from lineal_receiver.api.v2.formats import FORMATS

EXAMPLES = Path(__file__).with_name("examples.json")
"""Answers by path; of lists one is shown."""

MEDIA = {"/api/v2/rejected/{id}/body": "application/octet-stream"}
CSV = "text/csv"
FORMATS_OF = {"/api/v2/export": [media for _, media, _ in FORMATS.values()]}
"""Files that are written in several formats: what is shown is CSV."""
REFUSALS = {
    "400": ("A parameter that can't be read.", "bad-limit", "`limit` is a whole number from 1 to 1000."),
    "404": ("Nothing of this name.", "no-such-node", "Nothing is known of the dataset 'db / shop.orders'."),
    "503": ("PostgreSQL is away: ask again after `Retry-After`.", "", "PostgreSQL can't be asked just now."),
}
REFUSALS_OF_WRITES = {
    "409": ("It can't be done beside what there is.", "", "The new name counts as the old one."),
    "413": ("A body that is larger than the limit.", "", "The body is larger than 33554432 bytes."),
    "415": ("A body that isn't JSON by its type or coding.", "", "The content type is 'text/plain', not JSON."),
    "422": ("A body, or a name, that can't be used.", "", "The request body must not be null"),
}
TITLES = {
    "400": "Bad Request",
    "404": "Not Found",
    "409": "Conflict",
    "413": "Content Too Large",
    "415": "Unsupported Media Type",
    "422": "Unprocessable Entity",
    "503": "Service Unavailable",
}


@cache
def read_examples() -> dict[str, Any]:
    """An example of each read's answer, by path."""
    examples: dict[str, Any] = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    return examples


def describe_reads(described: dict[str, Any]) -> None:
    """Add to each read of v2 what it answers, and the nouns of all answers of v2."""
    described["components"]["schemas"] |= build_answer_schemas()
    for path, example in read_examples().items():
        operation = described["paths"].get(path, {}).get("get")
        if operation is None:
            continue
        schema = describe_answer("get", path)
        shown = {"schema": schema, "example": example}
        content = {MEDIA.get(path, "application/json"): shown}
        if path in FORMATS_OF:
            content = {media: shown if media == CSV else {"schema": schema} for media in FORMATS_OF[path]}
        operation["responses"] = {
            "200": {"description": "As asked.", "content": content},
            **{status: refuse(status) for status in REFUSALS},
        }


def refuse(status: str) -> dict[str, Any]:
    """How a refusal with this status looks."""
    text, kind, detail = (REFUSALS | REFUSALS_OF_WRITES)[status]
    told = "about:blank" + (f"#{kind}" if kind else "")
    example = {"type": told, "title": TITLES[status], "status": int(status), "detail": detail}
    return {
        "description": text,
        "content": {"application/problem+json": {"schema": build_kind("Problem"), "example": example}},
    }
