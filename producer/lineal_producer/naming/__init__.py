"""Names of datasets: for every adapter the namespace and name that other OpenLineage integrations would give."""

from lineal_producer.naming.adapters import dialect_of
from lineal_producer.naming.namespaces import Namespaces, namespaces, parse_namespace_map

__all__ = ["Namespaces", "dialect_of", "namespaces", "parse_namespace_map"]
