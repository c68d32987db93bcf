"""Functions that give rows, by name: files, functions of their arguments alone, and the columns of those."""

from __future__ import annotations

from lineal_producer.columns.functions import words

# Functions that read a file: the file is the relation.
FILES = words(
    """
    readcsv readparquet read_csv read_csv_auto read_parquet parquet_scan read_json read_json_auto read_ndjson
    read_ndjson_auto read_json_objects read_blob read_text csv_scan delta_scan iceberg_scan read_xlsx st_read read_files
    """
)
CLICKHOUSE_FILES = words("s3 gcs url file hdfs iceberg icebergs3 deltalake hudi azureblobstorage")
# ClickHouse's functions that stand for a relation of a server or for a query.
ELSEWHERE = words("remote remotesecure cluster clusterallreplicas view")
# Functions whose rows are made of their arguments alone.
TRANSPARENT = words(
    """
    generateseries explodinggenerateseries generate_series range sequence generatedatearray generatetimestamparray
    generate_date_array
    generate_timestamp_array numbers numbers_mt one generator explode explode_outer posexplode posexplode_outer
    explodeouter posexplodeouter unnest inline inline_outer stack flatten json_each jsonb_each json_each_text
    jsonb_each_text json_array_elements jsonb_array_elements json_array_elements_text jsonb_array_elements_text
    json_object_keys jsonb_object_keys json_populate_recordset jsonb_populate_recordset json_to_recordset
    jsonb_to_recordset json_to_record jsonb_to_record json_tree json_table jsontable openjson string_split
    stringsplit split_to_table splittotable regexp_split_to_table unnest_tokens string_to_table
    strtok_split_to_table strtoksplittotable json_populate_record jsonb_populate_record rowset xmltable variant_explode
    variant_explode_outer json_tuple regexp_matches repeat arrayjoin values seq explode_map
    """
)
DEFAULT_NAMES = {
    "postgres": "column{}",
    "snowflake": "COLUMN{}",
    "duckdb": "col{}",
    "spark": "col{}",
    "databricks": "col{}",
    "mysql": "column_{}",
}
# Where the columns of VALUES are counted from zero.
FROM_ZERO = frozenset({"duckdb", "mysql"})
DUCKDB_JSON = ("key", "value", "type", "atom", "id", "parent", "fullkey", "path")
TSQL_OUTPUTS: dict[str, tuple[str, ...]] = {"generate_series": ("value",)}
SPARK_OUTPUTS: dict[str, tuple[str, ...]] = {"range": ("id",)}
OUTPUTS: dict[str, tuple[str, ...]] = {
    "json_each": ("key", "value"),
    "jsonb_each": ("key", "value"),
    "json_each_text": ("key", "value"),
    "jsonb_each_text": ("key", "value"),
    "json_array_elements": ("value",),
    "jsonb_array_elements": ("value",),
    "json_array_elements_text": ("value",),
    "jsonb_array_elements_text": ("value",),
    "string_split": ("value", "ordinal"),
    "stringsplit": ("value", "ordinal"),
    "openjson": ("key", "value", "type"),
    "split_to_table": ("SEQ", "INDEX", "VALUE"),
    "splittotable": ("SEQ", "INDEX", "VALUE"),
    "strtok_split_to_table": ("SEQ", "INDEX", "VALUE"),
    "strtoksplittotable": ("SEQ", "INDEX", "VALUE"),
    "explode": ("col",),
    "explode_outer": ("col",),
    "posexplode": ("pos", "col"),
    "numbers": ("number",),
    "numbers_mt": ("number",),
    "sequence": ("sequential_number",),
    "variant_explode": ("pos", "key", "value"),
    "variant_explode_outer": ("pos", "key", "value"),
}
# The places of columns that only count rows or elements, whatever these hold.
COUNTERS: dict[str, frozenset[int]] = {
    "string_split": frozenset({1}),
    "stringsplit": frozenset({1}),
    "split_to_table": frozenset({0, 1}),
    "splittotable": frozenset({0, 1}),
    "strtok_split_to_table": frozenset({0, 1}),
    "strtoksplittotable": frozenset({0, 1}),
    "variant_explode": frozenset({0}),
    "variant_explode_outer": frozenset({0}),
}
# The columns of Snowflake's FLATTEN; SEQ and INDEX count.
FLATTENED = ("SEQ", "KEY", "PATH", "INDEX", "VALUE", "THIS")
FLATTENED_COUNTERS = frozenset({0, 3})
FLATTENED_VALUE = 4
# Oracle's own collections of plain values, which TABLE() takes apart.
LISTED = words("odcivarchar2list odcinumberlist odcidatelist odcirawlist dbms_debug_vc2coll")
