"""The questions of `lineal` on the shop: asked over HTTP and of the database itself, the same answers."""

from __future__ import annotations

import asyncio
import csv
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit, urlunsplit

import asyncpg
import pytest

from lineal_receiver.postgres.migrate import migrate, read_migrations
from lineal_receiver.resources import find_data

from ..integration.api.round_trips import AROUND, describe, differ
from .plugin_receiver import silent_address
from .real_receiver import DIRECT, get, receiver
from .shop_truth import clean_environment

README = Path(__file__).parents[2] / "README.md"
LINEAL = [sys.executable, "-m", "lineal_receiver.cli"]
NET_EUR = """\
in SHOP
shop.marts.sales_daily.net_eur
│  = SUM(lines.net_eur)
└─ shop.marts.fct_order_lines.net_eur  aggregation
   │  = CAST(((gross_amount - vat_amount) * eur_per_unit) AS DECIMAL(12, 2))
   ├─ shop.reference.exchange_rates.eur_per_unit  transformation  constant
   ├─ shop.staging.stg_order_lines.gross_amount  transformation
   │  │  = CAST(((quantity * unit_price_cents - discount_cents) / 100) AS DECIMAL(12, 2))
   │  ├─ shop.raw.order_lines.discount_cents  transformation
   │  ├─ shop.raw.order_lines.quantity  transformation
   │  └─ shop.raw.order_lines.unit_price_cents  transformation
   └─ shop.staging.stg_order_lines.vat_amount  transformation
      │  = CAST((gross_amount * vat_rate / (1 + vat_rate)) AS DECIMAL(12, 2))
      ├─ shop.raw.order_lines.discount_cents  transformation
      ├─ shop.raw.order_lines.quantity  transformation
      ├─ shop.raw.order_lines.unit_price_cents  transformation
      └─ shop.raw.order_lines.vat_rate  transformation
"""


