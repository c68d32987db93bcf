"""Writes the shop's raw data, the same every time: `raw` tables in a DuckDB file, odometer readings as partitioned Parquet."""

from __future__ import annotations

import argparse
import csv
import random
import shutil
import tempfile
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import duckdb

SEED = 20260101
FIRST_DAY = datetime(2026, 1, 1)
DAYS = 90
TELEMETRY_DAYS = 30
COUNTRIES = {
    "AT": ("EUR", 0.200), "BE": ("EUR", 0.210), "CH": ("CHF", 0.081), "DE": ("EUR", 0.190), "DK": ("DKK", 0.250),
    "FR": ("EUR", 0.200), "GB": ("GBP", 0.200), "IE": ("EUR", 0.230), "NL": ("EUR", 0.210), "SE": ("SEK", 0.250),
}  # fmt: skip
PRICE_FACTOR = {"EUR": 1.0, "GBP": 0.87, "SEK": 10.9, "DKK": 7.46, "CHF": 0.94}
VAN_COUNTRIES = {"AT", "BE", "CH", "DE", "NL"}
CAMPAIGNS = ["WINTER26", "SEEDS26", "TOOLS26", "SPRING26", "BBQ26", "FRIENDS"]
DEVICES = ["phone", "desktop", "tablet"]
CITIES = ["Linden", "Marwick", "Oosthoek", "Brunnau", "Sommerfeld", "Ashby", "Vallon", "Norrvik"]
FIRST_NAMES = ["Ada", "Bram", "Clara", "Dirk", "Elin", "Femke", "Greta", "Hugo", "Ines", "Jonas", "Karin", "Luc"]
LAST_NAMES = ["Aalto", "Berger", "Claes", "Dubois", "Ekman", "Fischer", "Green", "Huber", "Janssen", "Keller"]
BRANDS = ["Ackermann", "Birkdal", "Corvo", "Dorn & Sohn", "Everleaf"]
GOODS = ["spade", "rake", "drill", "hose", "lavender", "planter", "bench", "lantern", "grill", "jacket", "gloves", "saw"]
PAGES = ["/", "/search", "/category", "/product", "/cart", "/checkout", "/help"]

Row = tuple[object, ...]


class Table(NamedTuple):
    """One raw table: its columns with their DuckDB types, and its rows."""

    columns: dict[str, str]
    rows: list[Row]


def moment(rng: random.Random, day: int) -> datetime:
    """A random second of the given day of the data's period."""
    return FIRST_DAY + timedelta(days=day, seconds=rng.randrange(6 * 3600, 23 * 3600))


def make_customers(rng: random.Random, count: int) -> Table:
    rows: list[Row] = []
    for number in range(1, count + 1):
        first, last = rng.choice(FIRST_NAMES), rng.choice(LAST_NAMES)
        created = moment(rng, rng.randrange(-200, 60))
        updated = created + timedelta(days=rng.randrange(0, 30), minutes=rng.randrange(600))
        born = date(1950, 1, 1) + timedelta(days=rng.randrange(20000)) if rng.random() < 0.8 else None
        rows.append((
            number, f"{first}.{last}{number}@{rng.choice(['example.com', 'example.org', 'mail.example'])}".lower(),
            first, last, f"+00 555 {rng.randrange(10000, 99999)}", born, rng.choice(list(COUNTRIES)), rng.choice(CITIES),
            f"{rng.randrange(1000, 9999)}", rng.random() < 0.55, rng.choice(["shop", "newsletter", "referral", "fair"]),
            created, updated,
        ))  # fmt: skip
    return Table(
        {
            "customer_id": "integer", "email": "varchar", "first_name": "varchar", "last_name": "varchar",
            "phone": "varchar", "birth_date": "date", "country_code": "varchar", "city": "varchar",
            "postcode": "varchar", "marketing_opt_in": "boolean", "signup_channel": "varchar",
            "created_at": "timestamp", "updated_at": "timestamp",
        },
        rows,
    )  # fmt: skip


