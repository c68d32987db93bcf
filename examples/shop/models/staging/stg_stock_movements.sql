with source as (

    select * from {{ source('raw', 'stock_movements') }}

)

select
    movement_id,
    product_id,
    warehouse,
    movement_type,
    quantity,
    greatest(quantity, 0) as quantity_in,
    greatest(-quantity, 0) as quantity_out,
    {{ cents_to_amount('unit_cost_cents') }} as unit_cost,
    moved_at,
    moved_at::date as moved_on,
    reference as purchase_order
from source
