-- Page views of one visitor belong to one session until 30 minutes pass without any.
with views as (

    select * from {{ ref('stg_page_views') }}

),

marked as (

    select
        *,
        lag(viewed_at) over (partition by visitor_id order by viewed_at, page_view_id) as previous_viewed_at
    from views

),

numbered as (

    select
        *,
        sum(case when viewed_at - previous_viewed_at <= interval 30 minute then 0 else 1 end) over (
            partition by visitor_id
            order by viewed_at, page_view_id
            rows between unbounded preceding and current row
        ) as session_number
    from marked

)

select
    visitor_id || '-' || session_number as session_id,
    visitor_id,
    session_number,
    max(customer_id) as customer_id,
    min(viewed_at) as started_at,
    max(viewed_at) as ended_at,
    min(viewed_on) as session_date,
    count(*) as page_view_count,
    count(distinct page_path) as distinct_page_count,
    count(*) filter (where page_kind = 'product') as product_view_count,
    bool_or(page_kind = 'cart') as has_seen_cart,
    bool_or(page_kind = 'checkout') as has_seen_checkout,
    sum(duration_ms) as duration_ms,
    first(page_path order by viewed_at, page_view_id) as landing_path,
    last(page_path order by viewed_at, page_view_id) as exit_path,
    first(referrer_host order by viewed_at, page_view_id) as referrer_host,
    max(campaign_code) as campaign_code,
    max(device_type) as device_type,
    max(country_code) as country_code
from numbered
group by visitor_id, session_number
