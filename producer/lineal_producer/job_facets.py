"""The facets of a node's job: its type, its SQL, where its file is, who owns it."""

from typing import Any
from urllib.parse import quote

from lineal_producer import facets
from lineal_producer.descriptions import Invocation, Node
from lineal_producer.privacy import hidden

_NO_CODE = {"seed", "source"}


def job_facets(producer: str, invocation: Invocation, node: Node) -> dict[str, Any]:
    """All facets of the job that builds or checks a node."""
    kind = node["resource_type"].upper()
    told: dict[str, Any] = {"jobType": facets.job_type(producer, kind)}
    code = hidden(node["compiled_code"], invocation["sql_mode"])
    if code and node["resource_type"] not in _NO_CODE:
        if node["language"] == "sql":
            told["sql"] = facets.sql(producer, code, invocation["dialect"])
        else:
            told["sourceCode"] = facets.source_code(producer, node["language"], code)
    if node["description"]:
        told["documentation"] = facets.job_documentation(producer, node["description"])
    if node["owners"]:
        told["ownership"] = facets.job_ownership(producer, node["owners"])
    if node["tags"]:
        told["tags"] = facets.job_tags(producer, node["tags"])
    return told | code_facets(producer, invocation, node["unique_id"], node["package"], node["path"])


def code_facets(
    producer: str, invocation: Invocation, unique_id: str, package: str, path: str | None
) -> dict[str, facets.Facet]:
    """Which file of its project or package a node is written in, and where that is in git; {} without a file."""
    if path is None:
        return {}
    node = {"uniqueId": unique_id, "package": package, "file": _slashes(path)}
    told = {"lineal_node": facets.custom(producer, facets.NODE_SCHEMA, node)}
    found = location(producer, invocation, package, path)
    return told if found is None else {**told, "sourceCodeLocation": found}


def location(producer: str, invocation: Invocation, package: str, path: str | None) -> facets.Facet | None:
    """Where a file of the project is in its git repository; None when that isn't known, as of other packages."""
    git = invocation["git"]
    if git is None or path is None or not git["url"] or package != invocation["project"]:
        return None
    repo = _web(git["url"])
    path = "/".join(part for part in (git.get("folder"), _slashes(path)) if part)
    reference = git["sha"] or git["branch"] or "HEAD"
    url = f"{repo.removesuffix('.git')}/blob/{quote(reference)}/{quote(path, errors='replace')}"
    return facets.source_code_location(producer, url, _remote(git["url"], repo), path, git["sha"], git["branch"])


def _remote(url: str, repo: str) -> str:
    """The repository as the specification's examples write it: `git@host:path` stays, which as a URL is `repo`."""
    is_short = "://" not in url and repo.startswith("ssh:") and ":" not in url.rpartition("@")[0]
    return url if is_short else repo


def _slashes(path: str) -> str:
    """A path as on every system, whichever dbt ran on."""
    return path.replace("\\", "/")


def _web(url: str) -> str:
    """A git remote as a URL: `git@host:team/repo` is none; a user and password never stay."""
    scheme, separator, rest = url.partition("://")
    if separator:
        host, slash, path = rest.partition("/")
        return f"{scheme}://{host.rpartition('@')[2]}{slash}{quote(path)}"
    host, colon, path = url.rpartition("@")[2].partition(":")
    return f"ssh://{host}/{quote(path)}" if colon else f"file://{quote(url)}"
