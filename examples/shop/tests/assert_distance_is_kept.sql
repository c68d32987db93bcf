-- Without a reset, what a van drove in all is its last reading less its first one.
with totals as (

    select
        vehicle_id,
        device_serial,
        max(odometer_m) - min(odometer_m) as counted_m,
        sum(distance_m) filter (where not is_device_swap) as derived_m
    from {{ ref('int_vehicle_distance') }}
    group by vehicle_id, device_serial

)

select *
from totals
where counted_m <> derived_m
