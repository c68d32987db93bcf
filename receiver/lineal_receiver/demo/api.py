"""The demo's questions to the receiver: plain GETs on loopback, past every proxy."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlencode

from lineal_receiver.demo.errors import DemoFailed

_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
ANSWER_SECONDS = 30


def get(url: str, path: str, **query: str | int) -> Any:
    """The JSON answer of `path`; anything but a 2xx is a DemoFailed that quotes the receiver."""
    full = f"{url}{path}?{urlencode(query)}" if query else f"{url}{path}"
    try:
        with _DIRECT.open(full, timeout=ANSWER_SECONDS) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise DemoFailed(f"GET {path}", error.read().decode(errors="replace")[:300]) from error
    except (OSError, ValueError) as error:
        raise DemoFailed(f"GET {path}", str(error)) from error
