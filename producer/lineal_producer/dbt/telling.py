"""What dbt's process tells of a node: the fields that count, as dbt holds them; `dbt/told.py` makes sense of them.

dbt waits for what is done here: the fields of a node are got together, and nothing is asked that follows from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import is_dataclass
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lineal_producer.dbt.fields import field_of, is_mapping
from lineal_producer.dbt.nodes import utc_of
from lineal_producer.dbt.seeds import read_header
from lineal_producer.records import encoding

if TYPE_CHECKING:
    from lineal_producer.told_records import Told

_EVERY: Final = (
    "unique_id",
    "resource_type",
    "name",
    "package_name",
    "database",
    "schema",
    "relation_name",
    "original_file_path",
    "language",
    "compiled_code",
    "description",
    "tags",
    "group",
    "meta",
    "depends_on.nodes",
    "checksum.checksum",
    "config.materialized",
    "config.group",
    "config.meta",
)
_TEST: Final = (
    *_EVERY,
    "attached_node",
    "column_name",
    "config.severity",
    "test_metadata.name",
    "test_metadata.namespace",
    "test_metadata.kwargs",
)
_CONFIGURED: Final = (
    "check_cols",
    "column_types",
    "contract",
    "delimiter",
    "external_location",
    "file_format",
    "format",
    "formatter",
    "hard_deletes",
    "incremental_strategy",
    "invalidate_hard_deletes",
    "location",
    "options",
    "plugin",
    "quote_columns",
    "quoting",
    "snapshot_meta_column_names",
    "strategy",
    "table_format",
    "table_type",
    "unique_key",
    "updated_at",
)
_STORED: Final = (
    *_EVERY,
    "version",
    "alias",
    "identifier",
    "quoting",
    "source_meta",
    "contract.enforced",
    *(f"config.{name}" for name in _CONFIGURED),
)
_TESTS: Final = frozenset({"test", "unit_test"})
_CONFIG: Final = "config."

_Get = Callable[[Any], tuple[Any, ...]]


class Shape(NamedTuple):
    """The names of what objects of one class of dbt's are asked for: their own, their config's, and all others."""

    name: str
    names: tuple[str, ...]
    get_own: _Get
    get_configured: _Get
    get_others: _Get


class Telling(NamedTuple):
    """What is told of a node: values by the names of its shape, and by names of its own what others don't have."""

    shape: Shape
    values: list[Any]
    more: dict[str, Any]


_NONE: Final = Shape("", (), lambda _: (), lambda _: (), lambda _: ())
_shapes: Final[dict[type, Shape]] = {}


def tell(node: Any, kind: str) -> Telling:
    """The fields of a node or a source of this `resource_type`, those of its parts as `part.field`."""
    is_test = kind in _TESTS
    more = {} if is_test else _more(node, kind)
    shape = _shapes.get(type(node))
    if shape is not None:
        try:
            # What an object has lies in a dict; as attributes each is looked for in its dozen classes first.
            values = [*shape.get_own(vars(node)), *shape.get_configured(vars(node.config)), *shape.get_others(node)]
            return Telling(shape, values, more)
        except (AttributeError, KeyError):  # it lacks what others of its class have
            pass
    told, shape = _find(node, _TEST if is_test else _STORED)
    if shape is None:
        return Telling(_NONE, [], told | more)
    _shapes[type(node)] = shape
    return Telling(shape, [told[name] for name in shape.names], more)


def _more(node: Any, kind: str) -> dict[str, Any]:
    """What is told of some nodes only."""
    told: dict[str, Any] = {}
    config = getattr(node, "config", None)
    if extra := getattr(config, "_extra", None):
        own = (name for name in _CONFIGURED if name in extra and getattr(config, name, None) is None)
        told = {f"{_CONFIG}{name}": extra[name] for name in own}
    if columns := getattr(node, "columns", None):
        told["columns"] = {key: _column(column) for key, column in columns.items()}
    if (deferred := getattr(node, "defer_relation", None)) is not None:
        told["defer_relation"] = {"relation_name": deferred.relation_name}
    if (batch := getattr(node, "batch", None)) is not None:
        times = {name: getattr(batch, name, None) for name in ("event_time_start", "event_time_end")}
        told["batch"] = {
            "id": getattr(batch, "id", None),
            **{name: time and utc_of(time) for name, time in times.items()},
        }
    if kind == "seed":
        told["header"] = read_header(node)
    return told


def _column(column: Any) -> dict[str, Any]:
    tags = column.tags or getattr(getattr(column, "config", None), "tags", None)
    return {"name": column.name, "data_type": column.data_type, "description": column.description, "tags": tags}


def tell_group(group: Any) -> Telling:
    """What counts of a group of nodes."""
    return Telling(_NONE, [], {"name": group.name, "owner": group.owner})


def _find(source: Any, names: tuple[str, ...]) -> tuple[dict[str, Any], Shape | None]:
    """The fields by name of an object, and its shape when others of its class have the same."""
    told: dict[str, Any] = {}
    is_usual = True
    for name in names:
        part, _, field = name.partition(".")
        if not hasattr(source, part):
            continue
        value = getattr(source, part)
        if not field:
            told[name] = value
        elif value is None or is_mapping(value):
            is_usual = False
            told[name] = field_of(value, field)
        elif isinstance(value, str):  # a checksum of a unit test is no object
            told[part] = value
        elif hasattr(value, field):
            told[name] = getattr(value, field)
    return told, _shape(source, tuple(told)) if is_usual and hasattr(source, "config") else None


def _shape(source: Any, names: tuple[str, ...]) -> Shape:
    own = tuple(name for name in names if name in vars(source))
    config = vars(source.config)
    configured = tuple(name for name in names if name.startswith(_CONFIG) and name.removeprefix(_CONFIG) in config)
    others = tuple(name for name in names if name not in own and name not in configured)
    kind = type(source)
    return Shape(
        name=f"{kind.__module__}.{kind.__qualname__}",
        names=(*own, *configured, *others),
        get_own=_getter(itemgetter, own),
        get_configured=_getter(itemgetter, tuple(name.removeprefix(_CONFIG) for name in configured)),
        get_others=_getter(attrgetter, others),
    )


def _getter(kind: Callable[..., Any], names: tuple[str, ...]) -> _Get:
    """What gets these together: the library's own gives one alone as it is."""
    if len(names) > 1:
        get: _Get = kind(*names)
        return get
    one = [kind(name) for name in names]
    return lambda source: tuple(get(source) for get in one)


def _as_json(value: Any) -> Any:
    """What JSON lacks, as the dict or the list that it is, else as text."""
    if is_dataclass(value):
        fields = dict(vars(value))
        return {**fields.pop("_extra", {}), **fields}
    if is_mapping(value):
        return dict(value)
    return list(value) if isinstance(value, Iterable) else str(getattr(value, "_value_", value))


_encode = encoding(_as_json)


def to_line(record: Told) -> bytes:
    """The record as one line of JSON with its newline, as `records.to_line` writes others."""
    return _encode(record).encode("utf-8", "replace") + b"\n"
