"""Kafka by the client's own producer, on the broker that librdkafka plays itself: only what it has counts as sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from confluent_kafka import Consumer
from openlineage.client.transport.kafka import KafkaConfig, KafkaTransport

from lineal_producer.kafka_door import KafkaDoor, message_key
from lineal_producer.transport import doors_of

from ...acceptance.plugin_receiver import silent_address
from .test_transport import EVENT

PARENT = {"run": {"runId": "r"}, "job": {"namespace": "dbt", "name": "dbt-run-shop"}}
ROOT = {**PARENT, "root": {"run": {"runId": "q"}, "job": {"namespace": "airflow", "name": "nightly"}}}


def _transport(**config: Any) -> KafkaTransport:
    return KafkaTransport(KafkaConfig(config=config, topic="lineage", messageKey=None, flush=True))


def _with_parent(parent: dict[str, Any]) -> dict[str, Any]:
    return {**EVENT, "run": {**EVENT["run"], "facets": {"parent": parent}}}


@pytest.fixture
def broker() -> Iterator[KafkaTransport]:
    transport = _transport(**{"test.mock.num.brokers": 1})
    yield transport
    transport.close(10)


def test_an_event_is_sent_when_the_broker_says_so(broker: KafkaTransport) -> None:
    (door,) = doors_of(broker)
    assert isinstance(door, KafkaDoor)
    assert door.send(_with_parent(ROOT)).verdict == "sent"
    assert broker.producer is not None
    brokers = [f"{each.host}:{each.port}" for each in broker.producer.list_topics(timeout=60).brokers.values()]
    consumer = Consumer({"bootstrap.servers": brokers[0], "group.id": "test", "auto.offset.reset": "earliest"})
    try:
        consumer.subscribe(["lineage"])
        message = consumer.poll(60)
        assert message is not None
        assert message.error() is None
        assert json.loads(message.value()) == _with_parent(ROOT)
        assert message.key() == b"run:airflow/nightly"
    finally:
        consumer.close()


def test_what_no_broker_takes_waits() -> None:
    with silent_address() as address:
        servers = address.url.removeprefix("http://")
        transport = _transport(**{"bootstrap.servers": servers, "message.timeout.ms": 200})
        refused = KafkaDoor(transport, 60).send(EVENT)
        assert (refused.verdict, refused.wide) == ("later", True)
        assert "Message timed out" in refused.detail
        patient = _transport(**{"bootstrap.servers": servers})
        late = KafkaDoor(patient, 0.1).send(EVENT)
        assert (late.verdict, late.detail) == ("later", "kafka topic lineage: no broker answers")
        assert patient.producer is not None
        assert len(patient.producer) == 0, "what waits with us doesn't wait in the producer, too"


def test_what_belongs_together_keeps_its_order() -> None:
    assert message_key(EVENT) == f"run:dbt/{EVENT['job']['name']}"
    assert message_key(_with_parent(PARENT)) == "run:dbt/dbt-run-shop"
    assert message_key(_with_parent(ROOT)) == "run:airflow/nightly"
    static = {name: value for name, value in EVENT.items() if name != "run"}
    assert message_key(static) == f"job:dbt/{EVENT['job']['name']}"
    assert message_key({"dataset": {"namespace": "n", "name": "t"}}) == "dataset:n/t"
