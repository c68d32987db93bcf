"""Reads dbt's objects and the dicts of its artifacts alike: one way to ask for a field."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

_PLAIN: Final = (str, int, float, bool)


@cache  # asked tens of thousands of times in dbt's process, about a handful of types
def _is_mapping(kind: type) -> bool:
    return issubclass(kind, dict) or Mapping in kind.__mro__  # `issubclass` asks every kind of mapping that there is


@cache
def _keeps_unknown(kind: type) -> bool:
    """Whether it is a config, which keeps the keys that it doesn't know in a field."""
    return "_extra" in getattr(kind, "__dataclass_fields__", ())


@cache
def _has_attributes_alone(kind: type) -> bool:
    return not _is_mapping(kind) and not _keeps_unknown(kind)


def field_of(source: Any, name: str, default: Any = None) -> Any:
    """The field of a dict, a config or any other of dbt's objects; the default when it is absent or None."""
    kind = type(source)
    if kind is dict or _is_mapping(kind):  # type: ignore[arg-type] # mypy takes no type for hashable
        value = source.get(name)
    else:
        value = getattr(source, name, None)
        if value is None and _keeps_unknown(kind):  # type: ignore[arg-type] # as above
            value = source._extra.get(name)  # noqa: SLF001 - dbt's only way to them that all versions share
    return default if value is None else value


def text_of(source: Any, name: str) -> str | None:
    """The field as text (an enum by its value), None when it is absent or empty."""
    if type(source) is not dict:
        value = getattr(source, name, None)
        if type(value) is str:  # nearly always in dbt's process
            return value or None
        if value is None and _has_attributes_alone(type(source)):  # type: ignore[arg-type] # as above
            return None
    value = field_of(source, name)
    if value is None:
        return None
    if type(value) is str:
        return value or None
    value = getattr(value, "_value_", value)  # `value` itself is a function's answer, which takes several times as long
    return None if value is None or value == "" else str(value)


def is_mapping(value: Any) -> bool:
    """Whether the value is a dict or behaves like one."""
    return _is_mapping(type(value))  # type: ignore[arg-type] # as above


def mapping_of(source: Any, name: str) -> Mapping[str, Any]:
    """The field when it is a dict, else an empty one."""
    value = field_of(source, name)
    return value if is_mapping(value) else {}


def texts(value: Any) -> list[str]:
    """A text or a list of texts as a list."""
    if type(value) is list:  # nearly always
        return [str(item) for item in value]
    if value is None or value == "":
        return []
    if isinstance(value, str) or not isinstance(value, Iterable):
        return [str(value)]
    return [str(item) for item in value]


def plain(value: Any) -> Any:
    """The value as plain JSON: what JSON lacks becomes text."""
    if value is None or isinstance(value, _PLAIN):
        return value
    if is_mapping(value):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Iterable):
        return [plain(item) for item in value]
    return str(value)