@dataclass(frozen=True, slots=True)
class Filled:
    """A receiver that has the shop's events, and its database."""

    url: str
    database: str
    namespace: str

    def ask(self, *words: str, direct: bool = False, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run `lineal` over HTTP, or on the database itself."""
        place = ("--database-url", self.database) if direct else ("--url", self.url)
        return lineal(*words, *place, **environment)

    def said(self, *words: str, direct: bool = False) -> str:
        """What it prints, if all is well, with the shop's namespace written short."""
        done = self.ask(*words, direct=direct)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return done.stdout.replace(self.namespace, "SHOP")


def lineal(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*LINEAL, *words],
        env={**clean_environment(), "NO_PROXY": "127.0.0.1", "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module")
async def database(server_url: str, template: str) -> AsyncIterator[str]:
    connection = await asyncpg.connect(server_url)
    try:
        await connection.execute(f'create database lineal_questions template "{template}"')
        yield urlunsplit(urlsplit(server_url)._replace(path="/lineal_questions"))
        await connection.execute("drop database lineal_questions with (force)")
    finally:
        await connection.close()


@pytest.fixture(scope="module")
def filled(database: str, shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filled]:
    with receiver(database, tmp_path_factory.mktemp("questions") / "receiver.log") as url:
        sent = lineal("ingest", str(shop / "events.ndjson"), "--url", url)
        assert sent.returncode == 0, sent.stderr
        yield Filled(url, database, f"duckdb://{(shop / 'data' / 'shop.duckdb').resolve()}")


@pytest.mark.parametrize("direct", [False, True], ids=["url", "database"])
def test_a_column_with_all_that_it_is_made_from(filled: Filled, direct: bool) -> None:
    assert filled.said("upstream", "sales_daily.net_eur", direct=direct) == NET_EUR


def test_json_is_the_answer_of_the_api(filled: Filled) -> None:
    query = {"namespace": filled.namespace, "name": "shop.marts.sales_daily", "field": "net_eur", "depth": 3}
    told = filled.ask("upstream", "marts.sales_daily.net_eur", "--depth", "3", "--format", "json")

    assert json.loads(told.stdout) == get(filled.url, "/api/v2/upstream", **query)
    assert (
        filled.ask("upstream", "marts.sales_daily.net_eur", "--depth", "3", "--format", "json", direct=True).stdout
        == told.stdout
    )


QUESTIONS = [
    ("upstream", "sales_daily.net_eur"),
    ("upstream", "sales_daily", "--columns", "--rows", "--depth", "2"),
    ("downstream", "raw.vehicles"),
    ("impact", "raw.vehicles.cost_cents_per_km"),
    ("path", "raw.vehicles.cost_cents_per_km", "fct_shipments.result_eur"),
    ("runs", "--job", "shop.marts.shop.sales_daily"),
    ("search", "net_eur"),
    ("export", "sales_daily", "--format", "mermaid"),
    ("export", "sales_daily", "--format", "openlineage", "--direction", "upstream"),
]


@pytest.mark.parametrize("words", QUESTIONS, ids=lambda words: " ".join(words))
def test_a_database_answers_as_its_receiver_does(filled: Filled, words: tuple[str, ...]) -> None:
    over_http = filled.ask(*words)

    assert (over_http.returncode, over_http.stderr) == (0, "")
    direct = filled.ask(*words, direct=True)
    assert (direct.returncode, direct.stderr) == (0, "")
    assert direct.stdout == over_http.stdout
    assert over_http.stdout


def test_a_table_by_tables(filled: Filled) -> None:
    assert filled.said("upstream", "marts.sales_daily", "--depth", "1") == (
        "in SHOP\n"
        "shop.marts.sales_daily\n"
        "├─ shop.marts.fct_order_lines  by shop.marts.shop.sales_daily\n"
        "└─ shop.reference.countries  by shop.marts.shop.sales_daily\n"
    )


def test_where_nothing_lies_below_it_says_why(filled: Filled) -> None:
    source = "in SHOP\nshop.raw.orders{}\nit is a source: no job is known to write it\n"
    assert filled.said("upstream", "raw.orders") == source.format("")
    assert filled.said("upstream", "raw.orders.order_id") == source.format(".order_id")
    assert filled.said("upstream", "exchange_rates.eur_per_unit") == (
        "in SHOP\nshop.reference.exchange_rates.eur_per_unit  constant\n"
    )
    assert filled.said("upstream", "fct_order_lines.rank_in_order").splitlines()[1:] == [
        "shop.marts.fct_order_lines.rank_in_order  "
        "traced, to columns that aren't shown here (--rows shows those that only decide)",
        "   = RANK() OVER (PARTITION BY lines.order_id ORDER BY lines.gross_eur DESC)",
    ]
    assert filled.said("downstream", "marts.sales_daily.net_eur") == (
        "in SHOP\nshop.marts.sales_daily.net_eur\nnothing is known to be made from it\n"
    )
    then = ("marts.sales_daily", "--as-of", "2020-01-01")
    head = "in SHOP, as of 2020-01-01T00:00:00Z\n"
    table = f"{head}shop.marts.sales_daily\n"
    assert filled.said("upstream", *then) == f"{table}no input of it is named then\n"
    assert filled.said("downstream", *then) == f"{table}nothing names it as an input then\n"
    assert filled.said("upstream", *then, "--columns") == f"{head}no column of it is known then\n"


def test_a_short_name_of_several_lists_them(filled: Filled) -> None:
    done = filled.ask("upstream", "vehicle_id")

    assert (done.returncode, done.stdout) == (2, "")
    assert "may be any of these" in done.stderr
    assert f"\n  {filled.namespace}:shop.raw.vehicles.vehicle_id\n" in done.stderr


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("sales_daly.net_eur", "shop.marts.sales_daily.net_eur"),
        ("sales_daily.net_euro", "shop.marts.sales_daily.net_eur"),
        ("fct_shipment", "shop.marts.fct_shipments"),
    ],
)
def test_a_name_that_nothing_has_leads_to_the_nearest(filled: Filled, wrong: str, right: str) -> None:
    done = filled.ask("downstream", wrong)

    assert (done.returncode, done.stdout) == (1, "")
    assert "Did you mean" in done.stderr
    assert f"\n  {filled.namespace}:{right}\n" in done.stderr


