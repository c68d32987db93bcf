"""Read `lineage` facets (LineageFacet 1-0-0): which datasets and fields feed a target, said outright. Pure.

On a job (and, as its proposal had it, on a run) the facet lists targets; on a dataset the target is that dataset.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from lineal_receiver.ingest.event import Event

FACET = "lineage"
Name = tuple[str, str]


@dataclass(slots=True)
class Entry:
    """What is stated of one target: sources of the whole, and of its fields; None where nothing is said of either."""

    inputs: list[dict[str, Any]] | None = None
    fields: dict[str, list[dict[str, Any]]] | None = None

    def add(self, stated: dict[str, Any]) -> None:
        """Another statement about the same target."""
        if stated.get("inputs") is not None:
            self.inputs = [*(self.inputs or []), *stated["inputs"]]
        if stated.get("fields") is not None:
            self.fields = self.fields if self.fields is not None else {}
            for name, made in stated["fields"].items():
                self.fields.setdefault(name, []).extend(made["inputs"])

    @property
    def says_something(self) -> bool:
        """Whether sources of the target are stated, be it that there are none."""
        return self.inputs is not None or bool(self.fields)

    def sources(self) -> list[Name]:
        """The datasets that feed the target."""
        inputs = [*(self.inputs or []), *(source for made in (self.fields or {}).values() for source in made)]
        return list(dict.fromkeys(_name(source) for source in inputs if source["type"] == "DATASET"))


@dataclass(slots=True)
class Explicit:
    """What the `lineage` facets of one event state: by target, what the job itself consumes, and deletions."""

    entries: dict[Name, Entry] = field(default_factory=dict)
    consumed: list[Name] = field(default_factory=list)
    given: bool = False
    deleted: bool = False
    deleted_targets: list[Name] = field(default_factory=list)

    def sources(self) -> list[Name]:
        """Every dataset that feeds something."""
        named = [*(name for entry in self.entries.values() for name in entry.sources()), *self.consumed]
        return list(dict.fromkeys(named))


def read_explicit(event: Event) -> Explicit | None:
    """What the event's `lineage` facets state; None if it has none that can be believed."""
    if not any(FACET in facets for facets in event.facets.values()):
        return None
    found = Explicit()
    listed = _find_list(event)
    if listed is not None:
        found.given = True
        _add_entries(found, listed["entries"], event.content["job"])
    found.deleted = _is_deleted(event, "/job/facets")
    for holder, named in _datasets(event):
        stated = event.facet(holder, FACET)
        if stated is not None and _target_holds(stated):
            found.entries.setdefault(_name(named), Entry()).add(stated)
        elif _is_deleted(event, holder):
            found.deleted_targets.append(_name(named))
    found.entries = {name: entry for name, entry in found.entries.items() if entry.says_something}
    return found if found.given or found.deleted or found.entries or found.deleted_targets else None


def _add_entries(found: Explicit, entries: Iterable[dict[str, Any]], job: dict[str, Any]) -> None:
    own = (job["namespace"], job["name"])
    for entry in entries:
        if entry["type"] == "DATASET":
            found.entries.setdefault(_name(entry), Entry()).add(entry)
        elif _job_name(entry, own) == own:
            found.consumed += [_name(source) for source in entry.get("inputs") or [] if source["type"] == "DATASET"]


def _find_list(event: Event) -> dict[str, Any] | None:
    """The facet that lists targets, if it is one: the official schema lets much pass, and none judges that of a run."""
    for holder in ("/job/facets", "/run/facets"):
        facet = event.facet(holder, FACET)
        entries = None if facet is None else facet.get("entries")
        if isinstance(entries, list) and all(_entry_holds(entry) for entry in entries):
            return facet
    return None


def _entry_holds(entry: Any) -> bool:
    return isinstance(entry, dict) and _entity_holds(entry) and _target_holds(entry)


def _target_holds(stated: dict[str, Any]) -> bool:
    inputs, fields = stated.get("inputs"), stated.get("fields")
    if inputs is not None and not _list_holds(inputs):
        return False
    return fields is None or (
        isinstance(fields, dict)
        and all(isinstance(made, dict) and _list_holds(made.get("inputs")) for made in fields.values())
    )


