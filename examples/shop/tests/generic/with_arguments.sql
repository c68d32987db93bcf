{#
    dbt 1.10.5 and later want a test's arguments under `arguments:`; earlier releases hand that key over as it stands.
    These give the built-in tests both forms, so that the project runs on either without a deprecation.
    (They call the `default__` macros because dbt 1.8 knows a test's macros by their bare names.)
#}
{% test accepted_values(model, column_name, values=none, quote=true, arguments=none) %}
{{ dbt.default__test_accepted_values(model, column_name, values or arguments['values'], quote) }}
{% endtest %}

{% test relationships(model, column_name, to=none, field=none, arguments=none) %}
{{ dbt.default__test_relationships(model, column_name, to or arguments['to'], field or arguments['field']) }}
{% endtest %}
