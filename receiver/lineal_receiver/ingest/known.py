"""What is known to be kept already, so that it isn't sent again: only ever told after a commit."""

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from uuid import UUID

from lineal_receiver.ingest.builds import BuildMemo
from lineal_receiver.ingest.facts import Changes

MAX_ENTRIES = 200_000


@dataclass(slots=True)
class Known:
    """Names, schemas, facets, builds, jobs that write and what jobs name, as committed; forgets all at too many.

    Whoever deletes such rows must see to it that no server remembers them.
    """

    namespaces: dict[UUID, datetime] = field(default_factory=dict)
    jobs: set[UUID] = field(default_factory=set)
    datasets: dict[UUID, datetime] = field(default_factory=dict)
    schemas: set[bytes] = field(default_factory=set)
    bodies: dict[bytes, date] = field(default_factory=dict)
    builds: set[bytes] = field(default_factory=set)
    facet_sets: set[bytes] = field(default_factory=set)
    writers: set[UUID] = field(default_factory=set)
    mentioned: set[UUID] = field(default_factory=set)
    job_datasets: set[tuple[UUID, str, UUID]] = field(default_factory=set)
    memo: BuildMemo = field(default_factory=BuildMemo)
    redactions: int = 0

    def check(self, redactions: int) -> None:
        """So many redactions there have been: after another one, nothing is known, as it deletes what nobody says."""
        if redactions != self.redactions:
            self.redactions = redactions
            for kept in self._all():
                kept.clear()
            self.memo = BuildMemo()

    def _all(self) -> list[dict[Any, Any] | set[Any]]:
        every: list[dict[Any, Any] | set[Any]] = [self.namespaces, self.datasets, self.bodies]
        return [
            *every,
            self.jobs,
            self.schemas,
            self.builds,
            self.facet_sets,
            self.writers,
            self.mentioned,
            self.job_datasets,
        ]

    def learn(self, changes: Changes, redactions: int) -> None:
        """These changes are committed; when they were written there had been so many redactions."""
        if redactions != self.redactions:
            return  # another writer saw one more meanwhile, which may have deleted some of it
        for identity, (_, at) in changes.namespaces.items():
            self.namespaces[identity] = min(at, self.namespaces.get(identity, at))
        for identity, (_, _, at) in changes.dataset_names.items():
            self.datasets[identity] = min(at, self.datasets.get(identity, at))
        for body, (_, day) in changes.bodies.items():
            self.bodies[body] = max(day, self.bodies.get(body, day))
        self.jobs.update(changes.job_names)
        self.mentioned.update(changes.alias_names, changes.alias_namespaces)
        self.schemas.update(changes.schemas)
        self.builds.update(changes.builds)
        self.facet_sets.update(facets.id for ends in changes.end_facets.values() for facets in ends.values())
        self.writers.update(job for (_, job, _, side), io in changes.io.items() if side == "o" and not io.ahead)
        self.job_datasets.update((job, side, dataset) for dataset, job, _, side in changes.io)
        for kept in self._all():
            if len(kept) > MAX_ENTRIES:
                kept.clear()
