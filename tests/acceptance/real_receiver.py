"""The receiver as a process of its own, and questions to it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from .shop_truth import clean_environment

DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def get(url: str, path: str, **query: str | int) -> Any:
    """The JSON answer to a GET."""
    with DIRECT.open(f"{url}{path}?{urlencode(query)}", timeout=300) as answer:
        return json.load(answer)


@contextmanager
def receiver(database: str, log: Path) -> Iterator[str]:
    """Its URL while it runs on `database`; what it logs goes to `log`."""
    command = [sys.executable, "-m", "lineal_receiver.cli", "serve", "--database-url", database, "--port", "0"]
    with log.open("w") as messages:
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=messages, text=True, env=clean_environment())
        try:
            assert child.stdout is not None
            found = re.search(r"http://\S+", child.stdout.readline())
            assert found, log.read_text()
            yield found[0]
        finally:
            child.terminate()
            child.wait(300)
            child.stdout.close()
