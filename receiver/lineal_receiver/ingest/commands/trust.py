"""Times from the future that were found to be right: of a run, or of what static events said of a dataset or job."""

from lineal_receiver.ids import NONE, dataset_id, job_id, run_uuid
from lineal_receiver.ingest.commands.record import Action, Command
from lineal_receiver.ingest.facts import Changes


def _trust(command: Command, changes: Changes) -> None:
    """arguments: dataset; or job, without runId what its JobEvents said."""
    said = command.arguments
    if said.get("dataset") is not None:
        dataset = said["dataset"]
        changes.commands.trusted.add((dataset_id(dataset["namespace"], dataset["name"]), NONE, NONE))
    else:
        job = said["job"]
        run = NONE if said.get("runId") is None else run_uuid(said["runId"])[0]
        changes.commands.trusted.add((NONE, job_id(job["namespace"], job["name"]), run))


ACTIONS = {"trust": Action(asserts=_trust)}
