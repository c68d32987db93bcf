with source as (

    select * from {{ source('raw', 'vehicles') }}

)

select
    vehicle_id,
    plate,
    depot,
    fuel as fuel_type,
    fuel = 'electric' as is_electric,
    {{ cents_to_amount('cost_cents_per_km') }} as cost_per_km,
    payload_kg,
    in_service_from,
    coalesce(in_service_to, date '9999-12-31') as in_service_to
from source
