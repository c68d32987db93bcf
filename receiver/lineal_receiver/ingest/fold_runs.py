"""What an event says of its job and run, and of those above: pure."""

from typing import Any
from uuid import UUID

from lineal_receiver.ids import (
    NONE,
    job_id,
    run_uuid,
)
from lineal_receiver.ingest.asserting import ENDS, Assertions
from lineal_receiver.ingest.event import AT_ONCE
from lineal_receiver.ingest.facts import (
    RunFacts,
)
from lineal_receiver.ingest.joins import earliest, latest, newest
from lineal_receiver.ingest.times import parse_time


class RunAssertions(Assertions):
    """What an event says of its job and run."""

    def _fold_job(self) -> None:
        job = self._name_job(self.event.content["job"])
        job.created_at = earliest(job.created_at, self.event.time)
        if not self.ahead:
            job.seen_at = latest(job.seen_at, self.event.time)
        elif self.static:
            job.ahead_at = latest(job.ahead_at, self.event.time)
        streaming = self._says_streaming()
        if streaming is not None:
            job.streaming = newest(job.streaming, (self.wide_key, streaming))
            if self.ahead and self.static:
                job.ahead_streaming = newest(job.ahead_streaming, (self.key, streaming))
        for name, facet in self.event.facets.get("/job/facets", {}).items():
            if self.run != NONE:
                self._register(self.job, self.run, "j", name, facet)
            self._register_newest(self.job, "j", name, facet)

    def _fold_run(self) -> None:
        event, time = self.event, self.event.time
        run = self.changes.runs.setdefault((self.job, self.run), RunFacts())
        run.external_id = run.external_id or run_uuid(event.content["run"]["runId"])[1]
        run.first_at, run.last_at = earliest(run.first_at, time), latest(run.last_at, time)
        run.typed = run.typed or event.event_type is not None
        run.ahead = run.ahead or self.ahead
        run.seen_at = run.seen_at if self.ahead else latest(run.seen_at, time)
        if event.event_type == "START":
            run.start_at = earliest(run.start_at, time)
        elif event.event_type == "RUNNING":
            run.running_at = earliest(run.running_at, time)
        elif event.event_type in ENDS:
            run.ends_seen |= 1 << ENDS[event.event_type]
        for name, facet in event.facets.get("/run/facets", {}).items():
            self._register(self.job, self.run, "r", name, facet)
        self._fold_run_registers(run)

    def _fold_run_registers(self, run: RunFacts) -> None:
        streaming = self._says_streaming()
        if self.event.flags & AT_ONCE:
            streaming = True
        if streaming is not None:
            run.streaming = newest(run.streaming, (self.key, streaming))
        place = self.event.facet("/job/facets", "sourceCodeLocation")
        if place is not None:
            run.location = newest(run.location, (self.key, str(place["url"])))
        nominal = self.event.facet("/run/facets", "nominalTime")
        if nominal is not None:
            start, end = parse_time(nominal.get("nominalStartTime")), parse_time(nominal.get("nominalEndTime"))
            if start is not None or end is not None:
                times = (start.instant if start else None, end.instant if end else None)
                run.nominal = newest(run.nominal, (self.key, *times))
        parent = self.event.facet("/run/facets", "parent") or self.event.facet("/run/facets", "parentRun")
        if parent is not None:
            self._fold_parent(run, parent)

    def _fold_parent(self, run: RunFacts, parent: dict[str, Any]) -> None:
        named, above = parent["job"], ""
        if job_id(named["namespace"], named["name"]) == self.job:
            if run_uuid(parent["run"]["runId"])[0] == self.run:
                return
            above = named["name"].rpartition(".")[0]  # a task of old Airflow names itself there, with its DAG's run
        parent_job, parent_run = self._mention_run({**parent, "job": {**named, "name": above or named["name"]}})
        root = self._mention_run(parent["root"]) if parent.get("root") else (None, None)
        run.parent = newest(run.parent, (self.key, parent_job, parent_run, *root))
        if parent_job != self.job:
            job = self.changes.jobs[self.job]
            job.parent = newest(job.parent, (self.wide_key, parent_job))

    def _mention_run(self, named: dict[str, Any]) -> tuple[UUID, UUID]:
        job = self._name_job(named["job"])
        job.mentioned_at = earliest(job.mentioned_at, self.event.time)
        run, external = run_uuid(named["run"]["runId"])
        identity = job_id(named["job"]["namespace"], named["job"]["name"])
        facts = self.changes.runs.setdefault((identity, run), RunFacts())
        facts.external_id = facts.external_id or external
        facts.mentioned_at = earliest(facts.mentioned_at, self.event.time)
        return identity, run
