"""Builds the event of an exposure: a job without runs that reads what dbt has built."""

from typing import Any

from lineal_producer import facets
from lineal_producer.descriptions import Exposure, InputNode, Invocation
from lineal_producer.job_facets import code_facets
from lineal_producer.naming import Namespaces
from lineal_producer.privacy import without_secrets
from lineal_producer.runs import exposure_job_name

Event = dict[str, Any]


def exposure_event(invocation: Invocation, exposure: Exposure, at: str) -> Event:
    """The JobEvent of an exposure in the invocation's target."""
    producer = facets.producer_uri(invocation["lineal_version"])
    namespaces = Namespaces.from_json(invocation["namespaces"])
    inputs: dict[tuple[str, str], Event] = {}
    for each in exposure["inputs"]:
        namespace, name = _dataset(each, namespaces)
        source = {"dataSource": facets.data_source(producer, namespace)}
        inputs.setdefault((namespace, name), {"namespace": namespace, "name": name, "facets": source})
    return {
        "eventTime": at,
        "producer": producer,
        "schemaURL": f"{facets.CORE_SCHEMA}JobEvent",
        "job": {
            "namespace": invocation["job_namespace"],
            "name": exposure_job_name(exposure["unique_id"], invocation["target"]),
            "facets": _facets(producer, invocation, exposure),
        },
        "inputs": list(inputs.values()),
        "outputs": [],
    }


def _dataset(each: InputNode, namespaces: Namespaces) -> tuple[str, str]:
    files = namespaces.external(each["external_location"]) if each["external_location"] else None
    return files or namespaces.dataset(*each["relation"])


def _facets(producer: str, invocation: Invocation, exposure: Exposure) -> Event:
    told: Event = {"jobType": facets.job_type(producer, "EXPOSURE")}
    if exposure["description"]:
        told["documentation"] = facets.job_documentation(producer, exposure["description"])
    if exposure["owners"]:
        told["ownership"] = facets.job_ownership(producer, exposure["owners"])
    kinds = {f"exposure_{name}": exposure[name] for name in ("type", "url", "maturity") if exposure[name]}  # type: ignore[literal-required] # mypy doesn't follow the tuple
    if exposure["tags"] or kinds:
        shown = {name: without_secrets(value) for name, value in kinds.items()}
        told["tags"] = facets.job_tags(producer, exposure["tags"], shown)
    package = exposure["unique_id"].partition(".")[2].partition(".")[0]
    return told | code_facets(producer, invocation, exposure["unique_id"], package, exposure["path"])
