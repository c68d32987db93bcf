"""The receiver: from any producer's OpenLineage events to answers."""
