"""Who buys what: customers, products, orders and the money that moves for them."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from datetime import date, datetime, timedelta
from decimal import Decimal

from generator.rows import Customer, Order, OrderLine, Payment, Product, Refund

FIRST_DAY = datetime(2026, 1, 1)
DAYS = 90
EURO_COUNTRIES = ("AT", "BE", "DE", "FR", "IE", "NL")
CURRENCY = dict.fromkeys(EURO_COUNTRIES, "EUR") | {"CH": "CHF", "DK": "DKK", "GB": "GBP", "SE": "SEK"}
VAT = {"AT": 200, "BE": 210, "CH": 81, "DE": 190, "DK": 250, "FR": 200, "GB": 200, "IE": 230, "NL": 210, "SE": 250}
COUNTRIES = sorted(CURRENCY)
PRICE_FACTOR = {"EUR": 1.0, "GBP": 0.87, "SEK": 10.9, "DKK": 7.46, "CHF": 0.94}
VAN_COUNTRIES = {"AT", "BE", "CH", "DE", "NL"}
CAMPAIGNS = ["WINTER26", "SEEDS26", "TOOLS26", "SPRING26", "BBQ26", "FRIENDS"]
DEVICES = ["phone", "desktop", "tablet"]
CITIES = ["Linden", "Marwick", "Oosthoek", "Brunnau", "Sommerfeld", "Ashby", "Vallon", "Norrvik"]
FIRST_NAMES = ["Ada", "Bram", "Clara", "Dirk", "Elin", "Femke", "Greta", "Hugo", "Ines", "Jonas", "Karin", "Luc"]
LAST_NAMES = ["Aalto", "Berger", "Claes", "Dubois", "Ekman", "Fischer", "Green", "Huber", "Janssen", "Keller"]
MAIL_DOMAINS = ["example.com", "example.org", "mail.example"]
BRANDS = ["Ackermann", "Birkdal", "Corvo", "Dorn & Sohn", "Everleaf"]
GOODS = {
    1: "spade", 2: "drill", 3: "hose", 4: "lavender", 5: "planter",
    6: "bench", 7: "lantern", 8: "grill", 9: "jacket", 10: "gloves",
}  # fmt: skip


def moment(rng: random.Random, day: int) -> datetime:
    """A second of the data's given day between 6 and 23 o'clock."""
    return FIRST_DAY + timedelta(days=day, seconds=rng.randrange(6 * 3600, 23 * 3600))


def make_customers(rng: random.Random, count: int) -> list[Customer]:
    """Accounts opened in the months before the data's period and in its first two."""
    customers = []
    for number in range(1, count + 1):
        first, last = rng.choice(FIRST_NAMES), rng.choice(LAST_NAMES)
        created = moment(rng, rng.randrange(-200, 60))
        customers.append(
            Customer(
                customer_id=number,
                email=f"{first}.{last}{number}@{rng.choice(MAIL_DOMAINS)}".lower(),
                first_name=first,
                last_name=last,
                phone=f"+00 555 {rng.randrange(10000, 99999)}",
                birth_date=date(1950, 1, 1) + timedelta(days=rng.randrange(20000)) if rng.random() < 0.8 else None,
                country_code=rng.choice(COUNTRIES),
                city=rng.choice(CITIES),
                postcode=f"{rng.randrange(1000, 9999)}",
                marketing_opt_in=rng.random() < 0.55,
                signup_channel=rng.choice(["shop", "newsletter", "referral", "fair"]),
                created_at=created,
                updated_at=created + timedelta(days=rng.randrange(30), minutes=rng.randrange(600)),
            )
        )
    return customers


def make_products(rng: random.Random, count: int) -> list[Product]:
    """The article master; one article in ten is no longer on sale."""
    products = []
    for number in range(1, count + 1):
        cost, category, brand = rng.randrange(150, 14000), rng.randrange(1, 11), rng.choice(BRANDS)
        active = rng.random() < 0.9
        products.append(
            Product(
                product_id=number,
                sku=f"SKU-{number:05d}",
                name=f"{brand} {GOODS[category]} {number}",
                brand=brand,
                category_id=category,
                unit_cost_cents=cost,
                list_price_cents=int(cost * rng.uniform(1.4, 2.4)),
                weight_grams=rng.randrange(80, 24000),
                active=active,
                launched_on=date(2024, 1, 1) + timedelta(days=rng.randrange(700)),
                discontinued_on=None if active else date(2026, 2, 1) + timedelta(days=rng.randrange(50)),
                updated_at=FIRST_DAY + timedelta(hours=rng.randrange(1500)),
            )
        )
    return products


