"""The rows of the raw tables: a class a table, a field a column."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple


class Customer(NamedTuple):
    customer_id: int
    email: str
    first_name: str
    last_name: str
    phone: str
    birth_date: date | None
    country_code: str
    city: str
    postcode: str
    marketing_opt_in: bool
    signup_channel: str
    created_at: datetime
    updated_at: datetime


class Product(NamedTuple):
    product_id: int
    sku: str
    name: str
    brand: str
    category_id: int
    unit_cost_cents: int
    list_price_cents: int
    weight_grams: int
    active: bool
    launched_on: date
    discontinued_on: date | None
    updated_at: datetime


class Order(NamedTuple):
    order_id: int
    customer_id: int
    status: str
    channel: str
    campaign_code: str | None
    currency: str
    shipping_method: str
    ship_country: str
    ship_postcode: str
    device: str
    is_gift: bool
    placed_at: datetime
    paid_at: datetime | None
    cancelled_at: datetime | None
    updated_at: datetime


class OrderLine(NamedTuple):
    order_line_id: int
    order_id: int
    line_number: int
    product_id: int
    quantity: int
    unit_price_cents: int
    discount_cents: int
    vat_rate: Decimal
    created_at: datetime
    updated_at: datetime


class Payment(NamedTuple):
    payment_id: int
    order_id: int
    method: str
    status: str
    amount_cents: int
    fee_cents: int
    currency: str
    provider: str
    provider_reference: str
    created_at: datetime
    settled_at: datetime | None
    received_at: datetime


class Refund(NamedTuple):
    refund_id: int
    order_line_id: int
    order_id: int
    reason: str
    quantity: int
    amount_cents: int
    requested_at: datetime
    paid_at: datetime | None


class Vehicle(NamedTuple):
    vehicle_id: int
    plate: str
    depot: str
    fuel: str
    cost_cents_per_km: int
    payload_kg: int
    in_service_from: date
    in_service_to: date | None


class Shipment(NamedTuple):
    shipment_id: int
    order_id: int
    vehicle_id: int | None
    carrier: str
    status: str
    parcel_count: int
    weight_grams: int
    tracking_code: str
    packed_at: datetime
    shipped_at: datetime
    delivered_at: datetime | None
    delivery_attempts: int


class PageView(NamedTuple):
    page_view_id: int
    visitor_id: str
    customer_id: int | None
    url: str
    referrer: str | None
    campaign_code: str | None
    device: str
    country_code: str
    viewed_at: datetime
    duration_ms: int


class SupportTicket(NamedTuple):
    ticket_id: int
    customer_id: int
    order_id: int | None
    channel: str
    topic: str
    priority: str
    status: str
    opened_at: datetime
    first_reply_at: datetime | None
    closed_at: datetime | None
    rating: int | None


class StockMovement(NamedTuple):
    movement_id: int
    product_id: int
    warehouse: str
    movement_type: str
    quantity: int
    unit_cost_cents: int
    moved_at: datetime
    reference: str | None


class OdometerReading(NamedTuple):
    message_no: int
    vehicle_id: int
    device_serial: str
    read_at: datetime
    odometer_m: int
    energy_pct: int
