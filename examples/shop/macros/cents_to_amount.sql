{# An amount in whole cents as a decimal amount of its currency. #}
{% macro cents_to_amount(column) -%}
    (({{ column }}) / 100)::decimal(12, 2)
{%- endmacro %}
