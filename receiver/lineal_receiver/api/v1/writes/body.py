"""The JSON bodies of writes: read within the size limit, and checked in Marquez's words."""

from collections.abc import Sequence
from typing import Any

import orjson
from starlette.requests import Request

from lineal_receiver.api.body import BodyReader, BodyRefused, ClientGone, check_type
from lineal_receiver.api.refusals import Refusal, no_route, refused
from lineal_receiver.ids import run_uuid
from lineal_receiver.ingest.scrubbing import scrub
from lineal_receiver.ingest.times import EXPECTED_TIME, parse_time

MOST_BYTES = 16 * 1024 * 1024


class Body:
    """A JSON object; what is wrong with it is collected, and refused as a whole by `check`."""

    def __init__(self, value: dict[str, Any]) -> None:
        self._value = value
        self.errors: list[str] = []

    @property
    def value(self) -> dict[str, Any]:
        """The object as it is."""
        return self._value

    def check(self) -> None:
        """422 if anything was wrong with what was asked for so far."""
        if self.errors:
            raise Refusal(422, {"errors": self.errors})

    def text(self, key: str, *, required: bool = False) -> str | None:
        """A text; None if it is missing or null."""
        return self._text(self._value.get(key), key, required=required)

    def _text(self, value: object, place: str, *, required: bool) -> str | None:
        if value is None:
            if required:
                self.errors.append(f"{place} must not be null")
            return None
        if not isinstance(value, str):
            self.errors.append(f"{place} must be a string")
            return None
        if required and not value.strip():
            self.errors.append(f"{place} must not be blank")
        return value

    def required(self, key: str) -> str:
        """A text that must be there; '' where it isn't, and `check` refuses."""
        return self.text(key, required=True) or ""

    def choice(self, key: str, among: Sequence[str]) -> str:
        """One of some words, in any case; `check` refuses another."""
        found = (self.text(key, required=True) or "").upper()
        if found and found not in among:
            self.errors.append(f"{key} must be one of [{', '.join(among)}]")
        return found

    def time(self, key: str) -> str | None:
        """A time, as sent; None if it is missing or null."""
        found = self.text(key)
        if found is not None and parse_time(found) is None:
            self.errors.append(f"{key} must be {EXPECTED_TIME}")
        return found

    def run_id(self, key: str) -> str | None:
        """A run's id as a UUID; None if it is missing or null."""
        found = self.text(key)
        if found is None:
            return None
        run, odd = run_uuid(found)
        if odd is not None:
            self.errors.append(f"{key} must be a UUID")
        return str(run)

    def texts(self, key: str) -> list[str]:
        """A list of texts; [] if it is missing or null."""
        return [self._text(item, f"{key}[{at}]", required=True) or "" for at, item in enumerate(self._list(key))]

    def texts_by_name(self, key: str) -> dict[str, str] | None:
        """An object of texts (numbers and booleans as they are written); None if it is missing or null."""
        value = self._value.get(key)
        if value is None:
            return None
        if not isinstance(value, dict):
            self.errors.append(f"{key} must be an object")
            return None
        plain = {name: _write_plain(item) for name, item in value.items()}
        return {name: self._text(text, f"{key}.{name}", required=False) or "" for name, text in plain.items()}

    def objects(self, key: str, *, required: bool = False) -> list["Body"]:
        """A list of objects; what is wrong with them is told of this one."""
        if required and self._value.get(key) is None:
            self.errors.append(f"{key} must not be null")
        found: list[Body] = []
        for at, item in enumerate(self._list(key)):
            if not isinstance(item, dict):
                self.errors.append(f"{key}[{at}] must be an object")
                continue
            found.append(_Part(item, self.errors, f"{key}[{at}]."))
        return found

    def _list(self, key: str) -> list[Any]:
        value = self._value.get(key)
        if value is not None and not isinstance(value, list):
            self.errors.append(f"{key} must be a list")
        return value if isinstance(value, list) else []


def _write_plain(item: object) -> object:
    """A number or a boolean as its text, as Marquez takes it; anything else as it is."""
    return orjson.dumps(item).decode() if isinstance(item, bool | int | float) else item


class _Part(Body):
    """An object inside another, whose errors it shares."""

    def __init__(self, value: dict[str, Any], errors: list[str], prefix: str) -> None:
        super().__init__(value)
        self.errors = errors
        self._prefix = prefix

    def _text(self, value: object, place: str, *, required: bool) -> str | None:
        return super()._text(value, f"{self._prefix}{place}", required=required)


async def read_object(request: Request, *, empty: bool = False, scrubbed: bool = True) -> Body:
    """The JSON object in a request; with `empty`, no body is an empty one. 400, 413, 415 or 422 if there is none.

    Not `scrubbed`: what looks like a secret stays, as it isn't to be kept.
    """
    try:
        seconds = request.app.state.settings.body_seconds
        text = await BodyReader(request.scope, request.receive, MOST_BYTES, seconds).read(typed=False)
        text = scrub(text) if scrubbed else text
        if text:
            check_type(request.scope)
    except BodyRefused as error:
        raise refused(error.status, error.message) from None
    except ClientGone:
        raise refused(400, "the client hung up before the end of its body") from None
    if not text.strip() and empty:
        return Body({})
    value: object = None
    if text.strip():
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError as error:
            raise refused(400, f"the body isn't JSON in UTF-8: {error}") from None
    if value is None:
        raise Refusal(422, {"errors": ["The request body must not be null"]})
    if not isinstance(value, dict):
        raise refused(400, "the body isn't a JSON object")
    return Body(value)


def read_name(name: str) -> str:
    """A name in a path; 404, as for every path that leads nowhere, if it is blank."""
    if not name.strip():
        raise no_route()
    return name
