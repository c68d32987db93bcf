with orders as (

    select * from {{ ref('int_customer_orders') }}

),

sizes as (

    select
        cohort_month,
        count(distinct customer_id) as cohort_size
    from orders
    group by cohort_month

),

monthly as (

    select
        cohort_month,
        placed_month,
        date_diff('month', cohort_month, placed_month) as months_since_first,
        count(distinct customer_id) as active_customer_count,
        count(*) as order_count,
        sum(gross_eur) as gross_eur,
        sum(net_eur) as net_eur,
        sum(margin_eur) as margin_eur,
        avg(days_since_previous_order) as average_days_between_orders
    from orders
    group by all

)

select
    monthly.*,
    sizes.cohort_size,
    monthly.active_customer_count / sizes.cohort_size as retention_rate,
    monthly.net_eur / sizes.cohort_size as net_eur_per_customer,
    sum(monthly.net_eur) over (partition by monthly.cohort_month order by monthly.placed_month) as cumulative_net_eur
from monthly
inner join sizes using (cohort_month)
