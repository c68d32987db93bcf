"""SQL: one constant above the one function that runs it."""
