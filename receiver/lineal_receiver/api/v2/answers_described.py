"""The shapes of v2's answers, for the API's description: which noun each route answers with, and what nouns hold."""

from typing import Any

from lineal_receiver.api.shapes_described import Schema, Told, build_kind, build_told
from lineal_receiver.api.v2 import alias_names, aliases, events, search
from lineal_receiver.api.v2.nouns_described import ENUMS as LINEAGE_ENUMS
from lineal_receiver.api.v2.nouns_described import LINEAGE_NOUNS, LISTED_RUN, NAMED

NEXT = {"next": "text?: the cursor that goes on; null at the end"}

ENUMS: dict[str, tuple[str, ...]] = {
    **LINEAGE_ENUMS,
    "FoundKind": search.KINDS,
    "Match": search.MATCHES,
    "RecordKind": events.KINDS,
    "AliasKind": alias_names.KINDS,
    "AliasOrigin": aliases.ORIGINS,
    "RedactedWhat": ("text", "pointers"),
    "ReplayOutcome": ("accepted", "duplicate"),
}

RECORD = {
    "kind": "RecordKind: what it is",
    "eventType": "text?: of a run event",
    "eventTime": "time: as it says",
    "receivedAt": "time: when it came first",
    "size": "whole: bytes of its body",
}
REFUSED_BODY = {
    "id": "text: 64 hex digits",
    "status": "whole: with which HTTP status it was refused",
    "rule": "text: the first rule that it broke",
    "pointer": "text: where, as a JSON pointer",
    "expected": "text: what the rule expects",
    "message": "text: what is wrong",
    "source": "text: who sent it first",
    "size": "whole: bytes; of a truncated one at least",
    "truncated": "flag: only its beginning was kept",
    "coding": "text?: its content coding, such as gzip",
    "count": "whole: how often it came",
    "firstAt": "time: when it came first",
    "lastAt": "time: when it came last",
    "triedAt": "time?: when it was replayed last",
    "replayedAt": "time?: when a replay was accepted",
}
ALIAS = {
    "kind": "AliasKind: what is named",
    "old": "AnyName: the name that counts as another",
    "new": "AnyName: what it counts as",
}
CHANGED = {"namespace": "text: of the dataset", "name": "text: of the dataset", "field": "text?: the column"}
NAMED_EDGE = {
    "source": "ChangedName: of what it is made",
    "target": "ChangedName: what is made; field null: its rows",
    "job": "JobName?: null of a static event",
}
NAMED_EDGES = {
    "source": "DatasetName?: null: the job reads nothing known",
    "job": "JobName?: null of a static event",
    "target": "DatasetName?: null: the job writes nothing",
}
TYPED = {"name": "text: the column", "type": "text?: its type"}

