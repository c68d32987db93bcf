{% snapshot customers_snapshot %}

{{
    config(
        target_schema='snapshots',
        unique_key='customer_id',
        strategy='timestamp',
        updated_at='updated_at',
        tags=['history'],
    )
}}

select
    customer_id,
    email,
    country_code,
    city,
    postcode,
    marketing_opt_in,
    signup_channel,
    updated_at
from {{ source('raw', 'customers') }}

{% endsnapshot %}
