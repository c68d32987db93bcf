"""Writes the shop's raw data, the same every time: tables in a DuckDB file, odometers as partitioned Parquet."""

from __future__ import annotations

import argparse
import csv
import random
import shutil
import tempfile
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

import duckdb
from generator import operations, shop

SEED = 20260101
DUCKDB_TYPES = {
    bool: "boolean",
    date: "date",
    datetime: "timestamp",
    Decimal: "decimal(4, 3)",
    int: "bigint",
    str: "varchar",
}

Rows = Sequence[NamedTuple]


def make_tables() -> dict[str, Rows]:
    """Every raw table by its name; they draw from one random stream, so the order of the calls is part of the data."""
    rng = random.Random(SEED)  # noqa: S311 - the same data every time is the point
    customers = shop.make_customers(rng, 300)
    products = shop.make_products(rng, 60)
    orders = shop.make_orders(rng, 1200, customers)
    order_lines = shop.make_order_lines(rng, orders, products)
    vehicles = operations.make_vehicles(rng)
    return {
        "customers": customers,
        "products": products,
        "orders": orders,
        "order_lines": order_lines,
        "payments": shop.make_payments(rng, orders, order_lines),
        "refunds": shop.make_refunds(rng, orders, order_lines),
        "vehicles": vehicles,
        "shipments": operations.make_shipments(rng, orders, vehicles),
        "page_views": operations.make_page_views(rng, 1600, customers),
        "support_tickets": operations.make_support_tickets(rng, 180, orders),
        "stock_movements": operations.make_stock_movements(rng, products),
        "odometer_readings": operations.make_odometer_readings(rng, vehicles),
    }


def duckdb_type(hint: Any) -> str:
    """The DuckDB type of a field's annotation, which may be optional."""
    kinds = [kind for kind in get_args(hint) or (hint,) if kind is not type(None)]
    return DUCKDB_TYPES[kinds[0]]


def load_table(connection: duckdb.DuckDBPyConnection, scratch: Path, name: str, rows: Rows) -> None:
    """Creates or replaces `raw.{name}`, by way of a CSV file, as DuckDB is slow to insert row by row."""
    path = scratch / f"{name}.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    types = ", ".join(f"'{field}': '{duckdb_type(hint)}'" for field, hint in get_type_hints(type(rows[0])).items())
    columns = f"columns = {{{types}}}"
    connection.execute(
        f"create or replace table raw.{name} as"  # noqa: S608 - the names are ours
        f" select * from read_csv($path, header = false, nullstr = '', {columns})",
        {"path": str(path)},
    )


def write_partitions(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Moves `raw.odometer_readings` to Parquet, a folder `dt=YYYY-MM-DD` a day; folders of an earlier run go first."""
    for old in folder.glob("dt=*"):
        shutil.rmtree(old)
    days = connection.execute("select distinct read_at::date from raw.odometer_readings order by 1").fetchall()
    for (day,) in days:
        target = folder / f"dt={day}" / "readings.parquet"
        target.parent.mkdir(parents=True)
        readings = "select * from raw.odometer_readings where read_at::date = ? order by message_no"
        connection.sql(readings, params=[day]).write_parquet(str(target))
    connection.execute("drop table raw.odometer_readings")


def generate(out: Path) -> dict[str, int]:
    """Writes `shop.duckdb` (schema `raw`) and `odometer_readings/dt=…/` under a folder; gives each table's rows."""
    out.mkdir(parents=True, exist_ok=True)
    tables = make_tables()
    with duckdb.connect(str(out / "shop.duckdb")) as connection, tempfile.TemporaryDirectory() as scratch:
        connection.execute("set threads = 1")  # one writer, so that the files come out the same
        connection.execute("create schema if not exists raw")
        for name, rows in tables.items():
            load_table(connection, Path(scratch), name, rows)
        write_partitions(connection, out / "odometer_readings")
    return {name: len(rows) for name, rows in tables.items()}


def main() -> None:
    """Reads the command line and writes the data."""
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path(__file__).parent / "data"
    parser.add_argument(
        "--out", type=Path, default=default, help="folder to write to (default: data/ beside this file)"
    )
    for name, count in generate(parser.parse_args().out).items():
        print(f"{name:<18}{count:>6,} rows")  # noqa: T201 - a command line prints


if __name__ == "__main__":
    main()
