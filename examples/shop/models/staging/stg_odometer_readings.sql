{{ config(materialized='table') }}

with source as (

    select
        message_no,
        vehicle_id,
        device_serial,
        read_at,
        odometer_m,
        energy_pct,
        dt
    from {{ source('telemetry', 'odometer_readings') }}

)

select
    message_no,
    vehicle_id,
    device_serial,
    read_at,
    odometer_m,
    energy_pct,
    dt::date as read_on
from source
