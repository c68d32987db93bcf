with source as (

    select * from {{ source('raw', 'refunds') }}

)

select
    refund_id,
    order_line_id,
    order_id,
    reason as refund_reason,
    reason in ('damaged', 'wrong_item', 'late') as is_our_fault,
    quantity as refunded_quantity,
    {{ cents_to_amount('amount_cents') }} as refund_amount,
    requested_at,
    paid_at as refunded_at,
    date_diff('day', requested_at, paid_at) as days_to_refund
from source
