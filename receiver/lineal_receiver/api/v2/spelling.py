"""Names that are likely two spellings of one: of hosts, ports, schemes, case, quotes, slashes. Pure: it suggests."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# What integrations call the same store by different schemes; a driver behind a plus (SQLAlchemy) and `jdbc:` go first.
SCHEMES = {
    "postgresql": "postgres",
    "pgsql": "postgres",
    "s3a": "s3",
    "s3n": "s3",
    "gcs": "gs",
    "sqlserver": "mssql",
    "databricks": "unitycatalog",
    "abfs": "abfss",
    "wasb": "wasbs",
    "mariadb": "mysql",
    "hive2": "hive",
    "thrift": "hive",
    "ibm_db_sa": "db2",
    "teradatasql": "teradata",
    "cockroach": "cockroachdb",
    "cratedb": "crate",
    "memsql": "singlestore",
    "exa": "exasol",
    "ch": "clickhouse",
    "clickhousedb": "clickhouse",
    "athena": "awsathena",
    "cosmos": "azurecosmos",
    "kusto": "azurekusto",
}
# The ports that a store listens on unless told: the one that integrations write first, then those of its other
# protocols. A name without a port, and one with any of these, are likely the same store.
PORTS = {
    "postgres": ("5432",),
    "crate": ("5432", "4200"),
    "cockroachdb": ("26257",),
    "greenplum": ("5432",),
    "materialize": ("6875",),
    "risingwave": ("4566",),
    "redshift": ("5439",),
    "mysql": ("3306",),
    "singlestore": ("3306",),
    "starrocks": ("9030",),
    "doris": ("9030",),
    "oceanbase": ("2881",),
    "mssql": ("1433",),
    "fabric-warehouse": ("1433",),
    "oracle": ("1521",),
    "hive": ("9083",),
    "hive2": ("10000",),
    "impala": ("21050",),
    "kafka": ("9092",),
    "clickhouse": ("8123", "9000", "8443", "9440"),
    "trino": ("443", "8080"),
    "presto": ("8080", "443"),
    "unitycatalog": ("443",),
    "cassandra": ("9042",),
    "teradata": ("1025",),
    "db2": ("6789", "50000"),
    "vertica": ("5433",),
    "exasol": ("8563",),
    "dremio": ("31010", "32010", "443"),
    "milvus": ("19530",),
    "mongodb": ("27017",),
    "hdfs": ("8020", "9000"),
    "http": ("80",),
    "https": ("443",),
}
LOOPBACK = {"localhost", "127.0.0.1", "[::1]"}

# OpenLineage calls a Redshift cluster by its name and region, its driver by the endpoint that holds both.
_REDSHIFT = re.compile(
    r"(?P<cluster>[^.]+)\.[^.]+\.(?P<region>[^.]+)\.redshift(?:-serverless)?\.amazonaws\.com(?:\.cn)?"
)
_SNOWFLAKE = ".snowflakecomputing.com"

_ADDRESS = re.compile(
    r"(?is)(?P<scheme>(?:jdbc:)?[a-z][a-z0-9+._-]*)://(?P<user>[^@/]*@)?(?P<host>\[[^\]]*\]|[^:/?#]*)(?::(?P<port>\d+))?(?P<rest>.*)"
)


@dataclass(frozen=True, slots=True)
class Spelling:
    """A namespace taken apart: as written, and as all its spellings come to."""

    written: str
    scheme: str
    host: str
    port: str
    rest: str

    @property
    def plain(self) -> tuple[str, str, str, str]:
        """What all spellings have in common."""
        called = self.scheme.lower().removeprefix("jdbc:").partition("+")[0]
        scheme = SCHEMES.get(called, called)
        host = _plain_host(scheme, _bare(self.host))
        usual = PORTS.get(called) or PORTS.get(scheme) or ("",)
        port = self.port if self.port and self.port not in usual else usual[0]
        return scheme, host, port, self.rest.rstrip("/")

    @property
    def is_plain(self) -> bool:
        """Whether it is written as all spellings come to."""
        return self.plain == (self.scheme, self.host, self.port, self.rest)


def _bare(host: str) -> str:
    return host.lower().rstrip(".").removeprefix("www.")


def _plain_host(scheme: str, host: str) -> str:
    """A host, bare, as all its spellings come to: of this machine, of a cluster or account by its endpoint."""
    if host in LOOPBACK:
        return "localhost"
    if scheme == "snowflake":  # a host has no underscores: the driver writes dashes
        return host.removesuffix(_SNOWFLAKE).replace("_", "-")
    endpoint = _REDSHIFT.fullmatch(host) if scheme == "redshift" else None
    return host if endpoint is None else f"{endpoint['cluster']}.{endpoint['region']}"


@dataclass(frozen=True, slots=True)
class Likeness:
    """Two names that are likely one, and why."""

    one: str
    other: str
    reasons: tuple[str, ...]


def read_spelling(namespace: str) -> Spelling:
    """A namespace as scheme, host, port and rest; one that is no address is all host."""
    found = _ADDRESS.fullmatch(namespace)
    if found is None:
        return Spelling(namespace, "", namespace, "", "")
    return Spelling(namespace, found["scheme"], found["host"], found["port"] or "", found["rest"])


def find_like_namespaces(namespaces: Iterable[str]) -> list[Likeness]:
    """Pairs of namespaces that come to the same, or whose host is given in short by one; each name with one other."""
    groups: dict[tuple[str, ...], list[Spelling]] = defaultdict(list)
    for name in namespaces:
        spelling = read_spelling(name)
        groups[spelling.plain].append(spelling)
    pairs = [
        Likeness(first.written, other.written, _compare(first, other))
        for first, *others in groups.values()
        for other in others
    ]
    return pairs + _find_short_hosts([group[0] for group in groups.values()])


def _find_short_hosts(spellings: Sequence[Spelling]) -> list[Likeness]:
    """Pairs where one writes a host's first label, and only one other writes a whole name that begins so."""
    whole: dict[tuple[str, ...], list[Spelling]] = defaultdict(list)
    for spelling in spellings:
        scheme, host, port, rest = spelling.plain
        if spelling.scheme and "." in host and not host.replace(".", "").isdigit():
            whole[scheme, host.partition(".")[0], port, rest].append(spelling)
    found = []
    for spelling in spellings:
        likely = whole.get(spelling.plain, []) if "." not in spelling.plain[1] else []
        if len(likely) == 1:
            found.append(Likeness(spelling.written, likely[0].written, ("short host name",)))
    return found


