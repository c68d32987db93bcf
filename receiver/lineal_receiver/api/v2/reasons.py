"""Why a column is unresolved, in words. A code that isn't known here is shown as it is."""

from lineal_receiver.store.read_column_statuses import NOT_REPORTED

NO_COLUMN_LINEAGE = "no_column_lineage"

SENTENCES = {
    NO_COLUMN_LINEAGE: "The job that writes this dataset says nothing about where its columns come from.",
    NOT_REPORTED: "The job says where other columns come from, but nothing of this one.",
    "no_source_field": "It is said which dataset this comes from, but not which column.",
    "made_by_another_job": "It is said that another job makes this, but not from what.",
    "unnamed_field": "It is said where something comes from, but not which column that is.",
    "star_without_schema": "A `*` stands for columns of a table whose columns aren't known.",
    "unknown_column": "The SQL names a column that none of its tables is known to have.",
    "unknown_relation": "The SQL names a table that isn't known.",
    "ambiguous_column": "Several tables of the SQL have a column of this name.",
    "unsupported_statement": "A statement of this kind can't be read for columns.",
    "opaque_function": "A function makes it whose inside can't be read.",
    "dynamic_sql": "The SQL is put together while it runs.",
    "parser_error": "The SQL can't be parsed.",
    "columns_unknown": "The columns of the result aren't known.",
    "analysis_failed": "Reading the SQL failed.",
}


def explain(reason: str | None) -> str:
    """The sentence for a reason code."""
    if reason is None:
        return "No reason is given."
    return SENTENCES.get(reason, f"The producer gave the reason '{reason}'.")