NOUNS: dict[str, Told] = {
    **LINEAGE_NOUNS,
    "AnyName": {"namespace": "text: the namespace", "name?": "text: not of a namespace"},
    "DatasetName": NAMED,
    "RunAbove": {"runId": "uuid: its id", "job": "JobAbove: its job, as sent"},
    "JobAbove": {"namespace": "text?: its namespace", "name": "text?: its name"},
    "ListedRun": LISTED_RUN,
    "TreeRun": {**LISTED_RUN, "children": "[TreeRun]: by their start"},
    "RunList": {
        "parent?": "ListedRun?: with `parent`: that run; null: only its children name it",
        "states?": "counts: with `parent`: its children by state",
        "statesCapped?": "flag: with `parent`: there are more children than were counted",
        "runs": "[ListedRun]: the last started first",
        "nextCursor": "text?: the cursor that goes on; null at the end",
    },
    "TrustedRuns": {"runs": "[ListedRun]: of every job that used the id"},
    "RunTree": {
        "run": "TreeRun: the run at the top",
        "states": "counts: all below it by state",
        "cut": "text?: what is left out, in words",
    },
    "DiffRun": {key: told for key, told in LISTED_RUN.items() if key != "error"},
    "DiffEnd": {"at": "time?: the time, or the end of the run", "run": "DiffRun?: where runs are compared"},
    "ChangedName": CHANGED,
    "ColumnThen": {
        "type": "text?: its type",
        "status": "ColumnStatus?: null: nothing was said",
        "reason": "text?: of `unresolved`",
    },
    "EdgeThen": {"kinds": "[EdgeKind]: in which ways", "expression": "text?: SQL of the target column"},
    "DiffColumn": {**CHANGED, "type": "text?: its type"},
    "ChangedColumn": {**CHANGED, "from": "ColumnThen: before", "to": "ColumnThen: after"},
    "NamedEdge": {**NAMED_EDGE, "kinds": "[EdgeKind]: in which ways", "expression": "text?: SQL of the target column"},
    "ChangedEdge": {**NAMED_EDGE, "from": "EdgeThen: before", "to": "EdgeThen: after"},
    "NamedTableEdge": NAMED_EDGES,
    "DiffColumns": {
        "came": "[DiffColumn]: only after",
        "went": "[DiffColumn]: only before",
        "changed": "[ChangedColumn]: both, in other ways",
    },
    "DiffEdges": {
        "came": "[NamedEdge]: only after",
        "went": "[NamedEdge]: only before",
        "changed": "[ChangedEdge]: both, in other ways",
    },
    "DiffTables": {"came": "[NamedTableEdge]: only after", "went": "[NamedTableEdge]: only before"},
    "Diff": {
        "target": "Target?: null where runs are compared",
        "from": "DiffEnd: before",
        "to": "DiffEnd: after",
        "same": "flag: nothing changed",
        "columns": "DiffColumns: its columns, or those that the runs wrote",
        "columnEdges": "DiffEdges: what these are made of",
        "tableEdges": "DiffTables: which job makes which dataset of which",
        "cut": "text?: what is left out, in words",
    },
    "ReasonCount": {
        "reason": "text?: the code; null: none was given",
        "sentence": "text: the reason in words",
        "count": "whole: columns that are unresolved for it",
    },
    "UnresolvedColumn": {
        "dataset": "uuid: the dataset",
        "namespace": "text: of the dataset",
        "name": "text: of the dataset",
        "field": "text: the column",
        "reason": "text?: the code",
        "sentence": "text: the reason in words",
        "message": "text?: what the producer said",
        "expression": "text?: SQL of the column",
        "lastKnown": "flag: edges from before are still shown",
        "job": "JobName?: that told of it last",
        "since": "time: since when",
    },
    "Unresolved": {
        "reasons": "[ReasonCount]: the most frequent first",
        "total": "whole: columns that are unresolved",
        "silent": "whole: datasets whose jobs say nothing of columns, by dataset and job",
        "capped": "flag: there are more than were counted",
        "columns": "[UnresolvedColumn]: dataset by dataset",
        **NEXT,
    },
    "SearchHit": {
        "kind": "FoundKind: what it is",
        "id": "uuid: of a column its dataset's",
        **NAMED,
        "field": "text?: of a column",
        "type": "text?: of a column",
        "match": "Match: how well it matches",
        "updatedAt": "time: when it was spoken of last",
    },
    "SearchHits": {
        "results": "[SearchHit]: the best first",
        **NEXT,
        "cut": "text?: what is left out, in words",
    },
    "DriftColumn": TYPED,
    "Retyped": {"name": "text: the column", "from": "text?: its type before", "to": "text?: its type after"},
    "SchemaVersion": {
        "version": "uuid: the dataset's version",
        "since": "time: when it was written first",
        "until": "time?: when the next one was; null: it holds now",
        "lifecycle": "text?: a lifecycle change that came with it",
        "run": "ShortRun?: that wrote it",
        "job": "JobName?: that wrote it",
        "columns": "whole: how many it has",
        "first": "flag: nothing came before it",
        "came": "[DriftColumn]: new ones",
        "went": "[DriftColumn]: gone ones",
        "retyped": "[Retyped]: those of another type",
        "moved": "flag: only the order is another",
    },
    "Drift": {"dataset": "Target: the dataset", "versions": "[SchemaVersion]: the newest first", **NEXT},
    "Downstream": {
        "datasets": "whole: datasets",
        "jobs": "whole: jobs that write",
        "consumers": "whole: jobs that only read",
        "checks": "whole: jobs that only test",
        "nearest": "[DatasetRef]: five of the datasets",
        "capped": "flag: there are more than were counted",
    },
    "WantingRun": {
        **LISTED_RUN,
        "outputs": "[DatasetRef]: what it was to write",
        "downstream": "Downstream: what hangs on these",
    },
    "WantingCounts": {"failed": "whole: in all", "aborted": "whole: in all", "open": "whole: in all"},
    "Attention": {
        "since": "time: from when on",
        "counts": "WantingCounts: listed or not",
        "runs": "[WantingRun]: the last started first",
        **NEXT,
        "capped": "flag: there are more runs than were looked at",
    },
    "Record": {
        "id": "text: its UTC day, a dash and 64 hex digits",
        **RECORD,
        "job": "JobName?: of which it speaks",
        "runId": "uuid?: of which it speaks",
        "flags": "[whole]: the bits that are set, as docs/merge.md explains them",
        "body": "text: the path of what was sent",
    },
    "Records": {"events": "[Record]: the newest first", **NEXT},
    "LateRecord": {"id": "text: 64 hex digits", **RECORD},
    "LateRecords": {
        "late": "[LateRecord]: the last received first",
        "totalCount": "whole: in all, counted to 200,000",
        **NEXT,
    },
    "RunCounts": {
        **dict.fromkeys(("COMPLETED", "RUNNING", "FAILED", "ABORTED"), "whole: runs in this state"),
        "NEW": "whole: runs without a typed event, or that are only named",
        "total": "whole: in all",
    },
    "ColumnCounts": {
        "traced": "whole: it is known of which columns they are made",
        "constant": "whole: they are made of no column",
        "unresolved": "whole: it isn't known",
        "total": "whole: in all",
    },
    "ModelCounts": {
        "resolved": "whole: all of their columns are known",
        "partial": "whole: some are",
        "unresolved": "whole: none is",
        "failed": "whole: reading failed, and there is no other",
    },
    "RecordCounts": {
        "accepted": "whole: kept",
        "rejected": "whole: refused, repeats too",
        "late": "whole: kept, but older than the horizon",
    },
    "Summary": {
        "runs": "RunCounts: by state",
        "namespaces": "whole: how many were named",
        "jobs": "whole: how many were named",
        "datasets": "whole: how many were named",
        "edges": "whole: pairs of source and target column in force",
        "columns": "ColumnCounts: of the lineage in force",
        "models": "ModelCounts: outputs by how well their lineage is known",
        "events": "RecordCounts: always of the whole store",
        "capped": "[text]: of runs, edges, columns, models those with more rows than were counted",
    },
    "RejectedBody": REFUSED_BODY,
    "BrokenRule": {
        "rule": "text: its name",
        "message": "text: what is wrong",
        "pointer": "text: where, as a JSON pointer",
        "expected": "text: what it expects",
    },
    "RejectedWhole": {**REFUSED_BODY, "errors": "[BrokenRule]: every rule that it broke"},
    "RejectedBodies": {
        "rejected": "[RejectedBody]: the newest first",
        "totalCount": "whole: in all, counted to 10,000",
        **NEXT,
    },
    "Replayed": {"id": "text: 64 hex digits", "outcome": "ReplayOutcome: duplicate: it was kept already"},
    "Alias": {
        **ALIAS,
        "root": "AnyName: what it counts as in the end",
        "origin": "AliasOrigin: who says so",
        "since": "time?: when an operator said it; null of a symlink",
        "disputed": "flag: symlinks say different things",
    },
    "Aliases": {"aliases": "[Alias]: those in force", **NEXT},
    "AliasChange": ALIAS,
    "LikelyPair": {**ALIAS, "reasons": "[text]: why they may be one"},
    "LikelyPairs": {"likely": "[LikelyPair]: suggestions, the direction too"},
    "HorizonSet": {
        "at": "time: what is older isn't folded",
        "setAt": "time: when it was set",
        "by": "text: by whom",
        "why": "text: what for",
    },
    "Horizon": {
        "horizon": "HorizonSet?: null: events of any age are folded",
        "late": "whole: records that were too old, counted to 200,000",
    },
    "Redaction": {
        "id": "text: 64 hex digits of the command",
        "at": "time: when",
        "what": "RedactedWhat: a text everywhere, or what pointers into one record name",
        "by": "text: by whom",
        "why": "text: what for",
        "record": "text?: the record, with pointers",
        "pointers": "[text]: JSON pointers",
        "records": "whole: records that were changed",
        "rejected": "whole: refused bodies that were changed",
    },
    "Redactions": {"redactions": "[Redaction]: the newest first", **NEXT},
    "RedactionOutcome": {
        "dryRun": "flag: nothing was changed",
        "records": "whole: records that have it",
        "rejected": "whole: refused bodies that have it",
        "rows": "counts: rows of each table that are computed anew or cleaned",
        "ids": "[text]: ids of the records",
        "id": "text?: of the command; null: nothing was changed",
        "at": "time?: when; null: nothing was changed",
    },
    "TrustedDataset": {"dataset": "DatasetName: as asked"},
    "TrustedJob": {"job": "JobName: as asked"},
    "Problem": {
        "type": "text: about:blank, and of which kind after a #",
        "title": "text: the status in words",
        "status": "whole: the HTTP status",
        "detail": "text: what is wrong",
        "errors?": "[BrokenRule]: of a replay that was refused again",
    },
}