def _list_holds(inputs: Any) -> bool:
    return isinstance(inputs, list) and all(
        isinstance(source, dict) and _entity_holds(source) and isinstance(source.get("field", ""), str)
        and _transformations_hold(source.get("transformations"))
        for source in inputs
    )  # fmt: skip


def _transformations_hold(stated: Any) -> bool:
    return stated is None or (
        isinstance(stated, list)
        and all(
            isinstance(one, dict) and isinstance(one.get("type"), str)
            and isinstance(one.get("subtype"), str | None) and isinstance(one.get("description"), str | None)
            and isinstance(one.get("masking"), bool | None)
            for one in stated
        )
    )  # fmt: skip


def _entity_holds(entity: dict[str, Any]) -> bool:
    """A dataset has a name; a job has one, or is the event's own."""
    if entity.get("type") not in ("DATASET", "JOB"):
        return False
    named = [entity[key] for key in ("namespace", "name") if key in entity]
    return all(isinstance(name, str) for name in named) and len(named) in (
        (2,) if entity["type"] == "DATASET" else (0, 2)
    )


def _datasets(event: Event) -> Iterable[tuple[str, dict[str, Any]]]:
    """Where targets' own facets stand, and the targets: a static dataset, or outputs."""
    if event.kind == "dataset":
        yield "/dataset/facets", event.content["dataset"]
        return
    for index, named in enumerate(event.content.get("outputs") or []):
        yield f"/outputs/{index}/facets", named


def _is_deleted(event: Event, holder: str) -> bool:
    facet = event.facets.get(holder, {}).get(FACET)
    return facet is not None and isinstance(facet.value, dict) and facet.value.get("_deleted") is True


def _name(named: dict[str, Any]) -> Name:
    return named["namespace"], named["name"]


def _job_name(named: dict[str, Any], own: Name) -> Name:
    return (named["namespace"], named["name"]) if "namespace" in named else own


def state_columns(entry: Entry, schema_fields: list[str]) -> tuple[dict[str, Any], list[dict[str, Any]]] | None:
    """What an entry states of columns, as `columnLineage` would and as statuses; None if it states nothing of them.

    Columns of the schema that it leaves out are unresolved, unless it vouches that the target has no source at all.
    """
    whole = [
        {**source, "transformations": source.get("transformations") or [{"type": "INDIRECT"}]}
        for source in entry.inputs or []
        if source["type"] == "DATASET" and source.get("field")
    ]
    fields = entry.fields or {}
    from_nothing = entry.inputs == [] and not fields
    if not fields and not whole and not from_nothing:
        return None
    lineage = {"fields": {name: {"inputFields": _fields(made)} for name, made in fields.items()}, "dataset": whole}
    statuses = [
        {"name": name, **_status(name, fields.get(name), from_nothing)}
        for name in dict.fromkeys([*schema_fields, *sorted(fields)])
    ]
    return lineage, statuses


def _fields(made: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [source for source in made if source["type"] == "DATASET" and source.get("field")]


def _status(name: str, made: list[dict[str, Any]] | None, from_nothing: bool) -> dict[str, Any]:
    """Own jobs are where a column begins; sources of which no field is told leave it open."""
    if made is None:
        return {"status": "constant"} if from_nothing else {"status": "unresolved", "reason": "not_reported"}
    if name == "":
        return {"status": "unresolved", "reason": "unnamed_field"}
    if any(source["type"] == "DATASET" and not source.get("field") for source in made):
        return {"status": "unresolved", "reason": "no_source_field"}
    if any(source["type"] == "JOB" and "namespace" in source for source in made):
        return {"status": "unresolved", "reason": "made_by_another_job"}
    said = [one.get("description") for source in made for one in source.get("transformations") or []]
    text = min((text for text in said if text), default=None) if len(made) == 1 else None
    return {"status": "traced" if _fields(made) else "constant", "expression": text}
