with products as (

    select * from {{ ref('stg_products') }}

),

categories as (

    select * from {{ ref('product_categories') }}

),

parents as (

    select
        category_id,
        category_name as parent_category_name
    from {{ ref('product_categories') }}

),

stock as (

    select * from {{ ref('int_stock_levels') }}

),

sales as (

    select
        product_id,
        count(distinct order_id) as order_count,
        count(distinct customer_id) as customer_count,
        sum(quantity) as sold_quantity,
        sum(refunded_quantity) as refunded_quantity,
        sum(gross_eur) as gross_eur,
        sum(discount_eur) as discount_eur,
        sum(net_eur) as net_eur,
        sum(margin_eur) as margin_eur,
        min(placed_on) as first_sold_on,
        max(placed_on) as last_sold_on,
        sum(quantity) filter (where placed_on >= date '2026-03-01') as sold_quantity_latest_month
    from {{ ref('fct_order_lines') }}
    where not is_cancelled
    group by product_id

)

select
    products.* exclude (updated_at),
    categories.category_name,
    categories.department,
    coalesce(parents.parent_category_name, categories.category_name) as parent_category_name,
    coalesce(stock.quantity_on_hand, 0) as quantity_on_hand,
    stock.north_on_hand,
    stock.south_on_hand,
    stock.quantity_written_off,
    stock.last_received_on,
    stock.last_unit_cost,
    stock.quantity_on_hand * stock.last_unit_cost as stock_value,
    coalesce(sales.order_count, 0) as order_count,
    coalesce(sales.customer_count, 0) as customer_count,
    coalesce(sales.sold_quantity, 0) as sold_quantity,
    coalesce(sales.refunded_quantity, 0) as refunded_quantity,
    sales.refunded_quantity / nullif(sales.sold_quantity, 0) as return_rate,
    sales.gross_eur,
    sales.discount_eur,
    sales.net_eur,
    sales.margin_eur,
    sales.margin_eur / nullif(sales.net_eur, 0) as margin_rate,
    sales.first_sold_on,
    sales.last_sold_on,
    stock.quantity_on_hand / nullif(sales.sold_quantity_latest_month, 0) as months_of_stock,
    rank() over (partition by products.category_id order by sales.net_eur desc nulls last) as rank_in_category,
    case
        when not products.is_active then 'discontinued'
        when stock.quantity_on_hand <= 0 then 'sold out'
        when stock.quantity_on_hand < sales.sold_quantity_latest_month then 'reorder'
        else 'in stock'
    end as stock_state
from products
left join categories on products.category_id = categories.category_id
left join parents on categories.parent_category_id = parents.category_id
left join stock on products.product_id = stock.product_id
left join sales on products.product_id = sales.product_id
