with tickets as (

    select * from {{ ref('stg_support_tickets') }}

),

customers as (

    select * from {{ ref('dim_customers') }}

),

orders as (

    select * from {{ ref('fct_orders') }}

),

shipments as (

    select
        order_id,
        bool_or(is_on_time) as was_on_time,
        max(carrier) as carrier
    from {{ ref('fct_shipments') }}
    group by order_id

),

joined as (

    select
        tickets.*,
        customers.full_name as customer_name,
        customers.country_name,
        customers.segment,
        customers.net_eur as customer_net_eur,
        orders.fulfilment_state,
        orders.gross_eur as order_gross_eur,
        orders.refund_eur as order_refund_eur,
        shipments.carrier,
        shipments.was_on_time,
        date_diff('day', orders.placed_at, tickets.opened_at) as days_after_order,
        case tickets.priority when 'high' then 4 when 'normal' then 24 else 48 end as promised_reply_hours,
        row_number() over (partition by tickets.customer_id order by tickets.opened_at, tickets.ticket_id) as ticket_sequence,
        lag(tickets.closed_at) over (
            partition by tickets.customer_id
            order by tickets.opened_at, tickets.ticket_id
        ) as previous_closed_at
    from tickets
    left join customers on tickets.customer_id = customers.customer_id
    left join orders on tickets.order_id = orders.order_id
    left join shipments on tickets.order_id = shipments.order_id

)

select
    * exclude (previous_closed_at),
    minutes_to_first_reply <= promised_reply_hours * 60 as is_reply_on_time,
    coalesce(opened_at - previous_closed_at < interval 7 day, false) as is_repeat,
    coalesce(rating, round(avg(rating) over (partition by topic))::bigint) as expected_rating,
    avg(minutes_to_first_reply) over (
        partition by ticket_channel
        order by opened_at, ticket_id
        rows between 19 preceding and current row
    ) as channel_reply_minutes_20
from joined
