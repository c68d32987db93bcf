"""Write `schemas/openlineage/`: the core, each facet's newest version, older ones, and those that others registered.

Run it after an upgrade of openlineage-python: `python tools/write_schemas.py`; then `tools/compare_schemas.py` shows
whether the verdicts are those of a checkout of the official files.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from openlineage_schemas.classes import build_newest
from openlineage_schemas.core import OLDER, build_core, build_older_core
from openlineage_schemas.history import build_older
from openlineage_schemas.registry import build_registered

SITE = "https://openlineage.io/"
TARGET = Path(__file__).resolve().parents[1] / "schemas" / "openlineage"


def build_documents() -> Iterator[dict[str, Any]]:
    """Every schema."""
    newest = list(build_newest())
    yield build_core()
    yield from (build_older_core(version) for version in OLDER)
    yield from newest
    yield from build_older({document["$id"].rpartition("/")[2].removesuffix(".json"): document for document in newest})
    yield from build_registered()


def write(target: Path) -> list[Path]:
    """Write every schema below `target` by the path of its `$id`, and give the files."""
    written = []
    for document in build_documents():
        path = target / document["$id"].removeprefix(SITE)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        written.append(path)
    return written


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", type=Path, default=TARGET, help="folder to write to (default: %(default)s)")
    write(parser.parse_args().target)
