"""What goes on around the orders: vans and parcels, visits to the web site, support, stock."""

from __future__ import annotations

import random
from datetime import date, timedelta

from generator.rows import (
    Customer,
    OdometerReading,
    Order,
    PageView,
    Product,
    Shipment,
    StockMovement,
    SupportTicket,
    Vehicle,
)
from generator.shop import CAMPAIGNS, COUNTRIES, DAYS, DEVICES, FIRST_DAY, moment

TELEMETRY_DAYS = 30
PAGES = ["/", "/search", "/category", "/product", "/cart", "/checkout", "/help"]
REFERRERS = [None, "https://search.example/", "https://social.example/feed", "https://blog.example/"]


def make_vehicles(rng: random.Random) -> list[Vehicle]:
    """Six vans; the last one leaves the fleet within the period."""
    return [
        Vehicle(
            vehicle_id=number,
            plate=f"LN-{rng.randrange(100, 999)}-{number}",
            depot=rng.choice(["Linden", "Brunnau"]),
            fuel=rng.choice(["electric", "diesel"]),
            cost_cents_per_km=rng.randrange(18, 46),
            payload_kg=rng.choice([700, 950, 1200]),
            in_service_from=date(2024, 3, 1) + timedelta(days=rng.randrange(500)),
            in_service_to=date(2026, 3, 20) if number == 6 else None,
        )
        for number in range(1, 7)
    ]


def make_shipments(rng: random.Random, orders: list[Order], vehicles: list[Vehicle]) -> list[Shipment]:
    """One shipment for each order that was paid and has left."""
    shipments: list[Shipment] = []
    for order in orders:
        if order.status != "shipped" or order.paid_at is None:
            continue
        van = order.shipping_method == "van"
        packed = order.paid_at + timedelta(hours=rng.randrange(2, 30))
        shipped = packed + timedelta(hours=rng.randrange(1, 20))
        delivered = shipped + timedelta(hours=rng.randrange(20, 110)) if rng.random() < 0.95 else None
        shipments.append(
            Shipment(
                shipment_id=len(shipments) + 1,
                order_id=order.order_id,
                vehicle_id=rng.choice(vehicles).vehicle_id if van else None,
                carrier="own_van" if van else rng.choice(["postline", "eurohaul"]),
                status="delivered" if delivered else "in_transit",
                parcel_count=rng.choice([1, 1, 1, 2, 3]),
                weight_grams=rng.randrange(200, 40000),
                tracking_code=f"TR{rng.getrandbits(36):09X}",
                packed_at=packed,
                shipped_at=shipped,
                delivered_at=delivered,
                delivery_attempts=rng.choice([1, 1, 1, 2]),
            )
        )
    return shipments


def make_page_views(rng: random.Random, visits: int, customers: list[Customer]) -> list[PageView]:
    """Visits of one to eight pages, half of them by customers; a long pause splits some in two sessions."""
    views: list[PageView] = []
    for _ in range(visits):
        customer = rng.choice(customers) if rng.random() < 0.5 else None
        visitor = f"v-{customer.customer_id if customer else rng.randrange(10000, 10400)}"
        viewed, device = moment(rng, rng.randrange(DAYS)), rng.choice(DEVICES)
        campaign = rng.choice(CAMPAIGNS) if rng.random() < 0.4 else None
        country = customer.country_code if customer else rng.choice(COUNTRIES)
        for step in range(rng.choice([1, 2, 3, 5, 8])):
            spent = rng.randrange(900, 180000)
            views.append(
                PageView(
                    page_view_id=len(views) + 1,
                    visitor_id=visitor,
                    customer_id=customer.customer_id if customer else None,
                    url="https://shop.example" + rng.choice(PAGES) + (f"?utm_campaign={campaign}" if campaign else ""),
                    referrer=rng.choice(REFERRERS) if step == 0 else None,
                    campaign_code=campaign,
                    device=device,
                    country_code=country,
                    viewed_at=viewed,
                    duration_ms=spent,
                )
            )
            viewed += timedelta(milliseconds=spent, seconds=rng.choice([1, 2, 5, 2400]))
    return views


