"""What each subcommand does; what it needs is imported when it runs, so that `--help` works without the extra."""

import argparse
import sys
from importlib.metadata import version
from typing import Any

from lineal_receiver.errors import BinariesMissing, SettingInvalid
from lineal_receiver.settings import Settings, read_settings
from lineal_receiver.stopping import run


def run_serve(options: argparse.Namespace) -> int:
    """Run the server until it is asked to stop."""
    from lineal_receiver.serve import serve

    settings = read_settings(
        database_url=options.database_url,
        data_dir=options.data_dir,
        host=options.host,
        port=options.port,
        insecure_listen=options.insecure_listen,
        strict=options.strict,
        log_level=options.log_level,
    )
    return serve(settings, temporary_if_blocked=options.temporary_if_blocked)


def run_ingest(options: argparse.Namespace) -> int:
    """Take events from files; 1 if any was rejected."""
    if options.url is not None:
        from lineal_receiver.cli.sending import send_files

        if options.strict:
            raise SettingInvalid(
                name="--strict",
                value="on",
                expected="left out with --url: that receiver decides (lineal serve --strict)",
            )
        return 1 if send_files(options.url, options.files, sys.stdout, sys.stderr).rejected else 0
    from lineal_receiver.ingest.files import check_paths
    from lineal_receiver.logs import set_up_logging
    from lineal_receiver.postgres.database import join_database

    settings = _database_settings(options, strict=options.strict)
    set_up_logging(settings, quiet=True)
    check_paths(options.files)
    with join_database(settings.database_url, settings.data_dir) as address:
        return run(_ingest(settings, address, options.files))


async def _ingest(settings: Settings, address: str, paths: list[str]) -> int:
    from lineal_receiver.ingest.files import ingest_files
    from lineal_receiver.postgres.database import prepare_database
    from lineal_receiver.postgres.pool import open_pool

    await prepare_database(address)
    async with open_pool(address, size=settings.pool_size, statement_seconds=settings.statement_seconds) as pool:
        summary = await ingest_files(pool, paths, out=sys.stdout, err=sys.stderr, settings=settings)
    return 1 if summary.rejected else 0


def run_migrate(options: argparse.Namespace) -> int:
    """Apply missing migrations and say which."""
    from lineal_receiver.logs import set_up_logging
    from lineal_receiver.postgres.database import join_database, prepare_database

    settings = _database_settings(options)
    set_up_logging(settings, quiet=True)
    with join_database(settings.database_url, settings.data_dir) as address:
        applied = run(prepare_database(address))
    for name in applied:
        print(f"applied {name}")
    if not applied:
        print("the schema is up to date")
    return 0


def run_verify(options: argparse.Namespace) -> int:
    """Compare the store with what its log says; 1 if something differs."""
    from lineal_receiver.ingest.verify import verify
    from lineal_receiver.logs import set_up_logging
    from lineal_receiver.postgres.database import join_database
    from lineal_receiver.postgres.explain import explaining

    settings = _database_settings(options)
    set_up_logging(settings, quiet=True)
    with join_database(settings.database_url, settings.data_dir) as address, explaining(address):
        if options.mend and not _mend(address):
            return 1
        report = run(verify(address, out=sys.stdout, err=sys.stderr, most=options.limit, quick=options.quick))
    return 1 if report.findings else 0


def _mend(address: str) -> bool:
    """Make the store what its log says; false if some record can't be folded, and nothing was changed."""
    from lineal_receiver.ingest.mend import mend

    mended = run(mend(address))
    for found in mended.unfoldable:
        print(f"record {found.record.id.hex()} of {found.record.day}: {found.reason}")
    if mended.unfoldable:
        print(f"nothing was changed: {len(mended.unfoldable)} of {mended.records} records can't be folded")
        return False
    for table, (gone, come) in sorted(mended.rows.items()):
        print(f"{table}: {gone} rows gone, {come} come")
    return True


def run_upgrade(options: argparse.Namespace) -> int:
    """Move a data directory's cluster to the PostgreSQL major that we run."""
    from lineal_receiver.logs import set_up_logging
    from lineal_receiver.postgres.upgrade import upgrade_directory

    settings = read_settings(data_dir=options.data_dir)
    set_up_logging(settings, quiet=True)
    kept = upgrade_directory(settings.data_dir, options.old_bin, print)
    print(f"done; the old cluster is kept in {kept}: remove it when you have seen that all is there")
    return 0


def run_demo(options: argparse.Namespace) -> int:
    """Show the whole path on the example."""
    from lineal_receiver.demo import main as run

    return int(run(options))


def run_version(_options: argparse.Namespace) -> int:
    """Print versions."""
    from lineal_receiver.postgres.binaries import find_binaries

    print(f"lineal {version('lineal')}")
    try:
        print(f"PostgreSQL {find_binaries().version} (embedded)")
    except BinariesMissing:
        print("PostgreSQL: none embedded")
    return 0


def _database_settings(options: argparse.Namespace, **flags: Any) -> Settings:
    return read_settings(database_url=options.database_url, data_dir=options.data_dir, **flags)
