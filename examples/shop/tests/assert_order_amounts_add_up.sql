-- What an order costs is its list price less its discount, and its tax is part of it; cents may differ by rounding.
select
    order_id,
    list_amount,
    discount_amount,
    gross_amount
from {{ ref('fct_orders') }}
where abs(list_amount - discount_amount - gross_amount) > 0.01 * line_count
    or abs(gross_eur - vat_eur - net_eur) > 0.02 * line_count
