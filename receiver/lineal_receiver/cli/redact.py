"""`lineal redact …`: take something out of everything that is stored."""

import argparse
import getpass
import json
import sys
from pathlib import Path
from typing import Any

from lineal_receiver.cli.keeping import find_user, open_keeper
from lineal_receiver.errors import CommandRefused
from lineal_receiver.stopping import run

AT_ONCE = 1_000
SHORT = 12


def run_text(options: argparse.Namespace) -> int:
    """Take out a text wherever it stands."""
    return run(_redact(options, {"text": _read_text(options.file)}))


def run_record(options: argparse.Namespace) -> int:
    """Take out what a record says at some places."""
    return run(_redact(options, {"record": options.id, "pointers": options.pointers}))


def run_list(options: argparse.Namespace) -> int:
    """Print what was taken out."""
    return run(_list(options))


def _read_text(file: str | None) -> str:
    """From a file or standard input, without the line end after it: a command line can be seen by others."""
    try:
        if file is not None and file != "-":
            text = Path(file).read_text(encoding="utf-8")
        elif sys.stdin.isatty():
            return getpass.getpass("the text to be taken out (it isn't shown): ")
        else:
            text = sys.stdin.read()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandRefused(reason=f"the text can't be read: {error}") from None
    return text.removesuffix("\n").removesuffix("\r")


async def _redact(options: argparse.Namespace, asked: dict[str, Any]) -> int:
    said = {"by": find_user(options), "why": options.why, "dryRun": options.dry_run}
    async with open_keeper(options) as keeper:
        found = await keeper.redact({**asked, **said})
    if options.json:
        print(json.dumps(found, ensure_ascii=False))
        return 0
    would = "would be " if options.dry_run else ""
    print(f"records {would}changed: {found['records']}, refused bodies: {found['rejected']}")
    for identity in found["ids"]:
        print(f"  {identity}")
    if len(found["ids"]) < found["records"]:
        print(f"  and {found['records'] - len(found['ids'])} more")
    for table, count in found["rows"].items():
        print(f"rows of {table} {'that hold it' if options.dry_run else 'changed'}: {count}")
    return 0


async def _list(options: argparse.Namespace) -> int:
    query: dict[str, str] = {}
    left, shown = options.limit, 0
    async with open_keeper(options) as keeper:
        while True:
            page = await keeper.redactions({**query, "limit": str(min(left, AT_ONCE))})
            for row in page["redactions"]:
                print(json.dumps(row, ensure_ascii=False) if options.json else _line(row))
            shown, left = shown + len(page["redactions"]), left - len(page["redactions"])
            if page["next"] is None or not left:
                break
            query["cursor"] = page["next"]
    if not shown and not options.json:
        print("nothing was ever taken out")
    return 0


def _line(row: dict[str, Any]) -> str:
    what = "a text" if row["what"] == "text" else f"{', '.join(row['pointers'])} of {row['record'][:SHORT]}"
    why = f": {row['why']}" if row["why"] else ""
    return f"{row['at']}  {what}, by {row['by']}; records {row['records']}, refused bodies {row['rejected']}{why}"