def _compare(one: Spelling, other: Spelling) -> tuple[str, ...]:
    """How two spellings of one namespace differ."""
    reasons = []
    if one.scheme.lower() != other.scheme.lower():
        reasons.append("scheme")
    hosts = one.host.lower(), other.host.lower()
    bare = {_bare(host) for host in hosts}
    if len(bare) > 1:
        reasons.append("loopback address" if bare <= LOOPBACK else "endpoint")
    elif len({host.rstrip(".") for host in hosts}) > 1:
        reasons.append("www")
    elif hosts[0] != hosts[1]:
        reasons.append("dot at the end of the host")
    if one.port != other.port:
        reasons.append("default port")
    if one.rest != other.rest:
        reasons.append("slash at the end")
    if (
        one.scheme + one.host != other.scheme + other.host
        and (one.scheme + one.host).lower() == (other.scheme + other.host).lower()
    ):
        reasons.append("case")
    return tuple(reasons) or ("case",)


def find_like_names(names: Iterable[str]) -> list[Likeness]:
    """Pairs of names in one namespace that differ in case, quotes or outer slashes only; each name with one other."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name in names:
        groups[_plain_name(name)].append(name)
    return [
        Likeness(first, other, _compare_names(first, other)) for first, *others in groups.values() for other in others
    ]


def _plain_name(name: str) -> str:
    return name.translate({ord(mark): None for mark in '"`[]'}).strip("/").lower() or name


def _compare_names(one: str, other: str) -> tuple[str, ...]:
    reasons = []
    unquoted = [name.translate({ord(mark): None for mark in '"`[]'}) for name in (one, other)]
    if unquoted != [one, other]:
        reasons.append("quotes")
    if unquoted[0].strip("/").lower() == unquoted[1].strip("/").lower() and unquoted[0].strip("/") != unquoted[1].strip(
        "/"
    ):
        reasons.append("case")
    if unquoted[0].strip("/") != unquoted[0] or unquoted[1].strip("/") != unquoted[1]:
        reasons.append("slash at an end")
    return tuple(reasons)
