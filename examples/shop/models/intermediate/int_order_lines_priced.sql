{{ config(materialized='ephemeral') }}

-- Order lines with their order's head and their product, every amount in euros at the rate of the day of the order.
with lines as (

    select * from {{ ref('stg_order_lines') }}

),

orders as (

    select * from {{ ref('stg_orders') }}

),

products as (

    select * from {{ ref('stg_products') }}

),

rates as (

    select * from {{ ref('exchange_rates') }}

),

joined as (

    select
        lines.* exclude (created_at, updated_at),
        orders.* exclude (order_id),
        products.* exclude (product_id, updated_at),
        rates.eur_per_unit
    from lines
    inner join orders on lines.order_id = orders.order_id
    inner join products on lines.product_id = products.product_id
    left join rates
        on orders.currency_code = rates.currency_code
        and orders.placed_on between rates.valid_from and rates.valid_to

)

select
    *,
    (list_amount * eur_per_unit)::decimal(12, 2) as list_eur,
    (discount_amount * eur_per_unit)::decimal(12, 2) as discount_eur,
    (gross_amount * eur_per_unit)::decimal(12, 2) as gross_eur,
    (vat_amount * eur_per_unit)::decimal(12, 2) as vat_eur,
    ((gross_amount - vat_amount) * eur_per_unit)::decimal(12, 2) as net_eur,
    (quantity * unit_cost)::decimal(12, 2) as cost_eur
from joined
