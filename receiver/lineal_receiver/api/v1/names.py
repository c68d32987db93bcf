"""What jobs are called in v1: a child by its parent's name, a dot and its own, as Marquez calls it."""

from dataclasses import dataclass
from uuid import UUID

from lineal_receiver.api.v1.identities import open_identities
from lineal_receiver.ids import job_id
from lineal_receiver.store.read_hidden import fetch_hidden
from lineal_receiver.store.read_jobs import JobNameRow, fetch_families
from lineal_receiver.store.read_snapshot import Connection

MOST_DOTS = 32


@dataclass(frozen=True, slots=True)
class JobName:
    """A job's name in v1, with its parent's; `sent` is the name in its events."""

    namespace: str
    name: str
    simple: str
    sent: str
    parent: UUID | None
    parent_name: str | None


def build_name(job: UUID, family: dict[UUID, JobNameRow]) -> JobName:
    """A job's v1 name out of its own and its ancestors' names; a cycle of parents ends where it closes."""
    chain: list[UUID] = []
    at: UUID | None = job
    while at is not None and at in family and at not in chain:
        chain.append(at)
        at = family[at].parent
    own = family[job]
    named = JobName(own.namespace, own.name, own.name, own.name, None, None)
    above: JobName | None = None
    for member in reversed(chain):
        row = family[member]
        named = JobName(row.namespace, row.name, row.name, row.name, None, None)
        if above is not None and row.parent is not None:
            simple = _without_prefix(row.name, above)
            named = JobName(row.namespace, f"{above.name}.{simple}", simple, row.name, row.parent, above.name)
        above = named
    return named


def _without_prefix(name: str, parent: JobName) -> str:
    """A child's name without its parent's, where it starts with that."""
    for prefix in (parent.name, parent.sent):
        if name.startswith(f"{prefix}.") and len(name) > len(prefix) + 1:
            return name[len(prefix) + 1 :]
    return name


async def fetch_names(connection: Connection, jobs: list[UUID]) -> dict[UUID, JobName]:
    """The v1 names of those of `jobs` that exist."""
    family = await fetch_families(connection, jobs)
    return {job: build_name(job, family) for job in dict.fromkeys(jobs) if job in family}


async def find_job(connection: Connection, namespace: str, name: str, *, deleted: bool = False) -> UUID | None:
    """The job that was sent under this name, else the one that v1 calls so; one that is deleted if that may be."""
    dots = [at for at, letter in enumerate(name) if letter == "."][-MOST_DOTS:]
    exact = job_id(namespace, name)
    endings = [job_id(namespace, name[dot + 1 :]) for dot in dots]
    names = await fetch_names(connection, [exact, *endings])
    if exact in names:
        found: UUID | None = exact
    else:
        found = next((job for job in endings if job in names and names[job].name == name), None)
    if found is None:
        return None
    root = (await (await open_identities(connection)).find_roots([found]))[found]
    return None if not deleted and root in await fetch_hidden(connection, [root]) else root
