{#- A post-hook that tells the columns of the relation just built, as one line of JSON in dbt's debug log.
    Lineal's plugin reads it while dbt runs. -#}
{% macro emit() %}
  {%- if execute and model.resource_type in ['model', 'seed', 'snapshot'] -%}
    {%- set columns = [] -%}
    {%- for column in adapter.get_columns_in_relation(this) -%}
      {%- do columns.append([column.name, column.dtype]) -%}
    {%- endfor -%}
    {%- set told = {
      'unique_id': model.unique_id,
      'database': this.database,
      'schema': this.schema,
      'identifier': this.identifier,
      'columns': columns
    } -%}
    {%- do log(tojson({'lineal_columns': told}), info=false) -%}
  {%- endif -%}
{% endmacro %}