def test_so_does_a_whole_name(filled: Filled) -> None:
    table = f"{filled.namespace}:shop.marts.sales_daily"
    for wrong, right in ((table.replace("daily", "daly"), table), (f"{table}.net_euro", f"{table}.net_eur")):
        done = filled.ask("upstream", wrong)
        assert (done.returncode, done.stdout) == (1, "")
        assert f"Did you mean one of these?\n  {right}\n" in done.stderr


def test_a_name_like_nothing_here(filled: Filled) -> None:
    done = filled.ask("upstream", "zzzz")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "lineal: 'zzzz' is nothing that is known here. `lineal search` looks for parts of names.\n"


def test_what_breaks_and_whom_to_tell(filled: Filled) -> None:
    said = filled.said("impact", "raw.vehicles.cost_cents_per_km", "--format", "csv", "--values-only").splitlines()

    assert said[0] == "kind,namespace,name,field,distance,why,owners"
    columns = [line.split(",")[2:6] for line in said if line.startswith("column,")]
    assert columns == [
        ["shop.staging.stg_vehicles", "cost_per_km", "1", "direct"],
        ["shop.marts.fct_vehicle_days", "driving_cost", "2", "direct"],
        ["shop.marts.fct_shipments", "result_eur", "3", "direct"],
        ["shop.marts.fct_shipments", "van_cost_share_eur", "3", "direct"],
        ["shop.marts.fct_shipments", "van_driving_cost", "3", "direct"],
    ]


def test_why_one_reaches_another(filled: Filled) -> None:
    said = filled.said("path", "raw.vehicles.cost_cents_per_km", "fct_shipments.van_driving_cost", "--values-only")

    assert said.splitlines()[1:] == [
        "",
        "shop.raw.vehicles.cost_cents_per_km",
        "└─ shop.staging.stg_vehicles.cost_per_km  transformation",
        "   = CAST(((cost_cents_per_km) / 100) AS DECIMAL(12, 2))",
        "   └─ shop.marts.fct_vehicle_days.driving_cost  transformation",
        "      = CAST((COALESCE(days.distance_m, 0) / 1000 * vehicles.cost_per_km) AS DECIMAL(12, 2))",
        "      └─ shop.marts.fct_shipments.van_driving_cost  identity",
        "         = vehicle_days.driving_cost",
    ]


def test_the_readme_shows_what_is_printed(filled: Filled) -> None:
    shown = README.read_text().split("<!-- question: begin -->\n")[1].split("<!-- question: end -->")[0]
    command, answer = re.fullmatch(r"```sh\nlineal (.*) --url \S+\n```\n```\n(.*)```\n", shown, re.DOTALL).groups()  # type: ignore[union-attr]

    assert filled.said(*command.split()) == answer


def test_no_way_is_told_as_such(filled: Filled) -> None:
    done = filled.ask("path", "fct_shipments.van_driving_cost", "raw.vehicles.cost_cents_per_km")

    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout


def run_of(filled: Filled, job: str) -> str:
    """The id of a job's last run."""
    return next(csv.DictReader(filled.said("runs", "--job", job, "--format", "csv").splitlines()))["run_id"]


def test_runs_of_a_command_are_a_tree(filled: Filled) -> None:
    run = run_of(filled, "dbt-run-shop")
    said = filled.said("runs", run).splitlines()

    assert said[0].startswith("dbt-run-shop  completed")
    assert sum("shop.marts.shop.sales_daily  completed" in line for line in said) == 1
    none = filled.ask("runs", "--state", "FAILED")
    assert (none.returncode, none.stdout, none.stderr) == (1, "", "lineal: no run is known that fits\n")