ANSWERS: dict[tuple[str, str], str] = {
    **{("get", f"/api/v2/{way}"): "Graph" for way in ("lineage", "upstream", "downstream", "as-of")},
    ("get", "/api/v2/edge"): "Evidence",
    ("get", "/api/v2/impact"): "Impact",
    ("get", "/api/v2/path"): "Ways",
    ("get", "/api/v2/diff"): "Diff",
    ("get", "/api/v2/unresolved"): "Unresolved",
    ("get", "/api/v2/search"): "SearchHits",
    ("get", "/api/v2/drift"): "Drift",
    ("get", "/api/v2/attention"): "Attention",
    ("get", "/api/v2/runs"): "RunList",
    ("get", "/api/v2/runs/tree"): "RunTree",
    ("post", "/api/v2/runs/{run}/trust"): "TrustedRuns",
    ("get", "/api/v2/events"): "Records",
    ("get", "/api/v2/events/{id}"): "Record",
    ("get", "/api/v2/events/{id}/body"): "sent",
    ("get", "/api/v2/export"): "text",
    ("get", "/api/v2/summary"): "Summary",
    ("get", "/api/v2/rejected"): "RejectedBodies",
    ("get", "/api/v2/rejected/{id}"): "RejectedWhole",
    ("get", "/api/v2/rejected/{id}/body"): "text",
    ("post", "/api/v2/rejected/{id}/replay"): "Replayed",
    ("get", "/api/v2/alias"): "Aliases",
    ("post", "/api/v2/alias"): "AliasChange",
    ("delete", "/api/v2/alias"): "AliasChange",
    ("get", "/api/v2/alias/lint"): "LikelyPairs",
    ("get", "/api/v2/horizon"): "Horizon",
    ("put", "/api/v2/horizon"): "Horizon",
    ("delete", "/api/v2/horizon"): "Horizon",
    ("get", "/api/v2/late"): "LateRecords",
    ("get", "/api/v2/redact"): "Redactions",
    ("post", "/api/v2/redact"): "RedactionOutcome",
    ("post", "/api/v2/datasets/trust"): "TrustedDataset",
    ("post", "/api/v2/jobs/trust"): "TrustedJob",
}


def build_answer_schemas() -> dict[str, Schema]:
    """Every noun of v2's answers by name."""
    enums: dict[str, Schema] = {name: {"type": "string", "enum": list(choices)} for name, choices in ENUMS.items()}
    return enums | {name: build_told(shape) for name, shape in NOUNS.items()}


def describe_answer(method: str, path: str) -> dict[str, Any]:
    """The shape that a route of v2 answers with."""
    return build_kind(ANSWERS[method, path])
