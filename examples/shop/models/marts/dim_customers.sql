with customers as (

    select * from {{ ref('stg_customers') }}

),

countries as (

    select * from {{ ref('countries') }}

),

orders as (

    select
        customer_id,
        count(*) as order_count,
        count(*) filter (where is_cancelled) as cancelled_order_count,
        min(placed_on) as first_ordered_on,
        max(placed_on) as last_ordered_on,
        sum(item_count) as item_count,
        sum(case when not is_cancelled then gross_eur else 0 end) as gross_eur,
        sum(case when not is_cancelled then net_eur else 0 end) as net_eur,
        sum(case when not is_cancelled then discount_eur else 0 end) as discount_eur,
        sum(contribution_eur) filter (where not is_cancelled) as contribution_eur,
        sum(refund_eur) as refund_eur,
        avg(hours_to_ship) as average_hours_to_ship,
        mode(payment_method) as usual_payment_method,
        mode(sales_channel) as usual_sales_channel,
        mode(main_category_id) as usual_category_id,
        max(cohort_month) as cohort_month
    from {{ ref('fct_orders') }}
    group by customer_id

),

latest_order as (

    select distinct on (customer_id)
        customer_id,
        order_id,
        gross_eur,
        fulfilment_state
    from {{ ref('fct_orders') }}
    order by customer_id, placed_at desc, order_id desc

),

sessions as (

    select
        customer_id,
        count(*) as session_count,
        sum(page_view_count) as page_view_count,
        max(ended_at) as last_seen_at,
        count(*) filter (where has_seen_checkout) as checkout_session_count
    from {{ ref('int_web_sessions') }}
    where customer_id is not null
    group by customer_id

),

tickets as (

    select
        customer_id,
        count(*) as ticket_count,
        avg(minutes_to_first_reply) as average_minutes_to_first_reply,
        avg(rating) as average_rating
    from {{ ref('stg_support_tickets') }}
    group by customer_id

),

categories as (

    select * from {{ ref('product_categories') }}

),

joined as (

    select
        customers.* exclude (first_name, last_name, updated_at),
        countries.country_name,
        countries.region,
        countries.is_eu,
        coalesce(orders.order_count, 0) as order_count,
        coalesce(orders.cancelled_order_count, 0) as cancelled_order_count,
        orders.first_ordered_on,
        orders.last_ordered_on,
        orders.cohort_month,
        coalesce(orders.item_count, 0) as item_count,
        coalesce(orders.gross_eur, 0) as gross_eur,
        coalesce(orders.net_eur, 0) as net_eur,
        coalesce(orders.discount_eur, 0) as discount_eur,
        coalesce(orders.contribution_eur, 0) as contribution_eur,
        coalesce(orders.refund_eur, 0) as refund_eur,
        orders.average_hours_to_ship,
        orders.usual_payment_method,
        orders.usual_sales_channel,
        categories.category_name as usual_category,
        latest_order.order_id as latest_order_id,
        latest_order.gross_eur as latest_order_eur,
        latest_order.fulfilment_state as latest_fulfilment_state,
        coalesce(sessions.session_count, 0) as session_count,
        coalesce(sessions.page_view_count, 0) as page_view_count,
        sessions.last_seen_at,
        sessions.checkout_session_count,
        coalesce(tickets.ticket_count, 0) as ticket_count,
        tickets.average_minutes_to_first_reply,
        tickets.average_rating
    from customers
    left join countries on customers.country_code = countries.country_code
    left join orders on customers.customer_id = orders.customer_id
    left join latest_order on customers.customer_id = latest_order.customer_id
    left join sessions on customers.customer_id = sessions.customer_id
    left join tickets on customers.customer_id = tickets.customer_id
    left join categories on orders.usual_category_id = categories.category_id

)

select
    *,
    greatest(last_ordered_on, last_seen_at::date) as last_active_on,
    gross_eur / nullif(order_count - cancelled_order_count, 0) as average_order_eur,
    percent_rank() over (order by net_eur) as net_percentile,
    case
        when order_count = 0 and session_count = 0 then 'dormant'
        when order_count = 0 then 'prospect'
        when order_count >= 5 or net_eur >= 2000 then 'regular'
        else 'occasional'
    end as segment
from joined