def test_what_is_found_first_is_named_so(filled: Filled) -> None:
    said = filled.said("search", "sales_daily.net_eur")

    assert said.splitlines()[1].split() == ["column", "shop.marts.sales_daily.net_eur", "DECIMAL(38,2)", "SHOP"]
    assert filled.ask("search", "zzzz").returncode == 1


def test_nothing_is_unresolved_and_nothing_changed(filled: Filled) -> None:
    unresolved = filled.ask("unresolved")
    assert (unresolved.returncode, unresolved.stdout) == (1, "every column is traced or constant\n")

    for_a_reason = filled.ask("unresolved", "--reason", "parser_error")
    assert (for_a_reason.returncode, for_a_reason.stdout) == (1, "no column is unresolved for this reason\n")

    before = filled.ask("diff", "marts.sales_daily", "--from", "2020-01-01")
    assert before.returncode == 0
    assert re.search(r"^  \+ shop\.marts\.sales_daily\.net_eur ", before.stdout, re.MULTILINE)

    run, other = (run_of(filled, f"shop.marts.shop.{name}") for name in ("sales_daily", "fct_orders"))
    between = filled.said("diff", "--from-run", other, "--to-run", run).splitlines()
    assert between[0] == "in SHOP"
    assert "  + shop.marts.sales_daily.net_eur DECIMAL(38,2)" in between
    assert filled.ask("diff", "--from-run", run, "--to-run", run).returncode == 1

    same = filled.ask("diff", "marts.sales_daily", "--from", "2100-01-01", "--to", "2100-01-02")
    assert (same.returncode, same.stdout) == (1, "nothing changed\n")


def test_an_export_is_there_whole(filled: Filled, tmp_path: Path) -> None:
    path = tmp_path / "sales.mmd"
    done = filled.ask("export", "sales_daily", "--format", "mermaid", "--output", str(path))

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert path.read_text() == filled.ask("export", "sales_daily", "--format", "mermaid").stdout
    assert [file.name for file in tmp_path.iterdir()] == ["sales.mmd"]
    refused = filled.ask("export", "sales_daily", "--output", str(tmp_path / "missing" / "sales"))
    assert (refused.returncode, refused.stderr) == (
        2,
        f"lineal: {tmp_path / 'missing' / 'sales'} can't be written: No such file or directory\n",
    )


def test_what_is_exported_makes_the_same_graph_in_another_store(
    filled: Filled, database_url: str, tmp_path: Path
) -> None:
    found = get(filled.url, "/api/v2/search", q="shop", limit=200, kind="dataset")["results"]
    tables = [{"namespace": row["namespace"], "name": row["name"]} for row in found]
    assert len(tables) == 48
    events: dict[str, str] = {}
    told = tmp_path / "events.ndjson"
    assert filled.said("export", "marts.sales_daily", "--format", "openlineage", "--output", str(told)) == ""
    for table in tables:
        asked = urlencode({**table, "format": "openlineage"})
        with DIRECT.open(f"{filled.url}/api/v2/export?{asked}", timeout=300) as answer:
            events |= {json.loads(line)["job"]["name"]: line.decode() for line in answer}
    for line in told.read_text(encoding="utf-8").splitlines(keepends=True):
        assert events[json.loads(line)["job"]["name"]] == line  # a job is told whole, whatever is asked
    told.write_text("".join(events.values()), encoding="utf-8")
    taken = lineal("ingest", str(told), "--database-url", database_url)
    assert taken.returncode == 0, taken.stderr

    with receiver(database_url, tmp_path / "receiver.log") as url:
        for table in tables:
            before, after = (describe(get(of, "/api/v2/lineage", **table, **AROUND)) for of in (filled.url, url))
            assert differ(before, after) == [], table


def test_in_a_terminal_sql_is_folded_and_colours_show_unless_told(filled: Filled) -> None:
    words = ("upstream", "sales_daily.net_eur", "--url", filled.url)

    coloured = in_terminal(60, *words)
    plain = in_terminal(60, *words, NO_COLOR="1")

    assert "\x1b[" in coloured
    assert "\x1b[" not in plain
    assert re.sub(r"\x1b\[\d*m", "", coloured) == plain
    folded = [line for line in plain.splitlines() if " = " in line or line.startswith(("   │    ", "      │    "))]
    assert len(folded) > 4
    assert max(map(len, folded)) <= 60


