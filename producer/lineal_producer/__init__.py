"""The producer: from what dbt did to OpenLineage events."""
