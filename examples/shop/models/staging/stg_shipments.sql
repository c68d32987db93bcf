with source as (

    select * from {{ source('raw', 'shipments') }}

)

select
    shipment_id,
    order_id,
    vehicle_id,
    carrier,
    carrier = 'own_van' as is_own_van,
    status as shipment_status,
    parcel_count,
    weight_grams,
    (weight_grams / 1000)::decimal(9, 3) as weight_kg,
    tracking_code,
    packed_at,
    shipped_at,
    shipped_at::date as shipped_on,
    delivered_at,
    delivery_attempts
from source
