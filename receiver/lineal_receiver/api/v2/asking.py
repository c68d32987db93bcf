"""Query parameters of v2, and the dataset, column or job that they name; what can't be read is a 400 that says how."""

from dataclasses import dataclass
from datetime import datetime, time, timezone
from uuid import UUID

from starlette.requests import Request

from lineal_receiver.api.nodes import NodeReadings, Reading
from lineal_receiver.api.queries import Text
from lineal_receiver.api.refusals import Refusal, problem
from lineal_receiver.api.v1.names import fetch_names
from lineal_receiver.api.v1.targets import find_column_target, find_table_target, read_target
from lineal_receiver.ids import dataset_id
from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class Node:
    """What an answer is about: a dataset (of it a column, where `field` says one) or a job."""

    kind: str
    id: UUID
    namespace: str
    name: str
    field: str | None = None

    def describe(self) -> dict[str, object]:
        """As answers write it."""
        return {
            "kind": "column" if self.field is not None else self.kind,
            "id": self.id,
            "namespace": self.namespace,
            "name": self.name,
            "field": self.field,
        }


def read_choice(name: str, text: Text, choices: tuple[str, ...], default: str) -> str:
    """One of `choices`."""
    if not text:
        return default
    if text.lower() not in choices:
        raise problem(400, f"bad-{name.lower()}", f"`{name}` is one of {', '.join(choices)}.")
    return text.lower()


def read_switch(name: str, text: Text, *, default: bool = False) -> bool:
    """True or false."""
    return read_choice(name, text, ("true", "false"), "true" if default else "false") == "true"


def read_number(name: str, text: Text, default: int, most: int, least: int = 1) -> int:
    """A whole number from `least`; more than `most` is `most`."""
    if not text:
        return default
    if not (text.isascii() and text.isdigit()) or len(text) > 9 or int(text) < least:
        raise problem(400, f"bad-{name.lower()}", f"`{name}` is a whole number from {least} to {most}.")
    return min(int(text), most)


def read_moment(name: str, text: Text) -> datetime | None:
    """A time as RFC 3339 has it, or a date (its beginning); UTC unless it says otherwise."""
    if not text:
        return None
    spelled = text.strip().replace(" ", "+").replace("Z", "+00:00").replace("z", "+00:00")
    try:
        if len(spelled) == len("2026-03-02"):
            return datetime.combine(datetime.strptime(spelled, "%Y-%m-%d").date(), time(), timezone.utc)
        at = datetime.fromisoformat(spelled)
        return (at if at.tzinfo else at.replace(tzinfo=timezone.utc)).astimezone(timezone.utc)
    except (ValueError, OverflowError):
        detail = f"`{name}` is a time like 2026-03-02T12:00:00Z, or a date like 2026-03-02."
        raise problem(400, f"bad-{name.lower()}", detail) from None


def read_node(request: Request) -> NodeReadings:
    """The node that `nodeId`, or `namespace`, `name`, `field` and `type`, ask for."""
    try:
        return read_target(request)
    except Refusal:
        detail = (
            "Ask for `namespace` and `name` (of a column `field`, of a job `type=job`), or for a `nodeId` as v1 has."
        )
        raise problem(400, "no-target", detail) from None


def read_named(request: Request, prefix: str) -> NodeReadings:
    """The dataset or column that `{prefix}Namespace`, `{prefix}Name` and `{prefix}Field` ask for."""
    asked = request.query_params
    namespace, name, field = (asked.get(f"{prefix}{part}") for part in ("Namespace", "Name", "Field"))
    if not namespace or not name:
        raise problem(400, "no-target", f"Ask for `{prefix}Namespace` and `{prefix}Name`, of a column `{prefix}Field`.")
    if field:
        return NodeReadings("datasetField", (Reading((namespace, name, field)),))
    return NodeReadings("dataset", (Reading((namespace, name)),))


async def find_node(connection: Connection, asked: NodeReadings, at: datetime | None = None) -> Node:
    """What there is under one of the readings, by what it is called now, or was `at` a time; 404 if nothing is."""
    find = find_column_target if asked.kind == "datasetField" else find_table_target
    try:
        target = await find(connection, asked, at)
    except Refusal:
        said = " / ".join(asked.readings[0].parts)
        raise problem(404, "no-such-node", f"Nothing is known of the {_NOUNS[asked.kind]} '{said}'.") from None
    if target.kind == "job":
        job = (await fetch_names(connection, [target.id]))[target.id]
        return Node("job", target.id, job.namespace, job.sent)
    return Node("dataset", target.id, *target.called, target.field)


def guess_dataset(asked: NodeReadings) -> UUID | None:
    """The dataset that is meant if nothing has another name; None for what else is asked for."""
    return dataset_id(*asked.readings[0].parts) if asked.kind == "dataset" else None


_NOUNS = {"datasetField": "column", "dataset": "dataset", "job": "job"}