def make_support_tickets(rng: random.Random, count: int, orders: list[Order]) -> list[SupportTicket]:
    """Requests about an order, most of them answered and closed, some of these rated."""
    tickets = []
    for number in range(1, count + 1):
        order = rng.choice(orders)
        opened = order.placed_at + timedelta(hours=rng.randrange(2, 400))
        replied = opened + timedelta(minutes=rng.randrange(5, 3000)) if rng.random() < 0.95 else None
        closed = replied + timedelta(hours=rng.randrange(1, 90)) if replied and rng.random() < 0.85 else None
        tickets.append(
            SupportTicket(
                ticket_id=number,
                customer_id=order.customer_id,
                order_id=order.order_id if rng.random() < 0.8 else None,
                channel=rng.choice(["email", "chat", "phone"]),
                topic=rng.choice(["delivery", "return", "product", "payment"]),
                priority=rng.choice(["low", "normal", "normal", "high"]),
                status="closed" if closed else "pending" if replied else "new",
                opened_at=opened,
                first_reply_at=replied,
                closed_at=closed,
                rating=rng.randrange(1, 6) if closed and rng.random() < 0.6 else None,
            )
        )
    return tickets


def make_stock_movements(rng: random.Random, products: list[Product]) -> list[StockMovement]:
    """An opening balance and a dozen movements for each product and warehouse, in the order of time."""
    movements: list[StockMovement] = []

    def move(product: Product, warehouse: str, kind: str, quantity: int, day: int) -> None:
        receipt = kind == "receipt"
        cost = int(product.unit_cost_cents * (rng.uniform(0.95, 1.08) if receipt else 1))
        at = FIRST_DAY if kind == "opening" else moment(rng, day)
        reference = f"PO-{rng.randrange(1000, 9999)}" if receipt else None
        movements.append(
            StockMovement(len(movements) + 1, product.product_id, warehouse, kind, quantity, cost, at, reference)
        )

    for product in products:
        for warehouse in ("north", "south"):
            move(product, warehouse, "opening", rng.randrange(10, 120), 0)
            for day in sorted(rng.sample(range(DAYS), 12)):
                kind, size = (
                    rng.choice(["receipt", "sale", "sale", "sale", "return", "write_off"]),
                    rng.randrange(1, 12),
                )
                quantity = {"receipt": size * 4, "sale": -size, "return": 1, "write_off": -1}[kind]
                move(product, warehouse, kind, quantity, day)
    return movements


def make_odometer_readings(rng: random.Random, vehicles: list[Vehicle]) -> list[OdometerReading]:
    """About hourly odometers in metres; one starts again at 0 when its telematics unit is swapped."""
    readings: list[OdometerReading] = []
    for vehicle in vehicles:
        odometer, unit = rng.randrange(4_000_000, 90_000_000), 1
        for day in range(DAYS - TELEMETRY_DAYS, DAYS):
            at = FIRST_DAY + timedelta(days=day, hours=7, minutes=rng.randrange(30))
            for _ in range(rng.randrange(6, 10)):
                if rng.random() < 0.006:
                    odometer, unit = 0, unit + 1
                # Now and then a unit sends two messages in one second.
                for _ in range(2 if rng.random() < 0.02 else 1):
                    serial, energy = f"TU-{vehicle.vehicle_id}-{unit}", rng.randrange(8, 100)
                    readings.append(OdometerReading(0, vehicle.vehicle_id, serial, at, odometer, energy))
                    odometer += rng.randrange(60)
                odometer += rng.randrange(32_000)
                at += timedelta(minutes=rng.randrange(40, 80), seconds=rng.randrange(60))
    readings.sort(key=lambda reading: reading.read_at)
    return [reading._replace(message_no=number) for number, reading in enumerate(readings, start=1)]
