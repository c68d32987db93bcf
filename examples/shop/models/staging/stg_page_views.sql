with source as (

    select * from {{ source('raw', 'page_views') }}

)

select
    page_view_id,
    visitor_id,
    customer_id,
    split_part(url, '?', 1) as page_url,
    regexp_extract(url, 'https://[^/]+(/[a-z]*)', 1) as page_path,
    case
        when url like '%/checkout%' then 'checkout'
        when url like '%/cart%' then 'cart'
        when url like '%/product%' then 'product'
        else 'browse'
    end as page_kind,
    coalesce(split_part(referrer, '/', 3), 'direct') as referrer_host,
    nullif(campaign_code, '') as campaign_code,
    device as device_type,
    country_code,
    viewed_at,
    viewed_at::date as viewed_on,
    duration_ms
from source
