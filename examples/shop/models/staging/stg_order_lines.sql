with source as (

    select * from {{ source('raw', 'order_lines') }}

),

priced as (

    select
        order_line_id,
        order_id,
        line_number,
        product_id,
        quantity,
        {{ cents_to_amount('unit_price_cents') }} as unit_price,
        {{ cents_to_amount('quantity * unit_price_cents') }} as list_amount,
        {{ cents_to_amount('discount_cents') }} as discount_amount,
        {{ cents_to_amount('quantity * unit_price_cents - discount_cents') }} as gross_amount,
        vat_rate,
        created_at,
        updated_at
    from source

)

select
    *,
    (gross_amount * vat_rate / (1 + vat_rate))::decimal(12, 2) as vat_amount
from priced
