"""`lineal demo`: a real `dbt build` of the example shop, and what the receiver then knows."""

from __future__ import annotations

import argparse
import io
import shlex
import signal
import sys
import time
from collections.abc import Mapping
from typing import Any

from lineal_receiver.demo.answers import ask, read_expected
from lineal_receiver.demo.api import get
from lineal_receiver.demo.environment import clean_environment, dbt_environment, write_config
from lineal_receiver.demo.place import Place, copy_project, hold, open_place
from lineal_receiver.demo.report import faults, figures, tree
from lineal_receiver.demo.server import running_receiver
from lineal_receiver.demo.steps import build_shop, check_packages, deliver, find_program, generate_data
from lineal_receiver.resources import find_data
from lineal_receiver.settings import process_environment
from lineal_receiver.stopping import between_imports

DATABASE = "shop"
SHOWN = ("net_sales_upstream", "van_rate_impact")
QUESTION = ("upstream", "marts.sales_daily.net_eur")


def main(options: argparse.Namespace) -> int:
    """Run the demo in `options.dir`; with `options.once` exit after the figures: 0 if they are right, else 1."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, between_imports(_leave))  # so that the receiver is stopped, too
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal without a letter that we print gets its escape
        sys.stdout.reconfigure(errors="backslashreplace")
    inherited = process_environment()
    check_packages()
    for program in ("dbt", "lineal-dbt"):
        find_program(program)
    place = open_place(options.dir)
    with hold(place):
        return _run(place, inherited, once=options.once)


def _run(place: Place, inherited: Mapping[str, str], *, once: bool) -> int:
    again = "" if place.fresh else " (made by an earlier demo: what hasn't changed isn't analysed again)"
    _say(f"everything is in {place.root}{again}")
    _say("starting the receiver on its own PostgreSQL")
    with running_receiver(place.postgres, clean_environment(inherited), place.server_log) as (url, ready):
        _say(ready)
        good = _walk(place, url, inherited)
        if once:
            return 0 if good else 1
        _stay_up(url)
    return 0


def _leave(number: int, _frame: object) -> None:
    sys.exit(128 + number)


def _walk(place: Place, url: str, inherited: Mapping[str, str]) -> bool:
    """From raw data to answers; False if they are not as they must be."""
    write_config(place.config, url)
    environment = dbt_environment(inherited, place.config, place.state, place.root)
    copy_project(find_data("shop"), place)
    _say("generating the shop's raw data")
    generate_data(place.project, environment)
    before = get(url, "/api/v2/summary")
    _say("dbt build (dbt's own output follows)")
    began = time.monotonic()
    build_shop(place.project, environment)
    _say(f"dbt is done after {time.monotonic() - began:.1f} s")
    deliver(place.project, environment)
    summary = get(url, "/api/v2/summary")
    _print_figures(before, summary)
    return _print_answers(place, url, summary)


def _print_figures(before: dict[str, Any], summary: dict[str, Any]) -> None:
    _heading("What arrived (GET /api/v2/summary)")
    for line in figures(summary):
        _print(line)
    if before["runs"]["total"]:
        new = summary["runs"]["total"] - before["runs"]["total"]
        same = before["edges"] == summary["edges"] and before["columns"] == summary["columns"]
        _print(f"since the last demo: {new} new runs; the lineage is {'unchanged' if same else 'changed'}")


def _print_answers(place: Place, url: str, summary: dict[str, Any]) -> bool:
    namespace = f"duckdb://{(place.project / 'data' / f'{DATABASE}.duckdb').resolve()}"
    expected, names = read_expected(place.project / "answers.json", namespace, DATABASE)
    answers = [ask(url, names, entry) for entry in expected]
    for answer in answers:
        if answer.expected.name in SHOWN:
            _heading(answer.expected.question)
            for line in tree(answer):
                _print(line)
    wrong = list(faults(summary, answers))
    _print(f"\n{sum(a.matches for a in answers)} of {len(answers)} hand-written answers match")
    for sentence in wrong:
        _print(f"WRONG: {sentence}")
    return not wrong


def _stay_up(url: str) -> None:
    _heading("The receiver stays up until Ctrl-C")
    _print(f"in a browser   {url}/")
    _print(f"in a terminal  {shlex.join([find_program('lineal'), *QUESTION])} --url {url}")
    _print(f"for programs   {url}/docs")
    try:
        signal.pause()
    except KeyboardInterrupt:
        _say("stopping")


def _say(line: str) -> None:
    _print(f"demo: {line}")


def _heading(line: str) -> None:
    try:
        "─".encode(sys.stdout.encoding)
        rule = "─"
    except UnicodeEncodeError:
        rule = "-"
    _print(f"\n{line}\n{rule * len(line)}")


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
