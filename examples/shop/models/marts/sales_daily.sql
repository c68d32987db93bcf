with lines as (

    select * from {{ ref('fct_order_lines') }}
    where not is_cancelled

),

countries as (

    select * from {{ ref('countries') }}

),

daily as (

    select
        lines.placed_on as sales_date,
        countries.region,
        lines.department,
        count(distinct lines.order_id) as order_count,
        count(distinct lines.customer_id) as customer_count,
        sum(lines.quantity) as item_count,
        sum(lines.refunded_quantity) as refunded_item_count,
        sum(lines.gross_eur) as gross_eur,
        sum(lines.discount_eur) as discount_eur,
        sum(lines.vat_eur) as vat_eur,
        sum(lines.net_eur) as net_eur,
        sum(lines.cost_eur) as cost_eur,
        sum(lines.margin_eur) as margin_eur,
        sum(case when lines.campaign_code is not null then lines.net_eur else 0 end) as campaign_net_eur,
        sum(lines.net_eur) filter (where lines.sales_channel = 'app') as app_net_eur,
        sum(lines.line_weight_grams) as shipped_grams
    from lines
    inner join countries on lines.ship_to_country_code = countries.country_code
    group by lines.placed_on, countries.region, lines.department

)

select
    sales_date,
    region,
    department,
    'EUR' as reporting_currency,
    order_count,
    customer_count,
    item_count,
    refunded_item_count,
    gross_eur,
    discount_eur,
    vat_eur,
    net_eur,
    cost_eur,
    margin_eur,
    campaign_net_eur,
    coalesce(app_net_eur, 0) as app_net_eur,
    shipped_grams,
    round(100 * margin_eur / nullif(net_eur, 0), 1) as margin_pct,
    sum(net_eur) over (
        partition by region, department, date_trunc('month', sales_date)
        order by sales_date
    ) as net_eur_month_to_date,
    net_eur - lag(net_eur) over (partition by region, department order by sales_date) as net_eur_change,
    net_eur / nullif(sum(net_eur) over (partition by sales_date), 0) as share_of_day
from daily
