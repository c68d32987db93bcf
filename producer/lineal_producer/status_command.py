"""`lineal-dbt status`: what waits in the outbox and what was refused, with the receiver's answers."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from lineal_producer.outbox_place import Place, add_project_arguments, find_place
from lineal_producer.worker.rejected import read_entries
from lineal_producer.worker.spool import size_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options to its parser."""
    add_project_arguments(parser)
    parser.add_argument("--format", choices=["text", "json"], default="text", help="how to write it (default: text)")


def run(arguments: argparse.Namespace) -> int:
    """Runs the command: 1 when what is configured can't be used, so that nothing is known of its outbox."""
    told = outbox_status(find_place(arguments.project_dir))
    text = json.dumps(told, indent=2) if arguments.format == "json" else _text(told)
    sys.stdout.write(text + "\n")
    return 0 if told["problem"] is None else 1


def outbox_status(place: Place) -> dict[str, Any]:
    """Counts and ages of what waits and what was refused, for this destination and for others."""
    settings = place.settings
    waiting = place.waiting()
    answers: Counter[tuple[int | None, str]] = Counter()
    for path in place.rejected():
        for entry in read_entries(path):
            answers[(entry.get("status"), str(entry.get("answer", ""))[:400])] += 1
    return {
        "configured": settings.configured,
        "reason": settings.reason,
        "problem": settings.destination.problem,
        "destination": settings.destination.name,
        "outbox": str(settings.outbox),
        "waiting": len(waiting),
        "waitingBytes": sum(size_of(path) for path in waiting),
        "oldestSeconds": max((round(time.time() - _changed(path)) for path in waiting), default=None),
        "waitingForOthers": len(place.of_others()),
        "rejected": sum(answers.values()),
        "answers": [{"status": code, "answer": said, "events": count} for (code, said), count in answers.most_common()],
        "rejectedFiles": [str(path) for path in place.rejected()],
    }


def _changed(path: Path) -> float:
    return path.stat().st_mtime if path.exists() else time.time()


def _text(told: dict[str, Any]) -> str:
    destination = told["problem"] or told["destination"] or told["reason"]
    lines = [f"destination  {destination}", f"outbox       {told['outbox']}"]
    waiting = (
        f"waiting      {told['waiting']} run{'' if told['waiting'] == 1 else 's'}, {told['waitingBytes'] / 1024:.0f} KB"
    )
    if told["oldestSeconds"] is not None:
        waiting += f", the oldest from {told['oldestSeconds'] / 3600:.1f} h ago; `lineal-dbt flush` sends them"
    lines.append(waiting)
    if told["waitingForOthers"]:
        lines.append(f"             {told['waitingForOthers']} more for other destinations")
    lines.append(f"rejected     {told['rejected']} event{'' if told['rejected'] == 1 else 's'}")
    lines.extend(
        f"             {answer['events']} x {answer['status']}: {answer['answer']}" for answer in told["answers"]
    )
    lines.extend(f"             in {path}" for path in told["rejectedFiles"])
    return "\n".join(lines)
