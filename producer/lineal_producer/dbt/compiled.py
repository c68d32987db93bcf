"""A node's SQL from its artifacts: compiled in the manifest, compiled in a file, or raw SQL with only refs replaced."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lineal_producer.dbt.fields import field_of, text_of, texts

_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)
_EXPRESSION = re.compile(r"\{\{-?\s*(.*?)\s*-?\}\}", re.DOTALL)
_CALL = re.compile(r"(ref|source)\s*\((.*)\)", re.DOTALL)
_TEXT = re.compile(r"""(?:'([^']*)'|"([^"]*)")""")
_VERSION = re.compile(r"""\b(?:v|version)\s*=\s*['"]?([\w.]+)""")


def find_sql(node: Mapping[str, Any], manifest: Mapping[str, Any], project_dir: Path, target: Path) -> str | None:
    """The SQL of a node, None when other Jinja than ref, source, this and config stands in its way."""
    compiled = text_of(node, "compiled_code") or text_of(node, "compiled_sql")
    if compiled is not None:
        return compiled
    files = (_read(path) for path in _compiled_files(node, manifest, project_dir, target))
    return next((text for text in files if text is not None), None) or render_raw(node, manifest)


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):  # ValueError: not UTF-8, or no path at all
        return None


def _compiled_files(
    node: Mapping[str, Any], manifest: Mapping[str, Any], project_dir: Path, target: Path
) -> Iterator[Path]:
    """Where dbt-core and Fusion put the file; the latter's manifest never has the SQL, nor where it is."""
    package, original = text_of(node, "package_name"), text_of(node, "original_file_path")
    if package is None or original is None:
        return
    told = text_of(node, "compiled_path") or text_of(node, "build_path")
    own = text_of(field_of(manifest, "metadata"), "project_name") == package
    path = (text_of(node, "path") or "").replace("\\", "/").rpartition("/")[2]
    # Fusion's first versions had no folder for each package.
    for folder in (target / "compiled" / package, *([target / "compiled"] if own else [])):
        place = folder / original.replace("\\", "/")
        if original.endswith(".sql"):
            yield place
        if path.endswith(".sql"):  # of a snapshot; of a test in a YAML file
            yield place / path
            if not original.endswith(".sql"):
                yield folder / "generic_tests" / path
    if told:
        yield project_dir / told


def render_raw(node: Mapping[str, Any], manifest: Mapping[str, Any], depth: int = 0) -> str | None:
    """The raw SQL with ref, source, this and config replaced from the manifest; None when there is other Jinja."""
    raw = text_of(node, "raw_code") or text_of(node, "raw_sql")
    if raw is None or depth > 20 or (text_of(node, "language") or "sql") != "sql":
        return None
    text = _COMMENT.sub("", raw)
    if "{%" in text:
        return None
    done: list[str] = []
    at = 0
    for found in _EXPRESSION.finditer(text):
        value = _value(found.group(1), node, manifest, depth)
        if value is None:
            return None
        done += [text[at : found.start()], value]
        at = found.end()
    return "".join([*done, text[at:]])


def _value(expression: str, node: Mapping[str, Any], manifest: Mapping[str, Any], depth: int) -> str | None:
    if expression == "this":
        return text_of(node, "relation_name")
    if re.fullmatch(r"config\s*\(.*\)", expression, re.DOTALL):
        return ""
    call = _CALL.fullmatch(expression)
    if call is None:
        return None
    arguments = [one or other for one, other in _TEXT.findall(call.group(2).split("=")[0])]
    if call.group(1) == "source":
        found = _source(arguments, node, manifest)
        return text_of(found, "relation_name") if found else None
    found = _referred(arguments, _VERSION.search(call.group(2)), node, manifest)
    if found is None:
        return None
    if text_of(field_of(found, "config"), "materialized") == "ephemeral":
        inner = render_raw(found, manifest, depth + 1)
        return None if inner is None else f"(\n{inner}\n)"
    return text_of(found, "relation_name")


def _source(arguments: list[str], node: Mapping[str, Any], manifest: Mapping[str, Any]) -> Any:
    sources: Mapping[str, Any] = field_of(manifest, "sources", {})
    for unique_id in texts(field_of(field_of(node, "depends_on"), "nodes")):
        source = sources.get(unique_id)
        if source and arguments == [text_of(source, "source_name"), text_of(source, "name")]:
            return source
    return None


def _referred(arguments: list[str], version: Any, node: Mapping[str, Any], manifest: Mapping[str, Any]) -> Any:
    nodes: Mapping[str, Any] = field_of(manifest, "nodes", {})
    package = arguments[0] if len(arguments) == 2 else None
    for unique_id in texts(field_of(field_of(node, "depends_on"), "nodes")):
        found = nodes.get(unique_id)
        if not found or text_of(found, "name") != (arguments or [""])[-1]:
            continue
        if package is not None and text_of(found, "package_name") != package:
            continue
        if version is None or text_of(found, "version") == version.group(1):
            return found
    return None
