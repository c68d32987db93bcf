"""The columns that dbt adds to a snapshot's query, and what each is computed from."""

from collections.abc import Callable
from dataclasses import replace

from lineal_producer.columns import Column, Input, ModelLineage
from lineal_producer.descriptions import Snapshot

Inputs = tuple[Input, ...]


def with_snapshot_columns(
    lineage: ModelLineage, snapshot: Snapshot, sql: str, ask: Callable[[str], ModelLineage], *, upper: bool
) -> ModelLineage:
    """The lineage of a snapshot's query and of dbt's own columns after it.

    Keys and `updated_at` may be expressions over the query's columns: those are traced with `ask`. `upper` says that
    the database keeps dbt's names in upper case.
    """

    def inputs_of(expressions: list[str], *, masking: bool = False) -> Inputs | None:
        found = [_inputs(expression, lineage, sql, ask) for expression in expressions]
        if any(inputs is None for inputs in found):
            return None
        return tuple(dict.fromkeys(_derived(one, masking) for inputs in found if inputs for one in inputs))

    times = [snapshot["updated_at"]] if snapshot["updated_at"] else []
    own = {"dbt_scd_id": inputs_of([*snapshot["unique_key"], *times], masking=True)}
    own |= dict.fromkeys(("dbt_updated_at", "dbt_valid_from", "dbt_valid_to"), inputs_of(times))
    if snapshot["hard_deletes"] == "new_record":
        own["dbt_is_deleted"] = ()
    added = []
    for usual, inputs in own.items():
        name = snapshot["names"].get(usual, usual)
        added.append(_column(name.upper() if upper else name, inputs))
    unresolved = any(column.status == "unresolved" for column in added)
    status = "partial" if lineage.status == "resolved" and unresolved else lineage.status
    return replace(lineage, columns=(*lineage.columns, *added), status=status)


def _column(name: str, inputs: Inputs | None) -> Column:
    if inputs is None:
        return Column(name, "unresolved", "snapshot_key", None, ())
    return Column(name, "traced" if inputs else "constant", None, None, inputs)


def _inputs(expression: str, lineage: ModelLineage, sql: str, ask: Callable[[str], ModelLineage]) -> Inputs | None:
    """The inputs of a column of the query by name, or of an expression over it; None when they are not known."""
    name = expression.strip().strip('"`').casefold()
    column = next((column for column in lineage.columns if column.name.casefold() == name), None)
    if column is None and lineage.status != "failed":
        query = sql.strip().rstrip(";")
        keyed = f"select {expression} as lineal_key from (\n{query}\n) as lineal_snapshot"  # noqa: S608 - never run
        traced = ask(keyed)
        column = traced.columns[0] if len(traced.columns) == 1 else None
    if column is None or column.status == "unresolved":
        return None
    return column.inputs


def _derived(one: Input, masking: bool) -> Input:
    """The input as a part of dbt's own expression over it: an indirect one stays what it is."""
    if one.type == "INDIRECT":
        return replace(one, masking=one.masking or masking)
    subtype = "AGGREGATION" if one.subtype == "AGGREGATION" else "TRANSFORMATION"
    return replace(one, subtype=subtype, masking=one.masking or masking)
