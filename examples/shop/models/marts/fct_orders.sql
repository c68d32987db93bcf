with orders as (

    select * from {{ ref('stg_orders') }}

),

totals as (

    select * from {{ ref('int_order_totals') }}

),

payments as (

    select * from {{ ref('int_order_payments') }}

),

history as (

    select * from {{ ref('int_customer_orders') }}

),

shipments as (

    select
        order_id,
        count(*) as shipment_count,
        sum(parcel_count) as parcel_count,
        min(shipped_at) as first_shipped_at,
        max(delivered_at) as last_delivered_at
    from {{ ref('stg_shipments') }}
    group by order_id

),

joined as (

    select
        orders.*,
        totals.* exclude (order_id),
        history.order_sequence,
        history.days_since_previous_order,
        history.cohort_month,
        history.value_quartile,
        payments.payment_method,
        payments.payment_kind,
        coalesce(payments.captured_amount, 0) as captured_amount,
        coalesce(payments.refund_amount, 0) as refund_amount,
        payments.fee_amount,
        payments.failed_attempt_count,
        shipments.shipment_count,
        shipments.parcel_count,
        shipments.first_shipped_at,
        shipments.last_delivered_at
    from orders
    inner join totals on orders.order_id = totals.order_id
    left join payments on orders.order_id = payments.order_id
    left join history on orders.order_id = history.order_id
    left join shipments on orders.order_id = shipments.order_id

),

final as (

    select
        *,
        captured_amount >= gross_amount as is_fully_paid,
        (captured_amount * eur_per_unit)::decimal(18, 2) as captured_eur,
        (refund_amount * eur_per_unit)::decimal(18, 2) as refund_eur,
        (margin_eur - (refund_amount + coalesce(fee_amount, 0)) * eur_per_unit)::decimal(18, 2) as contribution_eur,
        case
            when is_cancelled then 'cancelled'
            when last_delivered_at is not null then 'delivered'
            when first_shipped_at is not null then 'on its way'
            when paid_at is not null then 'in preparation'
            else 'awaiting payment'
        end as fulfilment_state,
        order_sequence = 1 as is_first_order,
        date_diff('hour', paid_at, first_shipped_at) as hours_to_ship
    from joined

)

select * from final
