"""Stores of a given size, filled by SQL."""

from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from lineal_receiver.postgres.migrate import migrate, read_migrations
from lineal_receiver.postgres.pool import connect
from lineal_receiver.resources import find_data

EDGES_A_MODEL = 21.6  # 24, in nine of ten layers
STORE = Path(__file__).with_name("store.sql").read_text()


async def make_database(server: str, name: str) -> str:
    """The address of a new, migrated database."""
    connection = await connect(server)
    await connection.execute(f'drop database if exists "{name}" with (force)')
    await connection.execute(f'create database "{name}"')
    await connection.close()
    dsn = urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
    connection = await connect(dsn)
    await migrate(connection, read_migrations(find_data("migrations")))
    await connection.close()
    return dsn


async def fill(dsn: str, *, models: int, runs: int, layer: int = 20, columns: bool = True, dense: bool = False) -> None:
    """Write models with so many runs each, as ingest would leave them, and gather statistics."""
    connection = await asyncpg.connect(dsn)
    await connection.execute("set synchronous_commit = off; set work_mem = '128MB'; set maintenance_work_mem = '512MB'")
    text = STORE
    for key, value in {"models": models, "runs": runs, "layer": layer, "columns": columns, "dense": dense}.items():
        text = text.replace(f":{key}", str(value))
    await connection.execute(text)
    await connection.execute("vacuum analyze")
    await connection.close()


async def fill_hub(dsn: str, readers: int) -> None:
    """One column that so many columns are made from."""
    connection = await asyncpg.connect(dsn)
    await connection.execute(
        f"""
        insert into edge_active (
            target_dataset, job_id, target_field, source_dataset, source_field, type, subtype, masking
        )
        select m.dataset_id, s.job_id, 'hub_' || n / 1000, h.id, 'hub', 'DIRECT', 'IDENTITY', false
        from generate_series(0, {readers - 1}) as n
        join lateral (
            select d.dataset_id from dataset_state as d order by d.dataset_id offset n % 1000 limit 1
        ) as m on true
        join slot as s on s.dataset_id = m.dataset_id
        cross join (select id from dataset where name = 'db.t0') as h
        """
    )
    await connection.execute("analyze edge_active")
    await connection.close()


async def fill_diamonds(dsn: str, width: int, depth: int) -> None:
    """Layers of `width` columns, each made from all of the layer before: paths without number."""
    connection = await asyncpg.connect(dsn)
    await connection.execute(
        f"""
        insert into edge_active (
            target_dataset, job_id, target_field, source_dataset, source_field, type, subtype, masking
        )
        select t.id, j.id, 'd' || (l * {width} + a), t.id, 'd' || ((l - 1) * {width} + b), 'DIRECT', 'IDENTITY', false
        from generate_series(1, {depth}) as l
        cross join generate_series(0, {width - 1}) as a
        cross join generate_series(0, {width - 1}) as b
        cross join (select id from dataset where name = 'db.t1') as t
        cross join (select id from job where name = 'm1') as j
        """
    )
    await connection.execute("analyze edge_active")
    await connection.close()
