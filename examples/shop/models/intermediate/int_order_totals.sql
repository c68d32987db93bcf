with lines as (

    select * from {{ ref('int_order_lines_priced') }}

)

select
    order_id,
    count(*) as line_count,
    count(distinct product_id) as product_count,
    count(distinct category_id) as category_count,
    sum(quantity) as item_count,
    sum(list_amount) as list_amount,
    sum(discount_amount) as discount_amount,
    sum(gross_amount) as gross_amount,
    sum(list_eur) as list_eur,
    sum(discount_eur) as discount_eur,
    sum(gross_eur) as gross_eur,
    sum(vat_eur) as vat_eur,
    sum(net_eur) as net_eur,
    sum(cost_eur) as cost_eur,
    sum(net_eur) - sum(cost_eur) as margin_eur,
    sum(quantity * weight_grams) as weight_grams,
    max(gross_eur) as largest_line_eur,
    first(product_id order by gross_eur desc, line_number) as main_product_id,
    first(category_id order by gross_eur desc, line_number) as main_category_id,
    bool_or(is_bulky) as has_bulky_item,
    bool_or(discount_amount > 0) as has_discount,
    any_value(eur_per_unit) as eur_per_unit
from lines
group by order_id
