"""Datasets and their versions as Marquez writes them."""

from collections.abc import Container
from functools import lru_cache
from itertools import groupby
from typing import Any
from uuid import UUID

from lineal_receiver.api.answers import read_json, read_object
from lineal_receiver.api.v1.shapes.confirmed import mark_unconfirmed
from lineal_receiver.api.v1.shapes.runs import build_facets
from lineal_receiver.api.v1.shapes.tags import UNTAGGED, Tags
from lineal_receiver.ids import STATIC
from lineal_receiver.store.read_columns import Column, ColumnEdgeRow
from lineal_receiver.store.read_dataset_versions import WriteRow
from lineal_receiver.store.read_datasets import DatasetRow
from lineal_receiver.store.read_facets import FacetRow
from lineal_receiver.store.read_tags import TaggedRow

Names = dict[UUID, tuple[str, str]]
Deprecated = tuple[str | None, str | None]


LARGEST_KEPT_SCHEMA = 16_384


def build_fields(text: str | None, tags: Tags = UNTAGGED) -> list[dict[str, Any]]:
    """The fields of a schema, as Marquez writes them; not to be changed."""
    if text is None:
        return []
    if not tags.on_fields and len(text) <= LARGEST_KEPT_SCHEMA:
        return _build_untagged(text)
    return [_build_field(field, tags) for field in read_json(text)]


@lru_cache(maxsize=1_024)
def _build_untagged(text: str) -> list[dict[str, Any]]:
    """Few schemas are most of what is shown: they change seldom, and many datasets share one."""
    return [_build_field(field, UNTAGGED) for field in read_json(text)]


def _build_field(field: dict[str, Any], tags: Tags) -> dict[str, Any]:
    return {
        "name": field["name"],
        "type": field.get("type"),
        "tags": tags.of(field["name"]),
        "description": field.get("description"),
    }


def find_text(facets: list[FacetRow], name: str, key: str) -> str | None:
    """A text inside a facet, if both are there."""
    for facet in reversed(facets):
        if facet.name == name:
            found = read_object(facet.body).get(key)
            return found if isinstance(found, str) else None
    return None


def is_renamed(dataset: DatasetRow) -> bool:
    """Whether the last thing that happened to a name is that its dataset was given another, and none to it."""
    if dataset.moved_at is None or (dataset.became_at is not None and dataset.became_at >= dataset.moved_at):
        return False
    return dataset.written_at is None or dataset.moved_at >= dataset.written_at


def is_dropped(dataset: DatasetRow) -> bool:
    """Whether the last thing that happened to a dataset is that it was dropped."""
    if dataset.dropped_at is None:
        return False
    return dataset.written_at is None or dataset.dropped_at > dataset.written_at


def build_dataset_data(dataset: DatasetRow, facets: list[FacetRow], tags: Tags = UNTAGGED) -> dict[str, Any]:
    """What Marquez writes of a dataset in a graph."""
    return {
        "id": {"namespace": dataset.namespace, "name": dataset.name},
        "type": find_text(facets, "lineal_dataset", "type") or "DB_TABLE",
        "name": dataset.name,
        "physicalName": find_text(facets, "lineal_dataset", "physicalName") or dataset.name,
        "createdAt": dataset.created_at,
        "updatedAt": dataset.updated_at,
        "namespace": dataset.namespace,
        "sourceName": find_text(facets, "dataSource", "name") or "default",
        "fields": build_fields(dataset.fields, tags),
        "tags": tags.of(),
        "lastModifiedAt": None if dataset.write_run in (None, *STATIC) else dataset.written_at,
        "description": find_text(facets, "documentation", "description"),
        "lastLifecycleState": "RENAME" if is_renamed(dataset) else dataset.lifecycle or "",
    }


def build_dataset(
    dataset: DatasetRow, facets: list[FacetRow], columns: list[dict[str, Any]] | None, tagged: list[TaggedRow]
) -> dict[str, Any]:
    """A dataset as it is now."""
    return {
        **build_dataset_data(dataset, facets, Tags(facets, tagged)),
        **_build_location(facets, find_text(facets, "lineal_dataset", "schemaLocation")),
        "currentVersion": dataset.version_id,
        "columnLineage": columns,
        "facets": build_facets(facets),
        "deleted": is_dropped(dataset) or is_renamed(dataset),
    }


def _build_location(facets: list[FacetRow], location: str | None) -> dict[str, Any]:
    """What only a stream has."""
    return {"schemaLocation": location} if find_text(facets, "lineal_dataset", "type") == "STREAM" else {}


def read_stated(facets: list[FacetRow]) -> dict[str, Deprecated]:
    """The description and type that a columnLineage facet before 1-1-0 states for whole fields, by field."""
    for facet in reversed(facets):
        if facet.name == "columnLineage":
            fields = read_object(facet.body).get("fields")
            named = fields.items() if isinstance(fields, dict) else ()
            return {name: _read_deprecated(field) for name, field in named if isinstance(field, dict)}
    return {}


