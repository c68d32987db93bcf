{{ config(materialized='incremental', unique_key='order_line_id', on_schema_change='fail') }}

with lines as (

    select * from {{ ref('int_order_lines_priced') }}

),

categories as (

    select * from {{ ref('product_categories') }}

),

refunds as (

    select
        order_line_id,
        sum(refunded_quantity) as refunded_quantity,
        sum(refund_amount) as refund_amount,
        string_agg(distinct refund_reason, ', ' order by refund_reason) as refund_reasons,
        max(greatest(requested_at, refunded_at)) as refund_changed_at
    from {{ ref('stg_refunds') }}
    group by order_line_id

),

final as (

    select
        lines.order_line_id,
        lines.order_id,
        lines.line_number,
        lines.customer_id,
        lines.product_id,
        lines.sku,
        lines.product_name,
        lines.brand,
        categories.category_name,
        categories.department,
        lines.order_status,
        lines.is_cancelled,
        lines.sales_channel,
        lines.campaign_code,
        lines.currency_code,
        lines.ship_to_country_code,
        lines.placed_at,
        lines.placed_on,
        lines.quantity,
        lines.unit_price,
        lines.list_amount,
        lines.discount_amount,
        lines.gross_amount,
        lines.vat_amount,
        lines.list_eur,
        lines.discount_eur,
        lines.gross_eur,
        lines.vat_eur,
        lines.net_eur,
        lines.cost_eur,
        lines.net_eur - lines.cost_eur as margin_eur,
        round(100 * (lines.net_eur - lines.cost_eur) / nullif(lines.net_eur, 0), 1) as margin_pct,
        lines.quantity * lines.weight_grams as line_weight_grams,
        coalesce(refunds.refunded_quantity, 0) as refunded_quantity,
        coalesce(refunds.refund_amount, 0) as refund_amount,
        refunds.refund_reasons,
        case
            when refunds.refunded_quantity is null then 'kept'
            when refunds.refunded_quantity < lines.quantity then 'partly returned'
            else 'returned'
        end as return_state,
        lines.placed_on + categories.return_window_days as returnable_until,
        rank() over (partition by lines.order_id order by lines.gross_eur desc) as rank_in_order,
        lines.gross_eur / nullif(sum(lines.gross_eur) over (partition by lines.order_id), 0) as share_of_order,
        max(greatest(lines.updated_at, refunds.refund_changed_at)) over (partition by lines.order_id) as changed_at
    from lines
    left join categories on lines.category_id = categories.category_id
    left join refunds on lines.order_line_id = refunds.order_line_id

)

select * from final
{% if is_incremental() %}
-- An order that changed, or one of whose lines was refunded, brings all of its lines again; the unique key replaces them.
where changed_at > (select max(changed_at) from {{ this }})
{% endif %}
