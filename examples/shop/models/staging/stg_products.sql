with source as (

    select * from {{ source('raw', 'products') }}

),

renamed as (

    select
        product_id,
        sku,
        name as product_name,
        brand,
        category_id,
        {{ cents_to_amount('unit_cost_cents') }} as unit_cost,
        {{ cents_to_amount('list_price_cents') }} as list_price,
        {{ cents_to_amount('list_price_cents - unit_cost_cents') }} as list_margin,
        weight_grams,
        weight_grams >= 15000 as is_bulky,
        active as is_active,
        launched_on,
        discontinued_on,
        updated_at
    from source

)

select * from renamed