def make_orders(rng: random.Random, count: int, customers: list[Customer]) -> list[Order]:
    """Orders spread evenly over the period; some are cancelled, some still unpaid."""
    orders = []
    for number in range(1, count + 1):
        customer = rng.choice(customers)
        country = customer.country_code
        placed = moment(rng, (number - 1) * DAYS // count)
        cancelled = placed + timedelta(hours=rng.randrange(1, 40)) if rng.random() < 0.06 else None
        paid = placed + timedelta(minutes=rng.randrange(1, 200)) if not cancelled and rng.random() < 0.97 else None
        orders.append(
            Order(
                order_id=number,
                customer_id=customer.customer_id,
                status="cancelled" if cancelled else rng.choice(["paid", "shipped", "shipped"]) if paid else "open",
                channel=rng.choice(["web", "web", "app", "phone"]),
                campaign_code=rng.choice(CAMPAIGNS) if rng.random() < 0.15 else None,
                currency=CURRENCY[country],
                shipping_method=rng.choice(["standard", "express", "van" if country in VAN_COUNTRIES else "standard"]),
                ship_country=country,
                ship_postcode=customer.postcode,
                device=rng.choice(DEVICES),
                is_gift=rng.random() < 0.08,
                placed_at=placed,
                paid_at=paid,
                cancelled_at=cancelled,
                updated_at=cancelled or paid or placed,
            )
        )
    return orders


def make_order_lines(rng: random.Random, orders: list[Order], products: list[Product]) -> list[OrderLine]:
    """One to five different articles an order, at the list price in the order's currency."""
    lines: list[OrderLine] = []
    for order in orders:
        for position, product in enumerate(rng.sample(products, rng.choice([1, 1, 2, 2, 3, 5])), start=1):
            quantity = rng.choice([1, 1, 1, 2, 3, 6])
            price = int(product.list_price_cents * PRICE_FACTOR[order.currency])
            lines.append(
                OrderLine(
                    order_line_id=len(lines) + 1,
                    order_id=order.order_id,
                    line_number=position,
                    product_id=product.product_id,
                    quantity=quantity,
                    unit_price_cents=price,
                    discount_cents=price * quantity * rng.choice([0, 0, 0, 5, 10, 25]) // 100,
                    vat_rate=Decimal(VAT[order.ship_country]) / 1000,
                    created_at=order.placed_at,
                    updated_at=order.updated_at,
                )
            )
    return lines


def line_total(line: OrderLine) -> int:
    """What a line costs in cents, after its discount."""
    return line.quantity * line.unit_price_cents - line.discount_cents


def make_payments(rng: random.Random, orders: list[Order], lines: list[OrderLine]) -> list[Payment]:
    """Attempts to pay; now and then one fails first, and now and then the provider delivers one twice."""
    totals: Counter[int] = Counter()
    for line in lines:
        totals[line.order_id] += line_total(line)
    payments, number = [], 0
    for order in orders:
        attempts = [("failed", order.placed_at + timedelta(seconds=40))] if rng.random() < 0.07 else []
        attempts += [("captured", order.paid_at)] if order.paid_at else []
        for status, created in attempts:
            number += 1
            amount = totals[order.order_id]
            payment = Payment(
                payment_id=number,
                order_id=order.order_id,
                method=rng.choice(["card", "card", "paypal", "bank_transfer", "gift_card"]),
                status=status,
                amount_cents=amount,
                fee_cents=25 + amount * 14 // 1000 if status == "captured" else 0,
                currency=order.currency,
                provider=rng.choice(["paylane", "nordpay"]),
                provider_reference=f"ref-{rng.getrandbits(40):010x}",
                created_at=created,
                settled_at=created + timedelta(days=2) if status == "captured" else None,
                received_at=created + timedelta(seconds=3),
            )
            payments.append(payment)
            if rng.random() < 0.03:
                payments.append(payment._replace(received_at=created + timedelta(seconds=64)))
    return payments


def make_refunds(rng: random.Random, orders: list[Order], lines: list[OrderLine]) -> list[Refund]:
    """One paid line in twenty goes back, in part or whole."""
    lines_of: dict[int, list[OrderLine]] = defaultdict(list)
    for line in lines:
        lines_of[line.order_id].append(line)
    refunds: list[Refund] = []
    for order in orders:
        for line in lines_of[order.order_id] if order.paid_at else []:
            if rng.random() > 0.05:
                continue
            quantity = rng.randrange(1, line.quantity + 1)
            requested = order.updated_at + timedelta(days=rng.randrange(3, 20))
            refunds.append(
                Refund(
                    refund_id=len(refunds) + 1,
                    order_line_id=line.order_line_id,
                    order_id=order.order_id,
                    reason=rng.choice(["damaged", "wrong_item", "changed_mind", "late"]),
                    quantity=quantity,
                    amount_cents=line_total(line) * quantity // line.quantity,
                    requested_at=requested,
                    paid_at=requested + timedelta(days=rng.randrange(1, 9)) if rng.random() < 0.9 else None,
                )
            )
    return refunds
