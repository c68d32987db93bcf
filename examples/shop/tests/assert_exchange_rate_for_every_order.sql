-- A currency or a day without a rate would turn euros to null, and two rates for one day would double the lines.
select
    orders.order_id,
    count(rates.eur_per_unit) as rate_count
from {{ ref('stg_orders') }} as orders
left join {{ ref('exchange_rates') }} as rates
    on orders.currency_code = rates.currency_code
    and orders.placed_on between rates.valid_from and rates.valid_to
group by orders.order_id
having count(rates.eur_per_unit) <> 1
