"""What operators say of the log itself: the archive horizon, and what was taken out of records."""

from lineal_receiver.ingest.command_facts import Horizon, Redaction
from lineal_receiver.ingest.commands.record import Action, Command
from lineal_receiver.ingest.facts import Changes
from lineal_receiver.ingest.times import parse_time


def _set_horizon(command: Command, changes: Changes) -> None:
    """arguments: at (null: there is none any more), by, why.

    Which events are late was decided when each was first accepted: here nothing but the register is said.
    """
    said = command.arguments
    at = parse_time(said.get("at"))
    changes.commands.set_horizon(
        Horizon(command.key, at.instant if at else None, command.time, said["by"], said["why"])
    )


def _redact(command: Command, changes: Changes) -> None:
    """arguments: what (text, pointers), by, why, records, rejected; of pointers: record (hex), pointers.

    The records say already what they say since: nothing is left to be done but to remember that it was done.
    """
    said = command.arguments
    record = said.get("record")
    changes.commands.redactions[command.id] = Redaction(
        command.time, said["what"], said["by"], said["why"], bytes.fromhex(record) if record else None,
        tuple(said.get("pointers") or ()), said["records"], said["rejected"],
    )  # fmt: skip


ACTIONS = {"set_horizon": Action(asserts=_set_horizon), "redact": Action(asserts=_redact)}
