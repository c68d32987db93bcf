with payments as (

    select * from {{ ref('stg_payments') }}

),

refunds as (

    select * from {{ ref('stg_refunds') }}

),

paid as (

    select
        order_id,
        count(*) as attempt_count,
        count(*) filter (where payment_status = 'failed') as failed_attempt_count,
        sum(amount) filter (where is_captured) as captured_amount,
        sum(case when is_captured and payment_method = 'card' then amount else 0 end) as card_amount,
        sum(case when is_captured and payment_method = 'gift_card' then amount else 0 end) as gift_card_amount,
        sum(fee_amount) as fee_amount,
        max(case when is_captured then payment_method end) as payment_method,
        max(case when is_captured then payment_kind end) as payment_kind,
        min(attempted_at) as first_attempt_at,
        max(settled_at) as settled_at
    from payments
    group by order_id

),

refunded as (

    select
        order_id,
        count(*) as refund_count,
        sum(refunded_quantity) as refunded_quantity,
        sum(refund_amount) as refund_amount,
        sum(case when is_our_fault then refund_amount else 0 end) as our_fault_refund_amount,
        max(refunded_at) as last_refunded_at
    from refunds
    group by order_id

)

select
    paid.*,
    coalesce(refunded.refund_count, 0) as refund_count,
    coalesce(refunded.refunded_quantity, 0) as refunded_quantity,
    coalesce(refunded.refund_amount, 0) as refund_amount,
    coalesce(refunded.our_fault_refund_amount, 0) as our_fault_refund_amount,
    refunded.last_refunded_at,
    paid.captured_amount - coalesce(refunded.refund_amount, 0) as kept_amount
from paid
left join refunded on paid.order_id = refunded.order_id
