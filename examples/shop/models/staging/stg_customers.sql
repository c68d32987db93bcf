with source as (

    select * from {{ source('raw', 'customers') }}

),

renamed as (

    select
        customer_id,
        md5(lower(trim(email))) as email_hash,
        lower(split_part(email, '@', 2)) as email_domain,
        first_name,
        last_name,
        first_name || ' ' || last_name as full_name,
        year(birth_date) as birth_year,
        case
            when birth_date is null then 'unknown'
            when birth_date >= date '1996-01-01' then 'under 30'
            when birth_date >= date '1971-01-01' then '30 to 54'
            else '55 and over'
        end as age_band,
        country_code,
        city,
        left(postcode, 2) as postcode_area,
        coalesce(marketing_opt_in, false) as has_marketing_opt_in,
        signup_channel,
        created_at as signed_up_at,
        created_at::date as signed_up_on,
        updated_at
    from source

)

select * from renamed
