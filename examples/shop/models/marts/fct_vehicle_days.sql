with distances as (

    select * from {{ ref('int_vehicle_distance') }}

),

vehicles as (

    select * from {{ ref('stg_vehicles') }}

),

days as (

    select
        vehicle_id,
        read_on,
        count(*) as reading_count,
        count(*) filter (where is_reset) as reset_count,
        sum(distance_m) as distance_m,
        min(read_at) as first_read_at,
        max(read_at) as last_read_at,
        min(energy_pct) as lowest_energy_pct,
        last(odometer_m order by read_at, message_no) as last_odometer_m,
        max(seconds_since_previous) as longest_gap_seconds
    from distances
    group by vehicle_id, read_on

)

select
    days.vehicle_id,
    days.read_on,
    vehicles.plate,
    vehicles.depot,
    vehicles.fuel_type,
    days.reading_count,
    days.reset_count,
    days.reset_count > 0 as is_estimated,
    days.first_read_at,
    days.last_read_at,
    date_diff('minute', days.first_read_at, days.last_read_at) as minutes_on_the_road,
    coalesce(days.distance_m, 0) as distance_m,
    (coalesce(days.distance_m, 0) / 1000)::decimal(9, 3) as distance_km,
    (coalesce(days.distance_m, 0) / 1000 * vehicles.cost_per_km)::decimal(12, 2) as driving_cost,
    days.lowest_energy_pct,
    days.last_odometer_m,
    days.longest_gap_seconds,
    sum(days.distance_m) over (
        partition by days.vehicle_id
        order by days.read_on
        rows between 6 preceding and current row
    ) as distance_m_7d,
    rank() over (partition by days.read_on order by days.distance_m desc) as rank_of_day
from days
inner join vehicles
    on days.vehicle_id = vehicles.vehicle_id
    and days.read_on between vehicles.in_service_from and vehicles.in_service_to
