-- Every order with its place in its customer's history; cancelled orders take no place.
with orders as (

    select * from {{ ref('stg_orders') }}

),

totals as (

    select * from {{ ref('int_order_totals') }}

),

valid as (

    select
        orders.order_id,
        orders.customer_id,
        orders.placed_at,
        orders.placed_on,
        orders.placed_month,
        orders.campaign_code,
        orders.sales_channel,
        totals.gross_eur,
        totals.net_eur,
        totals.margin_eur,
        totals.main_category_id
    from orders
    inner join totals on orders.order_id = totals.order_id
    where not orders.is_cancelled

)

select
    *,
    row_number() over customer_history as order_sequence,
    lag(placed_at) over customer_history as previous_placed_at,
    date_diff('day', lag(placed_on) over customer_history, placed_on) as days_since_previous_order,
    first_value(placed_month) over customer_history as cohort_month,
    first_value(campaign_code) over customer_history as first_campaign_code,
    sum(net_eur) over customer_history as lifetime_net_eur,
    avg(gross_eur) over (partition by customer_id) as average_gross_eur,
    ntile(4) over (order by net_eur desc, order_id) as value_quartile
from valid
window customer_history as (partition by customer_id order by placed_at, order_id)
