-- What happened between the shop and a customer, one row an event, from four processes.
with events as (

    select
        'order' as event_type,
        order_id::varchar as event_key,
        customer_id,
        placed_at as occurred_at,
        sales_channel as channel,
        gross_eur as amount_eur,
        order_status as detail
    from {{ ref('fct_orders') }}

    union all by name

    select
        'ticket' as event_type,
        ticket_id::varchar as event_key,
        customer_id,
        opened_at as occurred_at,
        ticket_channel as channel,
        topic as detail
    from {{ ref('stg_support_tickets') }}

    union all by name

    select
        'session' as event_type,
        session_id as event_key,
        customer_id,
        started_at as occurred_at,
        device_type as channel,
        landing_path as detail
    from {{ ref('int_web_sessions') }}
    where customer_id is not null

    union all by name

    select
        'refund' as event_type,
        refunds.refund_id::varchar as event_key,
        orders.customer_id,
        refunds.refunded_at as occurred_at,
        (-refunds.refund_amount * orders.eur_per_unit)::decimal(18, 2) as amount_eur,
        refunds.refund_reason as detail
    from {{ ref('stg_refunds') }} as refunds
    inner join {{ ref('fct_orders') }} as orders on refunds.order_id = orders.order_id
    where refunds.refunded_at is not null

)

select
    *,
    occurred_at::date as occurred_on,
    row_number() over (partition by customer_id order by occurred_at, event_type, event_key) as event_sequence,
    lead(event_type) over (partition by customer_id order by occurred_at, event_type, event_key) as next_event_type
from events
