"""The store of each adapter that is not DuckDB, by the OpenLineage naming specification where it has a rule."""

import re
from collections.abc import Callable
from pathlib import Path

from lineal_producer.naming.credentials import Credentials
from lineal_producer.naming.store import Shape, Store

# adapter -> (scheme, default port, shape): a host and a port are all that the name needs.
_PLAIN: dict[str, tuple[str, int | None, Shape]] = {
    "crate": ("crate", 5432, "database.schema.table"),
    "cratedb": ("crate", 5432, "database.schema.table"),
    "db2": ("db2", 6789, "database.schema.table"),
    "ibmdb2": ("db2", 50000, "database.schema.table"),
    "oceanbase": ("oceanbase", 2881, "schema.table"),
    "postgres": ("postgres", 5432, "database.schema.table"),
    "presto": ("presto", 8080, "database.schema.table"),
    "teradata": ("teradata", 1025, "schema.table"),
    "trino": ("trino", 443, "database.schema.table"),
}
_REDSHIFT_HOST = re.compile(r"([^.]+)\.[^.]+\.([^.]+)\.redshift(-serverless)?\.amazonaws\.com", re.IGNORECASE)
_ORACLE_EASY = re.compile(r"(?:tcps?://)?([^:/()]+)(?::(\d+))?/([^/?:]+)", re.IGNORECASE)
_ORACLE_FIELD = r"\(\s*%s\s*=\s*([^()\s]+)\s*\)"
_SNOWFLAKE_SUFFIX = ".snowflakecomputing.com"


def store_of(credentials: Credentials) -> Store | None:
    """The store of the connection, None for an adapter without a rule or without the fields that its rule needs."""
    adapter = credentials.adapter
    if adapter in _PLAIN:
        scheme, port, shape = _PLAIN[adapter]
        if credentials.host is None:
            return None
        return Store(f"{scheme}://{credentials.host}:{credentials.port(port)}", shape)
    rule = _RULES.get(adapter)
    return None if rule is None else rule(credentials)


def snowflake_account(account: str) -> str:
    """The account as all OpenLineage integrations write it, region and cloud appended to a bare locator.

    A bare locator lives in AWS us-west-2, but every integration writes us-west-1: that wrong name is what joins.
    Underscores are hyphens, as in every host name of Snowflake's: dbt's own object has no others left.
    """
    account = account.partition("://")[2] if "://" in account else account
    account = account.partition("/")[0].partition(":")[0].removesuffix(_SNOWFLAKE_SUFFIX).replace("_", "-")
    parts = account.split(".")
    if "-" in parts[0]:
        return parts[0]
    if len(parts) == 1:
        return f"{account}.us-west-1.aws"
    return f"{account}.aws" if len(parts) == 2 else account


def _snowflake(credentials: Credentials) -> Store | None:
    account = credentials.text("account")
    if account is None:
        return None
    return Store(f"snowflake://{snowflake_account(account)}", quote=True)


def _redshift(credentials: Credentials) -> Store | None:
    host = credentials.host or ""
    port = credentials.port(5439)
    found = _REDSHIFT_HOST.fullmatch(host)
    serverless = credentials.text("serverless_work_group") if credentials.get("is_serverless") else None
    cluster = serverless or credentials.text("cluster_id") or (found.group(1) if found else None)
    region = credentials.text("region") or (found.group(2) if found else None)
    elsewhere = f"redshift://{host}:{port}" if host else None
    if cluster and region:
        return Store(f"redshift://{cluster}.{region}:{port}", elsewhere=elsewhere)
    return Store(f"redshift://{host}:{port}") if host else None


def _bigquery(_credentials: Credentials) -> Store:
    return Store("bigquery")


def _clickhouse(credentials: Credentials) -> Store:
    """The port that dbt-clickhouse takes: by its driver, and by whether the connection is encrypted."""
    driver = credentials.text("driver") or ("native" if credentials.port() in {"9000", "9440"} else "http")
    encrypted, plain = (9440, 9000) if driver == "native" else (8443, 8123)
    port = credentials.port(encrypted if credentials.get("secure") in {True, "true", "True"} else plain)
    return Store(f"clickhouse://{credentials.host or 'localhost'}:{port}", "schema.table")


def _mysql(credentials: Credentials) -> Store | None:
    host = credentials.host or ("localhost" if credentials.text("unix_socket") else None)
    return None if host is None else Store(f"mysql://{host}:{credentials.port(3306)}", "schema.table")


def _databricks(credentials: Credentials) -> Store | None:
    host = credentials.host
    if host is None:
        return None
    return Store(f"unitycatalog://{host}", elsewhere=f"databricks://{host}")


def _spark(credentials: Credentials) -> Store:
    if credentials.text("method") == "session":
        return Store(f"spark://{credentials.host or 'localhost'}", "schema.table")
    return Store(f"spark://{credentials.host or 'localhost'}:{credentials.port(443)}", "schema.table")


