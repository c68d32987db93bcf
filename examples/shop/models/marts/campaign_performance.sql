with campaigns as (

    select * from {{ ref('campaigns') }}

),

sessions as (

    select
        campaign_code,
        count(*) as session_count,
        count(distinct visitor_id) as visitor_count,
        sum(page_view_count) as page_view_count,
        count(*) filter (where has_seen_cart) as cart_session_count,
        count(*) filter (where has_seen_checkout) as checkout_session_count,
        avg(duration_ms) / 1000 as average_duration_seconds
    from {{ ref('int_web_sessions') }}
    group by campaign_code

),

orders as (

    select
        campaign_code,
        count(*) as order_count,
        count(*) filter (where is_first_order) as first_order_count,
        count(distinct customer_id) as customer_count,
        sum(gross_eur) as gross_eur,
        sum(discount_eur) as discount_eur,
        sum(net_eur) as net_eur,
        sum(contribution_eur) as contribution_eur,
        median(gross_eur) as median_order_eur
    from {{ ref('fct_orders') }}
    where not is_cancelled and campaign_code is not null
    group by campaign_code

),

acquired as (

    select
        first_campaign_code as campaign_code,
        count(distinct customer_id) as acquired_customer_count,
        max(lifetime_net_eur) as best_customer_net_eur
    from {{ ref('int_customer_orders') }}
    group by first_campaign_code

)

select
    campaigns.campaign_code,
    campaigns.campaign_name,
    campaigns.channel,
    campaigns.started_on,
    campaigns.ended_on,
    date_diff('day', campaigns.started_on, campaigns.ended_on) + 1 as planned_days,
    (campaigns.budget_cents / 100)::decimal(12, 2) as budget_eur,
    coalesce(sessions.session_count, 0) as session_count,
    coalesce(sessions.visitor_count, 0) as visitor_count,
    sessions.page_view_count,
    sessions.cart_session_count,
    sessions.checkout_session_count,
    sessions.average_duration_seconds,
    coalesce(orders.order_count, 0) as order_count,
    orders.first_order_count,
    orders.customer_count,
    coalesce(acquired.acquired_customer_count, 0) as acquired_customer_count,
    acquired.best_customer_net_eur,
    coalesce(orders.gross_eur, 0) as gross_eur,
    orders.discount_eur,
    coalesce(orders.net_eur, 0) as net_eur,
    orders.contribution_eur,
    orders.median_order_eur,
    orders.order_count / nullif(sessions.session_count, 0) as conversion_rate,
    (campaigns.budget_cents / 100) / nullif(orders.order_count, 0) as cost_per_order_eur,
    orders.contribution_eur - (campaigns.budget_cents / 100)::decimal(12, 2) as return_eur,
    rank() over (partition by campaigns.channel order by orders.net_eur desc nulls last) as rank_in_channel
from campaigns
left join sessions on campaigns.campaign_code = sessions.campaign_code
left join orders on campaigns.campaign_code = orders.campaign_code
left join acquired on campaigns.campaign_code = acquired.campaign_code
