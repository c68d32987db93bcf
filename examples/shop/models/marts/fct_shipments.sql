with shipments as (

    select * from {{ ref('stg_shipments') }}

),

orders as (

    select * from {{ ref('stg_orders') }}

),

countries as (

    select * from {{ ref('countries') }}

),

rates as (

    select * from {{ ref('shipping_rates') }}

),

vehicles as (

    select * from {{ ref('stg_vehicles') }}

),

vehicle_days as (

    select * from {{ ref('fct_vehicle_days') }}

),

priced as (

    select
        shipments.*,
        orders.customer_id,
        orders.shipping_method,
        orders.ship_to_country_code,
        orders.ship_to_postcode_area,
        orders.paid_at,
        countries.country_name as ship_to_country,
        countries.region,
        countries.is_eu as is_within_eu,
        rates.promised_days,
        (rates.base_fee_cents / 100)::decimal(9, 2) as base_fee_eur,
        ((rates.base_fee_cents + rates.fee_per_kg_cents * shipments.weight_kg) / 100)::decimal(9, 2) as carriage_eur,
        vehicles.depot,
        vehicles.fuel_type,
        vehicles.is_electric,
        vehicle_days.distance_km as van_distance_km,
        vehicle_days.driving_cost as van_driving_cost,
        count(*) over (partition by shipments.vehicle_id, shipments.shipped_on) as shipments_of_van_day
    from shipments
    inner join orders using (order_id)
    left join countries on orders.ship_to_country_code = countries.country_code
    left join rates
        on orders.shipping_method = rates.shipping_method
        and countries.region = rates.region
    left join vehicles on shipments.vehicle_id = vehicles.vehicle_id
    left join vehicle_days
        on shipments.vehicle_id = vehicle_days.vehicle_id
        and shipments.shipped_on = vehicle_days.read_on

)

select
    *,
    date_diff('hour', paid_at, shipped_at) as hours_to_ship,
    date_diff('hour', shipped_at, delivered_at) as hours_in_transit,
    case
        when delivered_at is null then null
        else date_diff('day', paid_at, delivered_at) <= promised_days
    end as is_on_time,
    if(is_own_van, van_driving_cost / shipments_of_van_day, null)::decimal(12, 2) as van_cost_share_eur,
    carriage_eur - if(is_own_van, coalesce(van_driving_cost / shipments_of_van_day, 0), 0)::decimal(12, 2) as result_eur
from priced
