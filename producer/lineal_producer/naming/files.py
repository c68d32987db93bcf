"""Names of datasets that are files: `s3://bucket` and the constant prefix of the key, `file` and an absolute path."""

import os
import posixpath
import re
from urllib.parse import urlsplit

_QUOTED = re.compile(r"'((?:[^']|'')*)'")
_WILDCARD = re.compile(r"[*?\[]")
_PARTITION_KEY = re.compile(r"(^|/)[^/=]+=$")
_READER = re.compile(r"^\s*\w+\s*\(", re.DOTALL)
_FORMAT_READER = re.compile(
    r"\s*(?:read_)?(parquet|csv|json|ndjson|xlsx|delta|iceberg)(?:_auto|_scan|_objects)?\s*\(", re.IGNORECASE
)
_FORMAT_ENDING = re.compile(
    r".*\.(parquet|csv|tsv|json|jsonl|ndjson|xlsx|avro|orc)(?:\.\w{2,4})?$", re.IGNORECASE | re.DOTALL
)
_SCHEMES = {"s3a": "s3", "s3n": "s3", "gcs": "gs"}
_BUCKETS = {"s3", "gs", "r2", "az", "hf", "abfss", "abfs", "wasbs", "hdfs", "dbfs", "oss", "cos"}


def external_dataset(location: str, cwd: str) -> tuple[str, str] | None:
    """(namespace, name) of `read_parquet('s3://b/x/dt=*/*.parquet')`, `'data/*.csv'`, a bare path; None without one."""
    paths = external_paths(location)
    if not paths:
        return None
    named = [_named(path, cwd) for path in paths]
    namespace = named[0][0]
    names = [name for space, name in named if space == namespace]
    if len(names) == 1:
        return named[0]
    shared = posixpath.commonpath(names) if _same_root(names) else names[0]
    return namespace, shared or names[0]


def file_format(location: str) -> str | None:
    """`parquet`, `csv`, `json`, ... by the function that reads the files or by how their names end; None otherwise."""
    reader = _FORMAT_READER.match(location)
    if reader is not None:
        return {"ndjson": "json"}.get(reader.group(1).lower(), reader.group(1).lower())
    endings = {
        _FORMAT_ENDING.sub(r"\1", path).lower() for path in external_paths(location) if _FORMAT_ENDING.match(path)
    }
    return endings.pop() if len(endings) == 1 else None


def _same_root(names: list[str]) -> bool:
    return len({name.startswith("/") for name in names}) == 1


def external_paths(location: str) -> list[str]:
    """The paths in a location, as SQL has them between its quotes."""
    text = location.strip()
    if _READER.match(text):
        # `read_csv(['a', 'b'], delim = ';')`: the files are the first argument, options have a name.
        argument = re.split(r",\s*\w+\s*:?=", _READER.sub("", text), maxsplit=1)[0]
        return [_unescaped(path) for path in _QUOTED.findall(argument)] if argument.lstrip("[ \n")[:1] == "'" else []
    if text.startswith("'"):
        return [_unescaped(path) for path in _QUOTED.findall(text)]
    return [text] if text else []


def _unescaped(path: str) -> str:
    return path.replace("''", "'")


def _named(path: str, cwd: str) -> tuple[str, str]:
    scheme, separator, rest = path.partition("://")
    scheme = _SCHEMES.get(scheme.lower(), scheme.lower()) if separator else ""
    if scheme in _BUCKETS:
        container, _, key = rest.partition("/")
        # user@host is part of an abfss name (container@account), and a credential everywhere else
        container = container if scheme in {"abfss", "abfs", "wasbs"} else container.rpartition("@")[2]
        prefix = _constant_prefix(key.partition("?")[0] if scheme == "s3" else key).lstrip("/")
        return f"{scheme}://{container}", prefix or "/"
    if scheme in {"http", "https"}:
        parts = urlsplit(path)
        host = parts.netloc.rpartition("@")[2]
        return f"{scheme}://{host}", parts.path.lstrip("/")
    local = urlsplit(path).path if scheme == "file" else path
    prefix = _constant_prefix(local)
    absolute = os.path.realpath(os.path.join(cwd, prefix))  # noqa: PTH118 - a prefix need not be a whole path
    return "file", absolute


def _constant_prefix(path: str) -> str:
    """What stands before the first wildcard, without an unfinished `key=` and without the last slash."""
    found = _WILDCARD.search(path)
    if found is None:
        return path.rstrip("/") or path
    prefix = _PARTITION_KEY.sub(r"\1", path[: found.start()])
    return prefix.rstrip("/") or prefix
