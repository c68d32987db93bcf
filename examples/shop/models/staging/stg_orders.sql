with source as (

    select * from {{ source('raw', 'orders') }}

),

renamed as (

    select
        order_id,
        customer_id,
        status as order_status,
        status = 'cancelled' or cancelled_at is not null as is_cancelled,
        channel as sales_channel,
        campaign_code,
        currency as currency_code,
        shipping_method,
        ship_country as ship_to_country_code,
        left(ship_postcode, 2) as ship_to_postcode_area,
        device as device_type,
        is_gift,
        placed_at,
        placed_at::date as placed_on,
        date_trunc('month', placed_at)::date as placed_month,
        paid_at,
        cancelled_at,
        updated_at
    from source

)

select * from renamed
