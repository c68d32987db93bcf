"""Sends events to Kafka through the client's producer, and waits until the broker has said that it has each."""

from __future__ import annotations

from typing import Any, Final

import orjson

from lineal_producer.border import attempt, sentence
from lineal_producer.transport import SENT, Event, Outcome, door_key

_SECONDS: Final = 10.0  # for a broker to answer; then the event is taken back and waits with the others
_PARTING: Final = 1.0


class KafkaDoor:
    """The client's own `emit` only logs what a broker refuses: an event that never arrived would count as sent."""

    def __init__(self, transport: Any, seconds: float = _SECONDS) -> None:
        self._transport = transport
        self._seconds = seconds
        self.name = f"{transport.kind} topic {transport.topic}"
        self.key = door_key(str(transport.kind), str(transport.name or transport.topic))

    def send(self, event: Event) -> Outcome:
        """Send one event and wait for the broker."""
        told: list[Any] = []
        left, error = attempt(lambda: self._produce(event, told))
        if error is not None:
            return Outcome("later", f"{self.name}: {sentence(error)}", wide=True)
        if left:
            return Outcome("later", f"{self.name}: no broker answers", wide=True)
        failed = next((one for one in told if one is not None), None)
        return SENT if failed is None else Outcome("later", f"{self.name}: {failed}", wide=True)

    def _produce(self, event: Event, told: list[Any]) -> int:
        """How many events are not delivered yet; `told` gets the broker's answer, None for a good one."""
        if self._transport.producer is None:  # as the client does where it makes one for each event
            self._transport._setup_producer(self._transport.kafka_config.config)  # noqa: SLF001
        producer = self._transport.producer
        content = {"key": self._transport.message_key or message_key(event), "value": orjson.dumps(event)}
        producer.produce(topic=self._transport.topic, on_delivery=lambda error, _: told.append(error), **content)
        left = int(producer.flush(self._seconds))
        if left:
            producer.purge()
            producer.flush(_PARTING)
        return left

    def close(self, seconds: float) -> None:
        """Let the producer go."""
        attempt(lambda: self._transport.close(seconds))


def message_key(event: Event) -> str:
    """The client's key, which keeps in order what belongs together: the root's, else the parent's, else the own job."""
    if "dataset" in event:
        return f"dataset:{event['dataset']['namespace']}/{event['dataset']['name']}"
    if "run" not in event:
        return f"job:{event['job']['namespace']}/{event['job']['name']}"
    parent = event["run"].get("facets", {}).get("parent") or {}
    job = (parent.get("root") or parent).get("job") or event["job"]
    return f"run:{job['namespace']}/{job['name']}"
