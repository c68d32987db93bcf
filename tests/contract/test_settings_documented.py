"""Every setting is in docs/operations.md, and nothing there is invented."""

from __future__ import annotations

import re
from pathlib import Path

from lineal_receiver.settings import Settings, variable

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "operations.md").read_text()
NAME = re.compile(r"\b(?:LINEAL|OPENLINEAGE)_[A-Z]+(?:_[A-Z]+)*\b")
# Whole families of OpenLineage's own, named in the text above the table.
OF_OPENLINEAGE = {"OPENLINEAGE_URL", "OPENLINEAGE_CONFIG", "OPENLINEAGE__TRANSPORT"}


def documented(heading: str) -> set[str]:
    section = TEXT.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in NAME.findall(row)}


def test_every_setting_of_the_producer() -> None:
    source = (ROOT / "producer" / "lineal_producer" / "settings.py").read_text()

    read = set(re.findall(r'"((?:LINEAL|OPENLINEAGE)_[A-Z_]*[A-Z])"', source)) - OF_OPENLINEAGE
    assert documented("Settings of the producer") == read


def test_defaults_of_the_producer_are_the_documented_ones() -> None:
    source = (ROOT / "producer" / "lineal_producer" / "settings.py").read_text()
    numbers = re.findall(r'_number\(env, "(\w+)", ([\d.]+)\)', source)

    assert numbers
    for name, default in numbers:
        row = next(line for line in TEXT.splitlines() if line.startswith(f"| `{name}` |"))
        assert float(row.split("|")[2]) == float(default), name


def test_every_setting_of_the_receiver() -> None:
    assert documented("Settings of the receiver") == {variable(name) for name in Settings.__dataclass_fields__}


def test_the_environment_is_read_in_the_two_settings_only() -> None:
    reads = re.compile(r"os\.environ|os\.getenv|environ\b")
    readers = {
        path.relative_to(ROOT).as_posix()
        for side in ("producer", "receiver")
        for path in (ROOT / side).rglob("*.py")
        if reads.search(path.read_text()) and path.name != "settings.py"
    }

    assert readers == set()
