"""Say which rules of a schema something breaks, where, and what was expected."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from jsonschema import ValidationError  # type: ignore[import-untyped] # ships no types

from lineal_receiver.ingest.envelope import escape
from lineal_receiver.ingest.schemas import Schema

MAX_ERRORS = 20
MOST_LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class Fault:
    """One rule that an event breaks: where, which, what was expected."""

    pointer: str
    rule: str
    expected: str
    message: str


UNJUDGED = Fault("", "depth", "less nesting", "it is nested too deeply to be judged")


def explain(schema: Schema, value: Any, prefix: str = "") -> list[Fault]:
    """Every rule of `schema` that `value` breaks, at most `MAX_ERRORS`, in the order of their places."""
    try:
        errors = list(islice(_leaves(schema.plain.iter_errors(value)), MOST_LOOKED_AT))
    except RecursionError:
        errors = []
    faults: dict[tuple[str, str, str], Fault] = {}
    for error in sorted(errors, key=lambda e: [str(p) for p in e.absolute_path]):
        fault = _fault(error, prefix)
        faults.setdefault((fault.pointer, fault.rule, fault.expected), fault)
        if len(faults) == MAX_ERRORS:
            break
    return list(faults.values()) or [UNJUDGED]


def _leaves(errors: Iterable[ValidationError]) -> Iterable[ValidationError]:
    for error in errors:
        if error.context and error.validator in ("anyOf", "oneOf", "allOf"):
            branches: dict[Any, list[ValidationError]] = {}
            for inner in error.context:
                branches.setdefault(inner.schema_path[0], []).append(inner)
            yield from _leaves(min(branches.values(), key=lambda branch: len(list(branch))))
        else:
            yield error


def _fault(error: ValidationError, prefix: str) -> Fault:
    pointer = prefix + "".join(f"/{escape(str(part))}" for part in error.absolute_path)
    rule, wanted = str(error.validator), error.validator_value
    if rule == "required":
        missing = next((name for name in wanted if name not in error.instance), "")
        return Fault(f"{pointer}/{escape(missing)}", rule, f"{missing!r} to be there", f"{missing!r} is missing")
    expected = {
        "type": lambda: f"type {wanted}",
        "enum": lambda: "one of " + ", ".join(map(str, wanted)),
        "const": lambda: repr(wanted),
    }.get(rule, lambda: f"{rule} {str(wanted)[:120]}")()
    return Fault(pointer, rule, expected, f"{str(error.instance)[:80]!r} doesn't hold")
