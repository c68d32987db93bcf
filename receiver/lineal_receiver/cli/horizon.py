"""`lineal horizon …`: from which time on events are folded, and which came too late for that."""

import argparse
import json
from typing import Any

from lineal_receiver.cli.keeping import find_user, open_keeper
from lineal_receiver.stopping import run

AT_ONCE = 1_000
SHORT = 12


def run_show(options: argparse.Namespace) -> int:
    """Print the horizon."""
    return run(_show(options))


def run_set(options: argparse.Namespace) -> int:
    """Set it."""
    return run(_set(options, {"at": options.at}))


def run_clear(options: argparse.Namespace) -> int:
    """Take it away."""
    return run(_set(options, {}))


def run_late(options: argparse.Namespace) -> int:
    """Print records that were too late."""
    return run(_late(options))


async def _show(options: argparse.Namespace) -> int:
    async with open_keeper(options) as keeper:
        found = await keeper.horizon()
    said = found["horizon"]
    if options.json:
        print(json.dumps(found, ensure_ascii=False))
        return 0
    if said is None:
        shown = "no horizon: events of any age are folded"
    else:
        why = f": {said['why']}" if said["why"] else ""
        shown = f"events before {said['at']} are kept and not folded (by {said['by']}, {said['setAt']}){why}"
    print(f"{shown}; {found['late']} late records")
    return 0


async def _set(options: argparse.Namespace, said: dict[str, str]) -> int:
    async with open_keeper(options) as keeper:
        found = await keeper.set_horizon({**said, "by": find_user(options), "why": options.why})
    horizon = found["horizon"]
    if horizon is None:
        print("from now on events of any age are folded")
    else:
        print(f"from now on events before {horizon['at']} are kept and not folded")
    return 0


async def _late(options: argparse.Namespace) -> int:
    query: dict[str, str] = {}
    shown, left = 0, options.limit
    async with open_keeper(options) as keeper:
        while True:
            page = await keeper.late({**query, "limit": str(min(left, AT_ONCE))})
            for row in page["late"]:
                print(json.dumps(row, ensure_ascii=False) if options.json else _line(row))
            shown, left = shown + len(page["late"]), left - len(page["late"])
            if page["next"] is None or not left:
                break
            query["cursor"] = page["next"]
    if not options.json:
        print(f"{shown} of {page['totalCount']}" if shown else "no event came after its time")
    return 0


def _line(row: dict[str, Any]) -> str:
    kind = " ".join(filter(None, (row["kind"], row["eventType"])))
    return f"{row['id'][:SHORT]}  {row['eventTime']}  {kind}, received {row['receivedAt']}, {row['size']} bytes"
