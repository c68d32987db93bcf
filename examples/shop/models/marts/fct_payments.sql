with payments as (

    select * from {{ ref('stg_payments') }}

),

orders as (

    select * from {{ ref('fct_orders') }}

),

joined as (

    select
        payments.*,
        orders.customer_id,
        orders.placed_at,
        orders.placed_on,
        orders.is_cancelled,
        orders.sales_channel,
        orders.ship_to_country_code,
        orders.gross_amount as owed_amount,
        (payments.amount * orders.eur_per_unit)::decimal(18, 2) as amount_eur,
        (payments.fee_amount * orders.eur_per_unit)::decimal(18, 2) as fee_eur,
        row_number() over order_history as attempt_number,
        count(*) over (partition by payments.order_id) as attempt_count,
        sum(case when payments.is_captured then payments.amount else 0 end) over order_history as captured_to_date
    from payments
    inner join orders on payments.order_id = orders.order_id
    window order_history as (partition by payments.order_id order by payments.attempted_at, payments.payment_id)

)

select
    *,
    date_diff('minute', placed_at, attempted_at) as minutes_to_attempt,
    date_diff('hour', attempted_at, settled_at) as hours_to_settle,
    owed_amount - captured_to_date as open_amount,
    fee_eur / nullif(amount_eur, 0) as fee_rate,
    not is_captured and attempt_number < attempt_count as was_tried_again,
    case
        when not is_captured then 'failed'
        when is_cancelled then 'to be returned'
        when settled_at is null then 'captured'
        when captured_to_date > owed_amount then 'overpaid'
        else 'settled'
    end as reconciliation_state,
    sum(case when is_captured then amount_eur - fee_eur else 0 end) over (
        partition by provider
        order by attempted_at, payment_id
    ) as provider_balance_eur
from joined
