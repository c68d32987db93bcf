"""Write what only commands say, inside the transaction of their records."""

import orjson

from lineal_receiver.ingest.command_facts import CommandFacts
from lineal_receiver.store import write_commands, write_keeping
from lineal_receiver.store.connection import Connection


async def write_command_facts(connection: Connection, facts: CommandFacts) -> None:
    """Join what is kept with these facts; where there are none, nothing is sent."""
    if facts.namespaces:
        namespaces = [
            (key, row.updated_at, *_told(row.owner), *_told(row.description)) for key, row in facts.namespaces.items()
        ]
        await write_commands.upsert_namespaces(connection, namespaces)
    if facts.sources:
        sources = [
            (key, row.name, row.type, row.url, row.description, row.key, row.created_at, row.updated_at)
            for key, row in facts.sources.items()
        ]
        await write_commands.upsert_sources(connection, sources)
    if facts.tags:
        tags = [(key, name, *_told(described)) for key, (name, described) in facts.tags.items()]
        await write_commands.upsert_tags(connection, tags)
    if facts.tagged:
        await write_commands.upsert_tagged(connection, [(*key, *times) for key, times in facts.tagged.items()])
    if facts.declarations:
        await write_commands.upsert_declarations(connection, [(key, *row) for key, row in facts.declarations.items()])
    if facts.versions:
        await write_commands.upsert_static_versions(connection, [(*key, *row) for key, row in facts.versions.items()])
    if facts.schema_locations:
        await write_commands.insert_schema_locations(connection, list(facts.schema_locations.items()))
    if facts.horizon is not None:
        said = facts.horizon
        await write_keeping.upsert_horizon(connection, said.key, said.at, said.set_at, said.made_by, said.why)
    if facts.redactions:
        rows = [
            (key, r.at, r.what, r.made_by, r.why, r.record, orjson.dumps(r.pointers).decode(), r.records, r.rejected)
            for key, r in sorted(facts.redactions.items())
        ]
        await write_keeping.insert_redactions(connection, rows)


def _told(register: tuple[bytes, str | None] | None) -> tuple[str | None, bytes | None]:
    return (None, None) if register is None else (register[1], register[0])
