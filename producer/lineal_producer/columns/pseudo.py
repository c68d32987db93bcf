"""Names that a database answers although no relation has such a column."""

from __future__ import annotations

# Names that a database answers without a column of that name being there.
PSEUDO = {
    "duckdb": frozenset({"rowid"}),
    "postgres": frozenset({"ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", "user"}),
    "oracle": frozenset(
        {
            "rowid",
            "rownum",
            "level",
            "sysdate",
            "systimestamp",
            "ora_rowscn",
            "user",
            "uid",
            "connect_by_isleaf",
            "connect_by_iscycle",
            "sessiontimezone",
            "dbtimezone",
        }
    ),
    "redshift": frozenset({"$path", "$size", "$spectrum_oid", "oid", "user", "current_namespace"}),
    "bigquery": frozenset({"_partitiontime", "_partitiondate", "_table_suffix", "_file_name"}),
    "snowflake": frozenset(
        {
            "metadata$filename",
            "metadata$file_row_number",
            "metadata$action",
            "metadata$isupdate",
            "metadata$row_id",
            "metadata$start_scan_time",
            "metadata$file_last_modified",
        }
    ),
    "databricks": frozenset({"_metadata", "grouping__id"}),
    "spark": frozenset({"_metadata", "grouping__id"}),
    "hive": frozenset({"grouping__id", "input__file__name", "block__offset__inside__file"}),
    "sqlite": frozenset({"rowid", "oid", "_rowid_"}),
    "clickhouse": frozenset({"_file", "_path", "_table", "_part", "nan", "inf"}),
    "trino": frozenset({"$path", "$file_modified_time", "$file_size", "$partition", "current_schema"}),
}

# Of those the ones that a qualifier makes ordinary columns.
FUNCTIONS_TOO = frozenset(
    {
        "user",
        "uid",
        "level",
        "rownum",
        "sysdate",
        "systimestamp",
        "oid",
        "sessiontimezone",
        "dbtimezone",
        "current_namespace",
        "current_schema",
        "nan",
        "inf",
    }
)