def in_terminal(columns: int, *words: str, **environment: str) -> str:
    """What `lineal` shows in a terminal of so many columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    env = {**clean_environment(), "NO_PROXY": "127.0.0.1", "TERM": "xterm", "PYTHONIOENCODING": "utf-8", **environment}
    env = {name: value for name, value in env.items() if name != "NO_COLOR" or "NO_COLOR" in environment}
    with subprocess.Popen([*LINEAL, *words], stdout=theirs, stderr=subprocess.PIPE, env=env, text=True) as process:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 65536):
                shown += part
        except OSError:  # Linux's way to say that nobody writes any more
            pass
        os.close(ours)
        assert process.stderr is not None
        assert (process.stderr.read(), process.wait(300)) == ("", 0)
    return shown.decode().replace("\r\n", "\n")


def test_a_reader_who_has_gone_is_no_error(filled: Filled) -> None:
    over_http, direct = ("--url", filled.url), ("--database-url", filled.database)
    export = ("export", "sales_daily", "--format", "csv")
    for words in (("search", "a", *over_http), (*export, *over_http), (*export, *direct)):
        ours, theirs = os.pipe()
        os.close(ours)
        command = [*LINEAL, *words]
        env = {**clean_environment(), "NO_PROXY": "127.0.0.1"}
        done = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, env=env, timeout=300, check=False)
        os.close(theirs)
        assert (done.returncode, done.stderr) == (0, b"")


def test_nobody_answers() -> None:
    with silent_address() as address:
        url = address.url
        done = lineal("search", "orders", "--url", url)

    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (
        f"lineal: The receiver at {url} doesn't answer: Connection refused. Check the address, and that it runs.\n"
    )


def test_a_question_makes_no_store(tmp_path: Path) -> None:
    done = lineal("upstream", "orders", "--data-dir", str(tmp_path / "nothing"))

    assert (done.returncode, done.stdout) == (2, "")
    assert f"There is no store of Lineal's at {tmp_path / 'nothing'}: `lineal serve` makes one." in done.stderr
    assert list(tmp_path.iterdir()) == []


async def test_a_question_changes_no_database(server_url: str) -> None:
    connection = await asyncpg.connect(server_url)
    await connection.execute("create database lineal_bare")
    bare = urlunsplit(urlsplit(server_url)._replace(path="/lineal_bare"))
    try:
        empty = await asyncio.to_thread(lineal, "search", "orders", "--database-url", bare)
        assert (empty.returncode, empty.stdout) == (2, "")
        assert "There is no store of Lineal's at " in empty.stderr

        asked = await asyncpg.connect(bare)
        assert await asked.fetchval("select count(*) from pg_tables where schemaname = 'public'") == 0
        first, *_ = read_migrations(find_data("migrations"))
        await migrate(asked, [first])
        await asked.close()
        older = await asyncio.to_thread(lineal, "search", "orders", "--database-url", bare)
        assert (older.returncode, older.stdout) == (2, "")
        assert "lacks 0002_" in older.stderr
        assert "`lineal migrate` brings it up to date" in older.stderr
    finally:
        await connection.execute("drop database lineal_bare with (force)")
        await connection.close()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("upstream", "sales_daily.net_eur", "--as-of", "yesterday"), "asOf"),
        (("diff", "sales_daily"), "since when"),
        (("diff", "--from-run", "0190d5a0-1111-7000-8000-000000000001"), "go together"),
        (("runs", "sales_daily"), "no run's id"),
    ],
    ids=lambda told: " ".join(told) if isinstance(told, tuple) else "",
)
def test_what_cannot_be_asked_so(filled: Filled, words: tuple[str, ...], said: str) -> None:
    done = filled.ask(*words)

    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr
