with source as (

    select * from {{ source('raw', 'support_tickets') }}

)

select
    ticket_id,
    customer_id,
    order_id,
    channel as ticket_channel,
    topic,
    priority,
    status as ticket_status,
    opened_at,
    first_reply_at,
    closed_at,
    date_diff('minute', opened_at, first_reply_at) as minutes_to_first_reply,
    date_diff('hour', opened_at, closed_at) as hours_to_close,
    rating
from source