def make_products(rng: random.Random, count: int) -> Table:
    rows: list[Row] = []
    for number in range(1, count + 1):
        cost = rng.randrange(150, 14000)
        launched = date(2024, 1, 1) + timedelta(days=rng.randrange(700))
        active = rng.random() < 0.9
        rows.append((
            number, f"SKU-{number:05d}", f"{rng.choice(BRANDS)} {rng.choice(GOODS)} {number}", rng.choice(BRANDS),
            rng.randrange(1, 11), cost, int(cost * rng.uniform(1.3, 2.4)), rng.randrange(80, 24000), active, launched,
            None if active else date(2026, 2, 1) + timedelta(days=rng.randrange(50)),
            datetime(2026, 1, 1) + timedelta(hours=rng.randrange(1500)),
        ))  # fmt: skip
    return Table(
        {
            "product_id": "integer", "sku": "varchar", "name": "varchar", "brand": "varchar", "category_id": "integer",
            "unit_cost_cents": "integer", "list_price_cents": "integer", "weight_grams": "integer", "active": "boolean",
            "launched_on": "date", "discontinued_on": "date", "updated_at": "timestamp",
        },
        rows,
    )  # fmt: skip


def make_orders(rng: random.Random, count: int, customers: Table) -> Table:
    rows: list[Row] = []
    for number in range(1, count + 1):
        customer = rng.choice(customers.rows)
        country = str(customer[6])
        placed = moment(rng, min(DAYS - 1, number * DAYS // count))
        cancelled = placed + timedelta(hours=rng.randrange(1, 40)) if rng.random() < 0.06 else None
        paid = placed + timedelta(minutes=rng.randrange(1, 200)) if cancelled is None and rng.random() < 0.97 else None
        methods = ["standard", "standard", "express"] + (["van"] if country in VAN_COUNTRIES else [])
        status = "cancelled" if cancelled else "open" if paid is None else rng.choice(["paid", "shipped", "shipped"])
        rows.append((
            number, customer[0], status, rng.choice(["web", "web", "app", "phone"]),
            rng.choice(CAMPAIGNS) if rng.random() < 0.15 else None, COUNTRIES[country][0], rng.choice(methods),
            country, customer[8], rng.choice(DEVICES), rng.random() < 0.08, placed, paid, cancelled,
            max(moved for moved in (placed, paid, cancelled) if moved),
        ))  # fmt: skip
    return Table(
        {
            "order_id": "integer", "customer_id": "integer", "status": "varchar", "channel": "varchar",
            "campaign_code": "varchar", "currency": "varchar", "shipping_method": "varchar", "ship_country": "varchar",
            "ship_postcode": "varchar", "device": "varchar", "is_gift": "boolean", "placed_at": "timestamp",
            "paid_at": "timestamp", "cancelled_at": "timestamp", "updated_at": "timestamp",
        },
        rows,
    )  # fmt: skip


def make_order_lines(rng: random.Random, orders: Table, products: Table) -> Table:
    rows: list[Row] = []
    for order in orders.rows:
        country, placed = str(order[7]), order[11]
        for position, product in enumerate(rng.sample(products.rows, rng.choice([1, 1, 2, 2, 3, 5])), start=1):
            quantity = rng.choice([1, 1, 1, 2, 3, 6])
            price = int(int(str(product[6])) * PRICE_FACTOR[str(order[5])])
            discount = price * quantity * rng.choice([0, 0, 0, 5, 10, 25]) // 100
            rows.append((
                len(rows) + 1, order[0], position, product[0], quantity, price, discount, COUNTRIES[country][1],
                placed, order[14],
            ))  # fmt: skip
    return Table(
        {
            "order_line_id": "integer", "order_id": "integer", "line_number": "integer", "product_id": "integer",
            "quantity": "integer", "unit_price_cents": "integer", "discount_cents": "integer",
            "vat_rate": "decimal(4, 3)", "created_at": "timestamp", "updated_at": "timestamp",
        },
        rows,
    )  # fmt: skip


def make_payments(rng: random.Random, orders: Table, lines: Table) -> Table:
    totals: dict[object, int] = {}
    for line in lines.rows:
        totals[line[1]] = totals.get(line[1], 0) + int(str(line[4])) * int(str(line[5])) - int(str(line[6]))
    rows: list[Row] = []
    for order in orders.rows:
        placed, paid = order[11], order[12]
        assert isinstance(placed, datetime)
        attempts = [("failed", placed + timedelta(minutes=1))] if rng.random() < 0.07 else []
        attempts += [("captured", paid)] if isinstance(paid, datetime) else []
        for status, created in attempts:
            amount, method = totals[order[0]], rng.choice(["card", "card", "paypal", "bank_transfer", "gift_card"])
            number = len({row[0] for row in rows[-2:]}) and int(str(rows[-1][0])) + 1 or 1
            row = (
                number, order[0], method, status, amount, 25 + amount * 14 // 1000 if status == "captured" else 0,
                order[5], rng.choice(["paylane", "nordpay"]), f"ref-{rng.getrandbits(40):010x}", created,
                created + timedelta(days=2) if status == "captured" else None,
            )  # fmt: skip
            rows.append((*row, created + timedelta(seconds=3)))
            if rng.random() < 0.03:  # the provider's webhook delivers at least once
                rows.append((*row, created + timedelta(seconds=64)))
    return Table(
        {
            "payment_id": "integer", "order_id": "integer", "method": "varchar", "status": "varchar",
            "amount_cents": "integer", "fee_cents": "integer", "currency": "varchar", "provider": "varchar",
            "provider_reference": "varchar", "created_at": "timestamp", "settled_at": "timestamp",
            "received_at": "timestamp",
        },
        rows,
    )  # fmt: skip


def make_refunds(rng: random.Random, orders: Table, lines: Table) -> Table:
    paid_at = {order[0]: order[12] for order in orders.rows}
    rows: list[Row] = []
    for line in lines.rows:
        paid = paid_at[line[1]]
        if not isinstance(paid, datetime) or rng.random() > 0.05:
            continue
        quantity = rng.randrange(1, int(str(line[4])) + 1)
        amount = (int(str(line[4])) * int(str(line[5])) - int(str(line[6]))) * quantity // int(str(line[4]))
        requested = paid + timedelta(days=rng.randrange(3, 20))
        rows.append((
            len(rows) + 1, line[0], line[1], rng.choice(["damaged", "wrong_item", "changed_mind", "late"]), quantity,
            amount, requested, requested + timedelta(days=rng.randrange(1, 9)) if rng.random() < 0.9 else None,
        ))  # fmt: skip
    return Table(
        {
            "refund_id": "integer", "order_line_id": "integer", "order_id": "integer", "reason": "varchar",
            "quantity": "integer", "amount_cents": "integer", "requested_at": "timestamp", "paid_at": "timestamp",
        },
        rows,
    )  # fmt: skip


def make_vehicles(rng: random.Random) -> Table:
    rows: list[Row] = [
        (
            number, f"LN-{rng.randrange(100, 999)}-{number}", rng.choice(["Linden", "Brunnau"]),
            rng.choice(["electric", "diesel"]), rng.randrange(18, 46), rng.choice([700, 950, 1200]),
            date(2024, 3, 1) + timedelta(days=rng.randrange(500)), date(2026, 3, 20) if number == 6 else None,
        )
        for number in range(1, 7)
    ]  # fmt: skip
    return Table(
        {
            "vehicle_id": "integer", "plate": "varchar", "depot": "varchar", "fuel": "varchar",
            "cost_cents_per_km": "integer", "payload_kg": "integer", "in_service_from": "date", "in_service_to": "date",
        },
        rows,
    )  # fmt: skip


def make_shipments(rng: random.Random, orders: Table, vehicles: Table) -> Table:
    rows: list[Row] = []
    for order in orders.rows:
        if order[2] != "shipped":
            continue
        paid = order[12]
        assert isinstance(paid, datetime)
        van = order[6] == "van"
        packed = paid + timedelta(hours=rng.randrange(2, 30))
        shipped = packed + timedelta(hours=rng.randrange(1, 20))
        delivered = shipped + timedelta(hours=rng.randrange(20, 150)) if rng.random() < 0.95 else None
        rows.append((
            len(rows) + 1, order[0], rng.choice(vehicles.rows)[0] if van else None,
            "own_van" if van else rng.choice(["postline", "eurohaul"]), "delivered" if delivered else "in_transit",
            rng.choice([1, 1, 1, 2, 3]), rng.randrange(200, 40000), f"TR{rng.getrandbits(36):09X}", packed, shipped,
            delivered, rng.choice([1, 1, 1, 2]),
        ))  # fmt: skip
    return Table(
        {
            "shipment_id": "integer", "order_id": "integer", "vehicle_id": "integer", "carrier": "varchar",
            "status": "varchar", "parcel_count": "integer", "weight_grams": "integer", "tracking_code": "varchar",
            "packed_at": "timestamp", "shipped_at": "timestamp", "delivered_at": "timestamp",
            "delivery_attempts": "integer",
        },
        rows,
    )  # fmt: skip


def make_page_views(rng: random.Random, visits: int, customers: Table) -> Table:
    rows: list[Row] = []
    for _ in range(visits):
        customer = rng.choice(customers.rows) if rng.random() < 0.5 else None
        visitor = f"v-{customer[0] if customer else rng.randrange(10000, 10400)}"
        viewed, device = moment(rng, rng.randrange(DAYS)), rng.choice(DEVICES)
        campaign = rng.choice(CAMPAIGNS) if rng.random() < 0.4 else None
        referrer = rng.choice([None, "https://search.example/", "https://social.example/feed", "https://blog.example/"])
        country = str(customer[6]) if customer else rng.choice(list(COUNTRIES))
        for step in range(rng.choice([1, 2, 3, 5, 8])):
            url = "https://shop.example" + rng.choice(PAGES) + (f"?utm_campaign={campaign}" if campaign else "")
            spent = rng.randrange(900, 180000)
            rows.append((
                len(rows) + 1, visitor, customer[0] if customer else None, url, referrer if step == 0 else None,
                campaign, device, country, viewed, spent,
            ))  # fmt: skip
            viewed += timedelta(milliseconds=spent, seconds=rng.choice([1, 2, 5, 2400]))
    return Table(
        {
            "page_view_id": "integer", "visitor_id": "varchar", "customer_id": "integer", "url": "varchar",
            "referrer": "varchar", "campaign_code": "varchar", "device": "varchar", "country_code": "varchar",
            "viewed_at": "timestamp", "duration_ms": "integer",
        },
        rows,
    )  # fmt: skip


def make_support_tickets(rng: random.Random, count: int, orders: Table) -> Table:
    rows: list[Row] = []
    for number in range(1, count + 1):
        order = rng.choice(orders.rows)
        placed = order[11]
        assert isinstance(placed, datetime)
        opened = placed + timedelta(hours=rng.randrange(2, 400))
        replied = opened + timedelta(minutes=rng.randrange(5, 3000)) if rng.random() < 0.95 else None
        closed = replied + timedelta(hours=rng.randrange(1, 90)) if replied and rng.random() < 0.85 else None
        rows.append((
            number, order[1], order[0] if rng.random() < 0.8 else None, rng.choice(["email", "chat", "phone"]),
            rng.choice(["delivery", "return", "product", "payment"]), rng.choice(["low", "normal", "normal", "high"]),
            "closed" if closed else "pending" if replied else "new", opened, replied, closed,
            rng.randrange(1, 6) if closed and rng.random() < 0.6 else None,
        ))  # fmt: skip
    return Table(
        {
            "ticket_id": "integer", "customer_id": "integer", "order_id": "integer", "channel": "varchar",
            "topic": "varchar", "priority": "varchar", "status": "varchar", "opened_at": "timestamp",
            "first_reply_at": "timestamp", "closed_at": "timestamp", "rating": "integer",
        },
        rows,
    )  # fmt: skip


def make_stock_movements(rng: random.Random, products: Table) -> Table:
    rows: list[Row] = []
    for product in products.rows:
        cost = int(str(product[5]))
        for warehouse in ("north", "south"):
            rows.append((len(rows) + 1, product[0], warehouse, "opening", rng.randrange(40, 300), cost, FIRST_DAY, None))
            for day in sorted(rng.sample(range(DAYS), 12)):
                kind = rng.choice(["receipt", "sale", "sale", "sale", "return", "write_off"])
                size = rng.randrange(1, 12)
                quantity = {"receipt": size * 6, "return": 1, "sale": -size, "write_off": -1}[kind]
                paid = int(cost * rng.uniform(0.95, 1.08)) if kind == "receipt" else cost
                rows.append((
                    len(rows) + 1, product[0], warehouse, kind, quantity, paid, moment(rng, day),
                    f"PO-{rng.randrange(1000, 9999)}" if kind == "receipt" else None,
                ))  # fmt: skip
    return Table(
        {
            "movement_id": "integer", "product_id": "integer", "warehouse": "varchar", "movement_type": "varchar",
            "quantity": "integer", "unit_cost_cents": "integer", "moved_at": "timestamp", "reference": "varchar",
        },
        rows,
    )  # fmt: skip


def make_odometer_readings(rng: random.Random, vehicles: Table) -> Table:
    """Each van's odometer in metres, about hourly; it starts again at 0 when a telematics unit is swapped."""
    seen: list[tuple[datetime, int, str, int, int]] = []
    for vehicle in vehicles.rows:
        number = int(str(vehicle[0]))
        odometer, unit = rng.randrange(4_000_000, 90_000_000), 1
        for day in range(TELEMETRY_DAYS):
            at = FIRST_DAY + timedelta(days=DAYS - TELEMETRY_DAYS + day, hours=7, minutes=rng.randrange(30))
            for _ in range(rng.randrange(6, 10)):
                if rng.random() < 0.006:
                    odometer, unit = 0, unit + 1
                seen.append((at, number, f"TU-{number}-{unit}", odometer, rng.randrange(8, 100)))
                if rng.random() < 0.02:  # two messages of one second
                    odometer += rng.randrange(10, 60)
                    seen.append((at, number, f"TU-{number}-{unit}", odometer, rng.randrange(8, 100)))
                odometer += rng.randrange(0, 32_000)
                at += timedelta(minutes=rng.randrange(40, 80), seconds=rng.randrange(60))
    seen.sort(key=lambda reading: reading[0])
    rows: list[Row] = [(number, van, unit, at, metres, energy) for number, (at, van, unit, metres, energy) in enumerate(seen, 1)]
    return Table(
        {
            "message_no": "bigint", "vehicle_id": "integer", "device_serial": "varchar", "read_at": "timestamp",
            "odometer_m": "bigint", "energy_pct": "integer",
        },
        rows,
    )  # fmt: skip


def make_tables(rng: random.Random) -> dict[str, Table]:
    """Every raw table by its name; one random stream, so the order of the calls is part of the data."""
    customers = make_customers(rng, 300)
    products = make_products(rng, 60)
    orders = make_orders(rng, 1200, customers)
    lines = make_order_lines(rng, orders, products)
    vehicles = make_vehicles(rng)
    return {
        "customers": customers,
        "products": products,
        "orders": orders,
        "order_lines": lines,
        "payments": make_payments(rng, orders, lines),
        "refunds": make_refunds(rng, orders, lines),
        "vehicles": vehicles,
        "shipments": make_shipments(rng, orders, vehicles),
        "page_views": make_page_views(rng, 1600, customers),
        "support_tickets": make_support_tickets(rng, 180, orders),
        "stock_movements": make_stock_movements(rng, products),
        "odometer_readings": make_odometer_readings(rng, vehicles),
    }


def load_table(connection: duckdb.DuckDBPyConnection, scratch: Path, name: str, table: Table) -> None:
    """Creates or replaces `raw.{name}`; by way of a CSV file, as row-wise inserts are slow in DuckDB."""
    path = scratch / f"{name}.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(table.rows)
    types = ", ".join(f"'{column}': '{kind}'" for column, kind in table.columns.items())
    connection.execute(
        f"create or replace table raw.{name} as"
        f" select * from read_csv(?, header = false, nullstr = '', columns = {{{types}}})",
        [str(path)],
    )


def write_partitions(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Moves `raw.odometer_readings` to Parquet, one folder `dt=YYYY-MM-DD` a day."""
    shutil.rmtree(folder, ignore_errors=True)
    days = connection.execute("select distinct read_at::date from raw.odometer_readings order by 1").fetchall()
    for (day,) in days:
        partition = folder / f"dt={day}"
        partition.mkdir(parents=True)
        target = str(partition / "readings.parquet").replace("'", "''")
        connection.execute(
            f"copy (select * from raw.odometer_readings where read_at::date = date '{day}' order by message_no)"
            f" to '{target}' (format parquet)"
        )
    connection.execute("drop table raw.odometer_readings")


def generate(out: Path) -> None:
    """Writes `shop.duckdb` (schema `raw`) and `odometer_readings/dt=…/` under a folder, replacing what an earlier run wrote."""
    out.mkdir(parents=True, exist_ok=True)
    tables = make_tables(random.Random(SEED))
    with duckdb.connect(str(out / "shop.duckdb")) as connection, tempfile.TemporaryDirectory() as scratch:
        connection.execute("set threads = 1")
        connection.execute("create schema if not exists raw")
        for name, table in tables.items():
            load_table(connection, Path(scratch), name, table)
        write_partitions(connection, out / "odometer_readings")
    for name, table in tables.items():
        print(f"{name:<18} {len(table.rows):>6,} rows")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "data", help="folder (default: data/ here)")
    generate(parser.parse_args().out)


if __name__ == "__main__":
    main()
