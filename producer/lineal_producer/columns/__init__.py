"""From SQL to columns: where each output column comes from, or why that could not be told."""
