"""Compare the verdicts by `schemas/` with those by the official files: `compare_schemas.py FOLDER [FILE…]`.

FOLDER holds the official schemas by the path of their `$id` (`spec/…`), FILEs events, one a line, bare or under the key
`event`. Every facet and version is compared on instances made from the official schema and broken in every way that it
forbids and some that it doesn't; every event is compared as a whole. Run by hand: no test needs the official files.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import jsonschema_rs

from lineal_receiver.ingest.envelope import UnreadableError, open_envelope
from lineal_receiver.ingest.schemas import read_bundle
from lineal_receiver.ingest.validate import INVALID_CORE, INVALID_FACET, Judge, is_deletion

SITE = "https://openlineage.io/"
CORE = f"{SITE}spec/2-0-2/OpenLineage.json"
CORES = ("1-0-2", "1-0-3", "2-0-2")  # those that facets build on; others refer to what was never published
ODD = [None, True, 7, 1.5, 1e30, "", "text", [], {}, [None], [1], {"": 1}, "2026-99-99", "not a uri", "{x}"]
ENTITIES = {"RunFacet": "run", "JobFacet": "job", "DatasetFacet": "dataset"}
ENTITIES |= {"InputDatasetFacet": "input", "OutputDatasetFacet": "output"}


class Official:
    """The official files, and verdicts by them."""

    def __init__(self, folder: Path) -> None:
        wanted = [*folder.glob("spec/facets/*/*.json"), *(folder / f"spec/{core}/OpenLineage.json" for core in CORES)]
        found = [json.loads(path.read_bytes()) for path in wanted]
        self.documents = {document["$id"]: document for document in found}
        self.registry = jsonschema_rs.Registry(list(self.documents.items()))
        self.core = self._compile({"$ref": CORE})
        self.facets = {
            identity: self._compile({"$ref": identity}) for identity in self.documents if "/facets/" in identity
        }
        self.newest: dict[tuple[str, str], str] = {}
        for identity in sorted(self.facets, key=lambda one: tuple(map(int, one.split("/")[-2].split("-")))):
            for place in self.places(identity):
                self.newest[place] = identity

    def _compile(self, body: dict[str, Any]) -> Any:
        return jsonschema_rs.Draft202012Validator(body, registry=self.registry, validate_formats=False)

    def resolve(self, schema: Any, identity: str) -> tuple[Any, str]:
        """A schema behind its reference, and the document that it stands in."""
        while isinstance(schema, dict) and "$ref" in schema:
            where, _, pointer = schema["$ref"].partition("#")
            identity = where or identity
            schema = self.documents[identity]
            for part in pointer.split("/")[1:]:
                schema = schema[part]
        return schema, identity

    def places(self, identity: str) -> Iterator[tuple[str, str]]:
        """(entity, key) of the facets in a file."""
        for key, body in self.documents[identity]["properties"].items():
            for choice in body.get("anyOf", body.get("oneOf", [body])):
                definition, _ = self.resolve(choice, identity)
                for part in definition.get("allOf", []):
                    base = part.get("$ref", "").rpartition("/")[2]
                    if base in ENTITIES:
                        yield ENTITIES[base], key

    def judge_facet(self, entity: str, key: str, facet: Any) -> bool | None:
        """By its own version, else by the newest; None: there is no such facet."""
        newest = self.newest.get((entity, key))
        if newest is None:
            return None
        declared = facet.get("_schemaURL") if isinstance(facet, dict) else None
        own = declared.partition("#")[0] if isinstance(declared, str) else ""
        same = own in self.facets and (entity, key) in set(self.places(own))
        return bool(self.facets[own if same else newest].is_valid({key: facet}))

    def samples_of_every_version(self, identity: str) -> Iterator[Any]:
        """Instances of a facet as any version of it has them, so that fields of others are tried on each."""
        name = identity.rpartition("/")[2]
        for other in self.facets:
            if other.rpartition("/")[2] == name:
                for body in self.documents[other]["properties"].values():
                    yield from self.samples(body, other)

    def samples(self, schema: Any, identity: str, depth: int = 0) -> Iterator[Any]:
        """Instances of a schema that hold, each branch once."""
        schema, identity = self.resolve(schema, identity)
        for word in ("oneOf", "anyOf"):
            if word in schema:
                if depth < 5:
                    for choice in schema[word]:
                        yield from self.samples(choice, identity, depth + 1)
                return
        if "allOf" in schema:
            merged: dict[str, Any] = {}
            *bases, own = schema["allOf"]
            for part in bases:
                merged |= next(self.samples(part, identity, depth + 1), {})
            for last in self.samples(own, identity, depth + 1):
                yield merged | last
            return
        if "const" in schema or "enum" in schema:
            yield schema.get("const", schema.get("enum", [None])[0])
            return
        yield from self._plain(schema, identity, depth)

    def _plain(self, schema: Any, identity: str, depth: int) -> Iterator[Any]:
        kind = schema.get("type")
        if kind == "object":
            whole: dict[str, Any] = {}
            variants: list[tuple[str, list[Any]]] = []
            for name, body in schema.get("properties", {}).items():
                found = list(self.samples(body, identity, depth + 1)) if depth < 6 else []
                if found:
                    whole[name] = found[0]
                    variants.append((name, found[1:]))
            extra = schema.get("additionalProperties")
            if isinstance(extra, dict) and depth < 6:
                whole["any"] = next(self.samples(extra, identity, depth + 1), {})
            yield whole
            for name, others in variants:
                for other in others:
                    yield {**whole, name: other}
        elif kind == "array":
            found = list(self.samples(schema.get("items", {}), identity, depth + 1)) if depth < 6 else []
            yield found[:1]
            yield from ([one] for one in found[1:])
        else:
            yield {"string": "text", "integer": 3, "number": 2.5, "boolean": True}.get(str(kind), "anything")


def mutate(value: Any) -> Iterator[Any]:
    """The instance, with one place of it changed: taken away, of another type, with something more."""
    yield value
    for path in list(paths(value)):
        for odd in ODD:
            changed = deepcopy(value)
            put(changed, path, odd)
            yield changed
        changed = deepcopy(value)
        holder = at(changed, path[:-1])
        if isinstance(holder, dict):
            del holder[path[-1]]
            yield changed
        if isinstance(at(value, path), dict):
            changed = deepcopy(value)
            at(changed, path)["more"] = 1
            yield changed
    yield {**value, "more": {"x": 1}}
    yield {**value, "_deleted": "yes"}
    yield {**value, "_deleted": False}


def paths(value: Any, so_far: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a value but the value itself."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*so_far, key)
        yield from paths(item, (*so_far, key))


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for part in path:
        value = value[part]
    return value


def put(value: Any, path: tuple[Any, ...], what: Any) -> None:
    at(value, path[:-1])[path[-1]] = what


def build_event(entity: str, key: str, facet: Any) -> dict[str, Any]:
    """An event that holds, but for this facet."""
    dataset: dict[str, Any] = {"namespace": "n", "name": "d"}
    event: dict[str, Any] = {
        "eventTime": "2026-01-15T10:00:00Z",
        "producer": "https://producer.example/",
        "schemaURL": f"{CORE}#/$defs/RunEvent",
        "run": {"runId": "01900000-0000-7000-8000-000000000001"},
        "job": {"namespace": "n", "name": "j"},
        "inputs": [dataset],
        "outputs": [],
    }
    if entity == "output":
        event["inputs"], event["outputs"] = [], [dataset]
    holder = {"run": event["run"], "job": event["job"]}.get(entity, dataset)
    name = {"input": "inputFacets", "output": "outputFacets"}.get(entity, "facets")
    holder[name] = {key: facet}
    return event


class Comparison:
    """Counts what agrees and shows what doesn't."""

    def __init__(self, official: Official) -> None:
        self.official, self.judge = official, Judge(read_bundle())
        self.counted: Counter[str] = Counter()

    def compare(self, event: Any, shown: str) -> None:
        """Compare the verdicts on an event: as a whole, and on its facets."""
        try:
            envelope = open_envelope(json.dumps(event).encode())
        except UnreadableError as error:
            self.counted[f"not read: {error.rule}"] += 1
            return
        verdict = self.judge.judge(envelope)
        core = bool(self.official.core.is_valid(event))
        ours = not verdict.flags & INVALID_CORE
        if verdict.faults:
            ours = verdict.faults[0].rule == "format" and ours
        self._note("core", core, ours, shown, event)
        judged = {
            facet.pointer: self.official.judge_facet(facet.entity, facet.key, facet.value)
            for facet in envelope.facets
            if not is_deletion(facet)
        }
        nulls = [place for place in envelope.null_facets.values() if place in self.official.newest]
        if not verdict.faults:
            self._note(
                *("facets", False not in judged.values() and not nulls, not verdict.flags & INVALID_FACET),
                *(shown, event),
            )

    def _note(self, what: str, official: bool, ours: bool, shown: str, event: Any) -> None:
        self.counted[f"{what} {'the same' if official == ours else 'DIFFERENT'} ({official})"] += 1
        if official != ours and self.counted["shown"] < 20:
            self.counted["shown"] += 1
            print(f"{shown}: {what}: official {official}, ours {ours}: {json.dumps(event)[:1500]}")


def main() -> int:
    """Compare; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    comparison = Comparison(Official(options.folder))
    official = comparison.official
    for identity in official.facets:
        for entity, key in sorted(set(official.places(identity))):
            named = {"_producer": "https://producer.example/", "_schemaURL": identity}
            for sample in official.samples_of_every_version(identity):
                for instance in mutate({**sample, **named}):
                    comparison.compare(build_event(entity, key, instance), f"{identity.rpartition('/')[2]} {entity}")
    for path in options.files:
        lines = path.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        for number, line in enumerate(lines, 1):
            found = json.loads(line)
            comparison.compare(found.get("event", found), f"{path.name}:{number}")
    for what, count in sorted(comparison.counted.items()):
        print(f"{count:8} {what}")
    return 1 if any("DIFFERENT" in what for what in comparison.counted) else 0


if __name__ == "__main__":
    sys.exit(main())
