with movements as (

    select * from {{ ref('stg_stock_movements') }}

),

running as (

    select
        *,
        sum(quantity) over (partition by product_id, warehouse order by moved_at, movement_id) as quantity_on_hand,
        row_number() over (partition by product_id, warehouse order by moved_at desc, movement_id desc) as recency
    from movements

),

levels as (

    select
        product_id,
        warehouse,
        sum(quantity_in) as quantity_in,
        sum(quantity_out) as quantity_out,
        max(case when recency = 1 then quantity_on_hand end) as quantity_on_hand,
        sum(quantity_out) filter (where movement_type = 'write_off') as quantity_written_off,
        max(moved_at) as last_moved_at,
        max(case when movement_type = 'receipt' then moved_on end) as last_received_on,
        arg_max(unit_cost, movement_id) filter (where movement_type in ('opening', 'receipt')) as last_unit_cost
    from running
    group by product_id, warehouse

)

select
    product_id,
    sum(quantity_in) as quantity_in,
    sum(quantity_out) as quantity_out,
    sum(quantity_on_hand) as quantity_on_hand,
    sum(case when warehouse = 'north' then quantity_on_hand else 0 end) as north_on_hand,
    sum(case when warehouse = 'south' then quantity_on_hand else 0 end) as south_on_hand,
    coalesce(sum(quantity_written_off), 0) as quantity_written_off,
    max(last_moved_at) as last_moved_at,
    max(last_received_on) as last_received_on,
    max(last_unit_cost) as last_unit_cost
from levels
group by product_id