def _fabricspark(credentials: Credentials) -> Store | None:
    """All workspaces share one endpoint, so the workspace is the place, as is a local Livy server or a session."""
    workspace = credentials.text("workspaceid")
    if credentials.text("method") == "session":
        workspace = workspace or "localhost"
    elif credentials.text("livy_mode") == "local":
        workspace = (credentials.text("livy_url") or "http://localhost:8998").partition("://")[2].rstrip("/")
    return None if not workspace else Store(f"fabricspark://{workspace.rpartition('@')[2].lower()}")


def _glue(credentials: Credentials) -> Store | None:
    role = (credentials.text("role_arn") or "").split(":")
    account = credentials.text("account_id") or (role[4] if len(role) > 4 else None)
    region = credentials.text("region")
    if not account or not region:
        return None
    return Store(f"arn:aws:glue:{region}:{account}", "glue")


def _athena(credentials: Credentials) -> Store | None:
    region = credentials.text("region_name")
    return None if region is None else Store(f"awsathena://athena.{region}.amazonaws.com")


def _sqlserver(credentials: Credentials) -> Store | None:
    server = credentials.text("host")
    if server is None:
        return None
    server = server.removeprefix("tcp:")
    host, _, port = server.partition(",")
    machine, _, instance = host.partition("\\")
    if instance and not port:  # with a port nobody asks for the instance by its name
        return Store(f"mssql://{machine.strip()}/{instance.strip()}")
    return Store(f"mssql://{machine.strip()}:{port.strip() or credentials.port(1433)}")


def _synapse(credentials: Credentials) -> Store | None:
    host = credentials.host
    return None if host is None else Store(f"sqlserver://{host}:{credentials.port(1433)}")


def _fabric(credentials: Credentials) -> Store | None:
    host = credentials.host or credentials.text("workspace_name") or credentials.text("workspace_id")
    if host is None:
        return None
    port = credentials.text("port")
    return Store(f"fabric-warehouse://{host.partition(',')[0]}" + (f":{port}" if port else ""))


def _oracle(credentials: Credentials) -> Store | None:
    host, port = credentials.host, credentials.port(1521)
    service = credentials.text("service") or credentials.text("database")
    told = credentials.text("connection_string") or ""
    easy = _ORACLE_EASY.search(told)
    if host is None and told.startswith("("):
        host, port = _oracle_field(told, "host"), _oracle_field(told, "port") or "1521"
        service = _oracle_field(told, "service_name") or _oracle_field(told, "sid") or service
    elif host is None and easy:
        host, port, service = easy.group(1), easy.group(2) or "1521", easy.group(3)
    if host is None:
        tns = credentials.text("tns_name")
        return None if tns is None else Store(f"oracle://{tns}", database=service)
    return Store(f"oracle://{host}:{port}", database=service)


def _oracle_field(descriptor: str, name: str) -> str | None:
    """A field of `(DESCRIPTION=(ADDRESS=(HOST=db)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=orcl)))`: the first one's."""
    found = re.search(_ORACLE_FIELD % name, descriptor, re.IGNORECASE)
    return found.group(1) if found else None


def _dremio(credentials: Credentials) -> Store | None:
    host = credentials.text("software_host") or credentials.text("cloud_host")
    if host is None:
        return None
    # dbt's object has a port for the cloud, too, which nothing asks for
    port = credentials.port(9047) if credentials.text("software_host") else "443"
    return Store(f"dremio://{host}:{port}")


def _spanner(credentials: Credentials) -> Store | None:
    project, instance = credentials.text("database"), credentials.text("instance")
    return None if not project or not instance else Store(f"spanner://{project}:{instance}")


def _sqlite(credentials: Credentials) -> Store | None:
    paths = credentials.get("schemas_and_paths")
    if not isinstance(paths, dict) or not paths:
        return None
    return _sqlite_file(paths.get(credentials.text("schema") or "main") or next(iter(paths.values())))


def sqlite_stores(credentials: Credentials) -> tuple[dict[str, Store], str | None]:
    """The store of each schema of SQLite by its lower-case name, and a namespace template for other schemas."""
    paths, folder = credentials.get("schemas_and_paths"), credentials.text("schema_directory")
    stores = {str(name).casefold(): _sqlite_file(path) for name, path in dict(paths or {}).items()}
    template = None if folder is None else _sqlite_file(Path(folder) / "SCHEMA.db").namespace
    return stores, template and template.removesuffix("SCHEMA.db") + "{database}.db"


def _sqlite_file(path: object) -> Store:
    return Store(f"sqlite://{Path(str(path)).resolve()}", "table")


_RULES: dict[str, Callable[[Credentials], Store | None]] = {
    "athena": _athena,
    "bigquery": _bigquery,
    "clickhouse": _clickhouse,
    "databricks": _databricks,
    "dremio": _dremio,
    "fabric": _fabric,
    "fabricspark": _fabricspark,
    "glue": _glue,
    "mariadb": _mysql,
    "mysql": _mysql,
    "mysql5": _mysql,
    "oracle": _oracle,
    "redshift": _redshift,
    "snowflake": _snowflake,
    "spanner": _spanner,
    "spark": _spark,
    "sqlite": _sqlite,
    "sqlserver": _sqlserver,
    "synapse": _synapse,
}
