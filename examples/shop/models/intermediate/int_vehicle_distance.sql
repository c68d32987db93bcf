-- The metres driven between two readings of a van's running odometer.
--
-- The first reading of a van has nothing before it: null. A counter below the one before means that the telematics
-- unit was swapped and began again: what it drove in between is unknown and counts as 0, never as a negative.
-- Two readings of one van in one second are taken in the order of the gateway's message numbers.
with readings as (

    select * from {{ ref('stg_odometer_readings') }}

),

compared as (

    select
        *,
        lag(odometer_m) over (partition by vehicle_id order by read_at, message_no) as previous_odometer_m,
        lag(read_at) over (partition by vehicle_id order by read_at, message_no) as previous_read_at,
        lag(device_serial) over (partition by vehicle_id order by read_at, message_no) as previous_device_serial
    from readings

)

select
    message_no,
    vehicle_id,
    device_serial,
    read_at,
    read_on,
    energy_pct,
    odometer_m,
    previous_odometer_m,
    coalesce(odometer_m < previous_odometer_m, false) as is_reset,
    coalesce(device_serial <> previous_device_serial, false) as is_device_swap,
    case
        when previous_odometer_m is null then null
        when odometer_m < previous_odometer_m then 0
        else odometer_m - previous_odometer_m
    end as distance_m,
    date_diff('second', previous_read_at, read_at) as seconds_since_previous
from compared
