with source as (

    select * from {{ source('raw', 'payments') }}

),

-- The provider's webhook delivers at least once: the last delivery counts.
latest as (

    select *
    from source
    qualify row_number() over (partition by payment_id order by received_at desc) = 1

)

select
    payment_id,
    order_id,
    method as payment_method,
    case
        when method in ('card', 'paypal') then 'instant'
        when method = 'gift_card' then 'prepaid'
        else 'deferred'
    end as payment_kind,
    status as payment_status,
    status = 'captured' as is_captured,
    {{ cents_to_amount('amount_cents') }} as amount,
    {{ cents_to_amount('fee_cents') }} as fee_amount,
    currency as currency_code,
    provider,
    sha256(provider_reference) as provider_reference_hash,
    created_at as attempted_at,
    settled_at
from latest