def _read_deprecated(field: dict[str, Any]) -> Deprecated:
    return field.get("transformationDescription"), field.get("transformationType")


def build_column_lineage(
    edges: list[ColumnEdgeRow], names: Names, stated: dict[str, Deprecated], confirmed: Container[str]
) -> list[dict[str, Any]] | None:
    """The column edges into one dataset, sorted by target field; None, never [], where there is none."""
    columns = []
    for field, grouped in groupby(edges, key=lambda edge: edge.target_field):
        into = list(grouped)
        inputs = [
            {
                "namespace": names[dataset][0],
                "dataset": names[dataset][1],
                "field": source,
                **build_deprecated(between, stated.get(field)),
                **mark_last_known(between),
            }
            for (dataset, source), between in group_sources(into, names)
        ]
        columns.append(
            {"name": field, "inputFields": inputs, **build_deprecated(into, stated.get(field))}
            | mark_unconfirmed(field, confirmed)
        )
    return columns or None


def group_sources(edges: list[ColumnEdgeRow], names: Names) -> list[tuple[Column, list[ColumnEdgeRow]]]:
    """The columns that one column is made from, by name, with the edges from each."""
    if len(edges) == 1:
        return [(edges[0].source, edges)] if edges[0].source_dataset in names else []
    sources: dict[Column, list[ColumnEdgeRow]] = {}
    for edge in edges:
        if edge.source_dataset in names:
            sources.setdefault(edge.source, []).append(edge)
    return sorted(sources.items(), key=lambda item: (names[item[0][0]], item[0][1]))


def build_deprecated(edges: list[ColumnEdgeRow], stated: Deprecated | None) -> dict[str, str | None]:
    """The description and type of before 1-1-0: as stated, else what the edges agree on."""
    if stated is not None and stated != (None, None):
        return {"transformationDescription": stated[0], "transformationType": stated[1]}
    description, kind, agreed = None, None, False
    for edge in edges:
        if edge.type != "DIRECT":
            continue
        its_kind = "MASKED" if edge.masking else "IDENTITY" if edge.subtype == "IDENTITY" else None
        if agreed:
            description = description if description == edge.expression else None
            kind = kind if kind == its_kind else None
        else:
            description, kind, agreed = edge.expression, its_kind, True
    return {"transformationDescription": description, "transformationType": kind}


def mark_last_known(edges: list[ColumnEdgeRow]) -> dict[str, bool]:
    """Says of edges that they are from before SQL came that can't be resolved; nothing of others."""
    for edge in edges:
        if not edge.last_known:
            return {}
    return {"lastKnown": True} if edges else {}


def build_transformations(edges: list[ColumnEdgeRow]) -> list[dict[str, Any]]:
    """The kinds of dependency between two columns, as OpenLineage writes them."""
    found = {(edge.type, edge.subtype, edge.expression or "", edge.masking, edge.last_known) for edge in edges}
    transformations: list[dict[str, Any]] = []
    for kind, subtype, text, masking, last_known in sorted(found) if len(found) > 1 else found:
        transformations.append({"type": kind, "subtype": subtype, "description": text, "masking": masking})
        if last_known:
            transformations[-1]["lastKnown"] = True
    return transformations


def build_version(
    dataset: DatasetRow,
    write: WriteRow,
    facets: list[FacetRow],
    now: list[FacetRow],
    run: dict[str, Any] | None,
    tagged: list[TaggedRow],
    location: str | None,
) -> dict[str, Any]:
    """A version of a dataset: what one write left. A stream's has the place of its schema.

    `now` are the dataset's facets: they say what it is, and where, if the write didn't.
    """
    tags = Tags(facets, tagged)
    said = [*now, *facets]
    return {
        "id": {"namespace": dataset.namespace, "name": dataset.name},
        "type": "STREAM" if location is not None else find_text(said, "lineal_dataset", "type") or "DB_TABLE",
        "name": dataset.name,
        "physicalName": find_text(said, "lineal_dataset", "physicalName") or dataset.name,
        "createdAt": write.effective_at,
        "version": write.version_id,
        "namespace": dataset.namespace,
        "sourceName": find_text(said, "dataSource", "name") or "default",
        "fields": build_fields(write.fields, tags),
        "tags": tags.of(),
        "lifecycleState": write.lifecycle or "",
        "description": find_text(said, "documentation", "description"),
        "currentSchemaVersion": None if write.schema_id is None else UUID(bytes=write.schema_id[:16]),
        "createdByRun": run,
        "facets": build_facets(facets),
        **({"schemaLocation": location} if location is not None else {}),
    }
